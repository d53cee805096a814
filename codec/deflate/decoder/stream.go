package decoder

import "encoding/binary"

// stream is the state of one call: the read position in src and the write position in dst.
//
// The lowest count bits of bits are unread input. The bits above are zero or equal the input that
// the next refill adds there, so a refill can add whole words without clearing.
type stream struct {
	src   []byte
	pos   int // index of the next byte to add to bits
	bits  uint64
	count uint

	dst []byte
	n   int // bytes written
}

// refill fills bits to at least 56 bits, or to the end of the input.
func (s *stream) refill() {
	if s.pos+8 <= len(s.src) {
		s.bits |= binary.LittleEndian.Uint64(s.src[s.pos:]) << (s.count & 63)
		s.pos += int((63 - s.count) >> 3)
		s.count |= 56
		return
	}
	for s.count < 56 && s.pos < len(s.src) {
		s.bits |= uint64(s.src[s.pos]) << s.count
		s.pos++
		s.count += 8
	}
}

// take reads width bits, for width up to 16.
func (s *stream) take(width uint) (uint, error) {
	if s.count < width {
		if s.refill(); s.count < width {
			return 0, ErrTruncated
		}
	}
	value := uint(s.bits & (1<<width - 1))
	s.drop(width)
	return value, nil
}

// drop removes width bits, which must be available.
func (s *stream) drop(width uint) {
	s.bits >>= width & 63
	s.count -= width
}

// alignToByte drops the rest of the current byte and returns whole unread bytes to src.
func (s *stream) alignToByte() {
	s.pos -= int(s.count / 8)
	s.bits, s.count = 0, 0
}

// copyStored copies a stored block.
func (s *stream) copyStored() error {
	s.alignToByte()
	body := s.src[s.pos:]
	if len(body) < 4 {
		return ErrTruncated
	}
	length, complement := binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint16(body[2:])
	if length != ^complement {
		return ErrCorrupt
	}
	body = body[4:]
	present := body[:min(int(length), len(body))]
	copied := copy(s.dst[s.n:], present)
	s.n += copied
	s.pos += 4 + copied
	switch {
	case copied < len(present):
		return ErrTooLong
	case len(present) < int(length):
		return ErrTruncated
	}
	return nil
}
