package gmljp2

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// reader walks through a text element by element and counts what it meets.
type reader struct {
	decoder  *xml.Decoder
	limits   Limits
	elements int
	isCut    bool // the text goes on behind what is read
}

// element is one with those that it is in, from the outermost. Prefixes of names are left out: writers disagree about them.
type element struct {
	path       []string
	attributes []xml.Attr
}

func (e element) name() string { return e.path[len(e.path)-1] }

// within tells whether the element is a child of one of that name.
func (e element) within(name string) bool { return len(e.path) >= 2 && e.path[len(e.path)-2] == name }

// attribute is the value of one, or empty.
func (e element) attribute(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func newReader(text []byte, limits Limits) *reader {
	text = bytes.TrimRight(text, "\x00")
	isCut := len(text) > limits.Bytes
	text = text[:min(len(text), limits.Bytes)]
	if bytes.IndexByte(text, 0) >= 0 { // some write zeros where lines end
		text = bytes.ReplaceAll(text, []byte{0}, []byte{'\n'})
	}
	if !utf8.Valid(text) { // what is wanted is ASCII
		text = bytes.ToValidUTF8(text, []byte("?"))
	}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return &reader{decoder: decoder, limits: limits, isCut: isCut}
}

// walk shows every element as it begins, and with its text as it ends, until end is false or the text is over. The text
// is that behind the last of the element's children.
func (r *reader) walk(begin func(element), end func(element, string) bool) error {
	var path []string
	var text strings.Builder
	for {
		token, err := r.decoder.RawToken()
		switch {
		case err != nil && r.isCut:
			return fmt.Errorf("what is looked for is not in %d bytes: %w", r.limits.Bytes, ErrLimit)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%w: %.200v", ErrCorrupt, err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return fmt.Errorf("%w: a document type", ErrCorrupt)
		case xml.StartElement:
			path = append(path, t.Name.Local)
			if r.elements++; r.elements > r.limits.Elements || len(path) > r.limits.Depth {
				return fmt.Errorf("%d elements, the last within %d others: %w", r.elements, len(path)-1, ErrLimit)
			}
			text.Reset()
			begin(element{path, t.Attr})
		case xml.CharData:
			text.Write(t)
		case xml.EndElement:
			if len(path) == 0 || path[len(path)-1] != t.Name.Local {
				return fmt.Errorf("%w: %.40q ends and has not begun", ErrCorrupt, t.Name.Local)
			}
			if !end(element{path: path}, text.String()) {
				return nil
			}
			path = path[:len(path)-1]
			text.Reset()
		}
	}
}
