package codestream

import (
	"encoding/binary"
	"fmt"
)

// pieces reads here and there, and asks the reader only for what the piece at hand does not hold: many small things that
// lie near each other cost one read.
type pieces struct {
	reader Reader
	offset int64 // of held
	held   []byte
}

// at returns bytes from an offset on: at least so many, or all that there are. They are good until the next call.
func (p *pieces) at(offset int64, least int) ([]byte, error) {
	if from := offset - p.offset; from >= 0 && from+int64(least) <= int64(len(p.held)) {
		return p.held[from:], nil
	}
	if offset >= p.reader.Size() {
		return nil, nil
	}
	held, err := p.reader.Peek(offset, least)
	if err != nil {
		return nil, fmt.Errorf("reading the codestream at %d: %w", offset, err)
	}
	p.offset, p.held = offset, held
	return held, nil
}

// exactly returns so many bytes.
func (p *pieces) exactly(offset int64, length int) ([]byte, error) {
	bytes, err := p.at(offset, length)
	if err != nil {
		return nil, err
	}
	if len(bytes) < length {
		return nil, fmt.Errorf("%w: it ends at %d, where %d bytes should be", ErrCorrupt, p.reader.Size(), length)
	}
	return bytes[:length], nil
}

// appendRange appends what lies in a range, in bites that any reader can give.
func (p *pieces) appendRange(to []byte, offset, length int64) ([]byte, error) {
	const bite = 1 << 16
	for length > 0 {
		part, err := p.exactly(offset, int(min(length, bite)))
		if err != nil {
			return to, err
		}
		to = append(to, part...)
		offset += int64(len(part))
		length -= int64(len(part))
	}
	return to, nil
}

// segment is a marker and what belongs to it.
type segment struct {
	marker markerCode
	body   []byte // good until the next read
	offset int64  // of the body
	next   int64  // where the next marker should be
}

// segment reads the marker at an offset, and its body if it has one. Nothing of it may
// lie from limit on.
func (p *pieces) segment(offset, limit int64) (segment, error) {
	if offset+2 > limit {
		return segment{}, fmt.Errorf("%w: no room for a marker at %d", ErrCorrupt, offset)
	}
	head, err := p.exactly(offset, 2)
	if err != nil {
		return segment{}, err
	}
	s := segment{marker: markerCode(binary.BigEndian.Uint16(head)), next: offset + 2}
	if s.marker < 0xFF01 {
		return s, fmt.Errorf("%w: %#04x at %d, where a marker should be", ErrCorrupt, uint16(s.marker), offset)
	}
	if !s.marker.hasBody() {
		return s, nil
	}
	head, err = p.exactly(offset, 4)
	if err != nil {
		return s, err
	}
	length := int(binary.BigEndian.Uint16(head[2:]))
	if length < 2 || offset+2+int64(length) > limit {
		return s, fmt.Errorf("%w: the %v marker at %d says that it is %d bytes long", ErrCorrupt, s.marker, offset, length)
	}
	whole, err := p.exactly(offset, 2+length)
	if err != nil {
		return s, err
	}
	s.body, s.offset, s.next = whole[4:], offset+4, offset+2+int64(length)
	return s, nil
}
