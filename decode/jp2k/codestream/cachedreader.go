package codestream

import (
	"encoding/binary"
	"fmt"
)

// cachedReader reads from any offset, and asks the reader only for bytes that the last read did not
// return. So many small reads close to each other cost one read.
type cachedReader struct {
	reader Reader
	offset int64 // of window
	window []byte
}

// at returns at least minLength bytes from an offset on, or all up to the end. They are valid until
// the next call.
func (c *cachedReader) at(offset int64, minLength int) ([]byte, error) {
	if from := offset - c.offset; from >= 0 && from+int64(minLength) <= int64(len(c.window)) {
		return c.window[from:], nil
	}
	if offset >= c.reader.Size() {
		return nil, nil
	}
	window, err := c.reader.Peek(offset, minLength)
	if err != nil {
		return nil, fmt.Errorf("reading the codestream at %d: %w", offset, err)
	}
	c.offset, c.window = offset, window
	return window, nil
}

// exactly returns length bytes.
func (c *cachedReader) exactly(offset int64, length int) ([]byte, error) {
	bytes, err := c.at(offset, length)
	if err != nil {
		return nil, err
	}
	if len(bytes) < length {
		return nil, fmt.Errorf("%w: it ends at %d, where %d bytes were expected", ErrCorrupt, c.reader.Size(), length)
	}
	return bytes[:length], nil
}

// appendRange appends a range of bytes, read in chunks that any reader can return.
func (c *cachedReader) appendRange(to []byte, offset, length int64) ([]byte, error) {
	const chunkBytes = 1 << 16
	for length > 0 {
		part, err := c.exactly(offset, int(min(length, chunkBytes)))
		if err != nil {
			return to, err
		}
		to = append(to, part...)
		offset += int64(len(part))
		length -= int64(len(part))
	}
	return to, nil
}

// segment is a marker and its body.
type segment struct {
	marker markerCode
	body   []byte // valid until the next read
	offset int64  // of the body
	next   int64  // offset of the next marker
}

// segment reads the marker at an offset, and its body if it has one. The segment must end before
// limit.
func (c *cachedReader) segment(offset, limit int64) (segment, error) {
	if offset+2 > limit {
		return segment{}, fmt.Errorf("%w: no room for a marker at %d", ErrCorrupt, offset)
	}
	head, err := c.exactly(offset, 2)
	if err != nil {
		return segment{}, err
	}
	s := segment{marker: markerCode(binary.BigEndian.Uint16(head)), next: offset + 2}
	if s.marker < 0xFF01 {
		return s, fmt.Errorf("%w: %#04x at %d, where a marker was expected", ErrCorrupt, uint16(s.marker), offset)
	}
	if !s.marker.hasBody() {
		return s, nil
	}
	head, err = c.exactly(offset, 4)
	if err != nil {
		return s, err
	}
	length := int(binary.BigEndian.Uint16(head[2:]))
	if length < 2 || offset+2+int64(length) > limit {
		return s, fmt.Errorf("%w: the %v marker at %d claims to be %d bytes long", ErrCorrupt, s.marker, offset, length)
	}
	whole, err := c.exactly(offset, 2+length)
	if err != nil {
		return s, err
	}
	s.body, s.offset, s.next = whole[4:], offset+4, offset+2+int64(length)
	return s, nil
}
