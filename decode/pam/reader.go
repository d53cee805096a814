package pam

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reader reads a text element by element and enforces the limits.
type reader struct {
	decoder  *xml.Decoder
	bounded  *boundedText
	limits   Limits
	depth    int
	elements int
}

// element is the start of an XML element.
type element struct {
	name       string
	attributes []xml.Attr
}

// attribute returns the value of an attribute, or an empty string.
func (e element) attribute(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func newReader(text []byte, limits Limits) (*reader, error) {
	text = bytes.TrimRight(text, "\x00")
	if len(text) > limits.Bytes {
		return nil, fmt.Errorf("%d bytes: %w", len(text), ErrLimit)
	}
	// Some programs write the encoding of their machine; Latin-1 accepts any bytes.
	if !utf8.Valid(text) {
		text = fromLatin1(text)
	}
	bounded := &boundedText{text: text}
	decoder := xml.NewDecoder(bounded)
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return &reader{decoder: decoder, bounded: bounded, limits: limits}, nil
}

func fromLatin1(text []byte) []byte {
	var b bytes.Buffer
	for _, c := range text {
		b.WriteRune(rune(c))
	}
	return b.Bytes()
}

// root reads the start of the outermost element, which must have the given name.
func (r *reader) root(name string) error {
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok {
			if start.Name.Local != name {
				return fmt.Errorf("begins with %.40q, not %q: %w", start.Name.Local, name, ErrCorrupt)
			}
			return nil
		}
	}
}

// next returns the next token. It rejects declarations, such as those of entities.
func (r *reader) next() (xml.Token, error) {
	r.bounded.beginToken(int(r.decoder.InputOffset()))
	token, err := r.decoder.Token()
	switch {
	case errors.Is(err, ErrLimit):
		return nil, err
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("unexpected end: %w", ErrCorrupt)
	case err != nil:
		return nil, fmt.Errorf("%w: %.200v", ErrCorrupt, err)
	}
	switch token.(type) {
	case xml.Directive:
		return nil, fmt.Errorf("document type declaration: %w", ErrCorrupt)
	case xml.StartElement:
		if r.depth++; r.depth > r.limits.Depth {
			return nil, fmt.Errorf("elements nested deeper than %d: %w", r.limits.Depth, ErrLimit)
		}
		if r.elements++; r.elements > r.limits.Elements {
			return nil, fmt.Errorf("more than %d elements: %w", r.limits.Elements, ErrLimit)
		}
	case xml.EndElement:
		r.depth--
	}
	return token, nil
}

// children calls visit for each child of the current element, up to its end. visit must read the
// child to its end.
func (r *reader) children(visit func(element) error) error {
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if err := visit(element{t.Name.Local, t.Attr}); err != nil {
				return err
			}
		}
	}
}

// text reads to the end of the current element. It returns the element's text without that of its
// children.
func (r *reader) text() (string, error) {
	var b strings.Builder
	for level := 1; ; {
		token, err := r.next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			level++
		case xml.EndElement:
			if level--; level == 0 {
				return b.String(), nil
			}
		case xml.CharData:
			if level == 1 {
				b.Write(t)
			}
		}
	}
}

// skip reads to the end of the current element.
func (r *reader) skip() error {
	_, err := r.text()
	return err
}

// number parses a finite number. It returns nil for any other text.
func number(text string) *float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
