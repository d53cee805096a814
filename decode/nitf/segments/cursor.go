package segments

import (
	"fmt"
	"strconv"
	"strings"
)

// cursor reads the fields of one header, one after the other. After the first failure, which stays
// in err, it returns zeros.
type cursor struct {
	r     Reader
	start int64 // of the header in the file
	at    int   // of the next field in the header
	limit int   // of the header's length
	err   error
}

// bytes returns the next bytes, which are valid until the next call.
func (c *cursor) bytes(name string, count int) []byte {
	if c.err != nil {
		return nil
	}
	if count < 0 || count > c.limit-c.at {
		c.err = fmt.Errorf("%s ends after %d bytes of the header: %w", name, int64(c.at)+int64(count), ErrLimit)
		return nil
	}
	bytes, err := c.r.Peek(c.start+int64(c.at), count)
	switch {
	case err != nil:
		c.err = err
		return nil
	case len(bytes) < count:
		c.err = fmt.Errorf("the file ends within %s: %w", name, ErrCorrupt)
		return nil
	}
	c.at += count
	return bytes[:count]
}

// has reports whether the file has so many bytes more.
func (c *cursor) has(count int64) bool { return count <= c.r.Size()-c.start-int64(c.at) }

// text returns the next field without the spaces around it.
func (c *cursor) text(name string, width int) string {
	return strings.Trim(string(c.bytes(name, width)), " \x00")
}

// skip passes over fields.
func (c *cursor) skip(name string, width int) { c.bytes(name, width) }

// jump passes over fields without reading them. The file may end within them.
func (c *cursor) jump(width int) { c.at += width }

// number returns the next field as a number. Blanks are zero.
func (c *cursor) number(name string, width int) int64 {
	text := c.text(name, width)
	if text == "" {
		return 0
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		c.fail(fmt.Errorf("%s is %.20q and no number: %w", name, text, ErrCorrupt))
		return 0
	}
	return v
}

// count returns the next field as a number that is not negative.
func (c *cursor) count(name string, width int) int {
	v := c.number(name, width)
	if v < 0 {
		c.fail(fmt.Errorf("%s is %d: %w", name, v, ErrCorrupt))
		return 0
	}
	return int(v)
}

func (c *cursor) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}
