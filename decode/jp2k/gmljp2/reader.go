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

// reader reads a text element by element and enforces the limits.
type reader struct {
	decoder  *xml.Decoder
	limits   Limits
	elements int
	isCut    bool // the text is longer than what is read
}

// element is an element with the names of those around it, outermost first. Name prefixes are
// ignored, since writers use different ones.
type element struct {
	path       []string
	attributes []xml.Attr
}

func (e element) name() string { return e.path[len(e.path)-1] }

// within reports whether the element is a child of an element with the given name.
func (e element) within(name string) bool { return len(e.path) >= 2 && e.path[len(e.path)-2] == name }

// attribute returns the value of an attribute, or "".
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
	if bytes.IndexByte(text, 0) >= 0 { // some writers put zeros where lines end
		text = bytes.ReplaceAll(text, []byte{0}, []byte{'\n'})
	}
	if !utf8.Valid(text) { // only ASCII is needed
		text = bytes.ToValidUTF8(text, []byte("?"))
	}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return &reader{decoder: decoder, limits: limits, isCut: isCut}
}

// read calls begin for the start of each element, and end for its end with its text. It stops when
// end returns false. The text is what follows the last child of the element.
func (r *reader) read(begin func(element), end func(element, string) bool) error {
	var path []string
	var text strings.Builder
	for {
		token, err := r.decoder.RawToken()
		switch {
		case err != nil && r.isCut:
			return fmt.Errorf("nothing found in the first %d bytes: %w", r.limits.Bytes, ErrLimit)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%w: %.200v", ErrCorrupt, err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return fmt.Errorf("%w: document type declaration", ErrCorrupt)
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
				return fmt.Errorf("%w: unexpected end of %.40q", ErrCorrupt, t.Name.Local)
			}
			if !end(element{path: path}, text.String()) {
				return nil
			}
			path = path[:len(path)-1]
			text.Reset()
		}
	}
}
