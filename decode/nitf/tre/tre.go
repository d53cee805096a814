// Package tre reads what tagged record extensions of NITF say: all fields of those that are known,
// and as values those that place an image or describe its bands. Package decode/nitf calls it with
// their content. It must never know where an extension was found, nor anything of pixels.
package tre

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tileserver/decode"
)

// ErrCorrupt marks an extension whose content does not match its tag.
var ErrCorrupt = decode.Corrupt("corrupt TRE")

// ErrUnknown marks an extension whose fields are not known here.
var ErrUnknown = errors.New("unknown TRE")

// Field is a field with its value as text, without the spaces around it.
type Field struct{ Name, Value string }

// Fields returns the fields of an extension in their order. The error is ErrUnknown for a tag that
// is not known. If the content ends early, the fields before are returned with an error.
func Fields(tag string, content []byte) ([]Field, error) {
	c := &cursor{left: content}
	switch tag {
	case "BANDSB":
		c.bandsb()
	case "ENGRDA":
		c.engrda()
	case "J2KLRA":
		c.j2klra()
	case "RSMPCA":
		c.rsmpca()
	case "SENSRB":
		c.sensrb()
	default:
		layout, ok := layouts[tag]
		if !ok {
			return nil, fmt.Errorf("%s: %w", tag, ErrUnknown)
		}
		c.layout(layout)
	}
	if c.err != nil {
		return c.fields, fmt.Errorf("%s: %w", tag, c.err)
	}
	return c.fields, nil
}

// cursor reads the fields of an extension, one after the other. After the first failure, which
// stays in err, it returns nothing.
type cursor struct {
	left   []byte
	fields []Field
	err    error
}

// maxFields bounds the fields that are told of one extension.
const maxFields = 4096

func (c *cursor) bytes(name string, count int) []byte {
	switch {
	case c.err != nil:
		return nil
	case count < 0 || count > len(c.left):
		c.err = fmt.Errorf("%s of %d bytes, with %d left: %w", name, count, len(c.left), ErrCorrupt)
		return nil
	}
	bytes := c.left[:count]
	c.left = c.left[count:]
	return bytes
}

func (c *cursor) keep(name, value string) {
	if c.err == nil && name != "" && len(c.fields) < maxFields {
		c.fields = append(c.fields, Field{name, value})
	}
}

// text reads a field. One without a name is passed over.
func (c *cursor) text(name string, width int) string {
	value := strings.TrimSpace(strings.ToValidUTF8(string(c.bytes(name, width)), "?"))
	c.keep(name, value)
	return value
}

// count reads a field that says how many of something follow.
func (c *cursor) count(name string, width int) int {
	value := c.text(name, width)
	n, err := strconv.Atoi(value)
	if c.err == nil && (err != nil || n < 0) {
		c.err = fmt.Errorf("%s is %.20q: %w", name, value, ErrCorrupt)
		return 0
	}
	return n
}

// layout reads fields of fixed widths.
func (c *cursor) layout(layout string) {
	for _, field := range strings.Fields(layout) {
		name, width, _ := strings.Cut(field, ":")
		n, err := strconv.Atoi(width)
		if err != nil {
			c.err = err
			return
		}
		c.text(name, n)
	}
}

// IsDamaged reports whether an error of Fields says that an extension contradicts itself, and not
// only that it is unknown.
func IsDamaged(err error) bool { return errors.Is(err, ErrCorrupt) }
