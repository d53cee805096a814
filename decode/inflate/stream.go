package inflate

import "encoding/binary"

// stream is the state of one call: where it reads and where it writes.
//
// The lowest count bits of bits are input not used yet. The bits above them are zero, or are those that the next refill
// will put there anyway, so a refill may add whole words without clearing anything.
type stream struct {
	src   []byte
	pos   int // of the next byte to add to bits
	bits  uint64
	count uint

	dst []byte
	n   int // bytes written
}

// refill tops bits up to at least 56 bits, or to what is left of the input.
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

// take returns the next width bits, 16 at most.
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

// drop forgets width bits that are known to be there.
func (s *stream) drop(width uint) {
	s.bits >>= width & 63
	s.count -= width
}

// alignToByte drops the rest of a byte begun and gives whole bytes back to src.
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
