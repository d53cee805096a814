package lerc

import (
	"encoding/binary"
	"fmt"
)

const (
	maxBlockSide   = 32
	maxBlockPixels = maxBlockSide * maxBlockSide

	// wordSlack is the number of bytes that a load may read beyond its numbers.
	wordSlack = 8
)

// readQuanta reads count numbers of equal width, stored directly or as indexes into a table. The
// result is valid until the next call.
func (d *Decoder) readQuanta(in *reader, count, version int) ([]uint32, error) {
	header := in.byte()
	width, hasTable := int(header&31), header>>5&1 == 1
	stated := -1
	switch header >> 6 {
	case 0:
		stated = in.int32()
	case 1:
		stated = int(in.uint16())
	case 2:
		stated = int(in.byte())
	}
	if in.failed {
		return nil, ErrTruncated
	}
	if stated != count || count > len(d.quanta) {
		return nil, fmt.Errorf("%d numbers, expected %d: %w", stated, count, ErrCorrupt)
	}
	quanta := d.quanta[:count]
	if hasTable {
		return quanta, d.readLookups(in, quanta, width, version)
	}
	return quanta, d.unstuff(in, quanta, width, version)
}

// readLookups reads a table, whose first number is zero and not stored, and the indexes into it.
func (d *Decoder) readLookups(in *reader, quanta []uint32, width, version int) error {
	stored := int(in.byte()) - 1
	if stored < 1 || width == 0 {
		return fmt.Errorf("table of %d numbers: %w", stored+1, ErrCorrupt)
	}
	var table [256]uint32
	if err := d.unstuff(in, table[1:stored+1], width, version); err != nil {
		return err
	}
	indexBits := 0
	for stored>>indexBits > 0 {
		indexBits++
	}
	if err := d.unstuff(in, quanta, indexBits, version); err != nil {
		return err
	}
	highest := uint32(0)
	for i, index := range quanta {
		highest = max(highest, index)
		quanta[i] = table[index&255]
	}
	if int(highest) > stored {
		return fmt.Errorf("index %d in a table of %d numbers: %w", highest, stored+1, ErrCorrupt)
	}
	return nil
}

// unstuff reads packed numbers of width bits, for width up to 31.
func (d *Decoder) unstuff(in *reader, to []uint32, width, version int) error {
	usedBytes := (len(to)*width + 7) / 8
	stuffed, err := in.take(usedBytes)
	if err != nil {
		return err
	}
	switch {
	case width == 0:
		clear(to)
	case version < 3:
		words := stuffedWords{src: stuffed}
		for i := range to {
			to[i] = words.next(uint(width))
		}
	case len(in.rest()) >= wordSlack:
		unstuffLowFirst(to, in.src[in.pos-usedBytes:], uint(width))
	default:
		copy(d.tail[:], stuffed)
		unstuffLowFirst(to, d.tail[:], uint(width))
	}
	return nil
}

// unstuffLowFirst reads numbers packed lowest bit first. It processes eight numbers at a time,
// since these start on a whole byte. A 64-bit word holds eight, four, two or one of them. Loads
// read at most wordSlack bytes beyond the last number.
func unstuffLowFirst(to []uint32, src []byte, width uint) {
	mask := uint64(1)<<width - 1
	at := 0
	for ; len(to) >= 8; to, at = to[8:], at+int(width) {
		eight := to[:8:8]
		switch {
		case width <= 8:
			unstuffFour(eight[:4], binary.LittleEndian.Uint64(src[at:]), width, mask)
			unstuffFour(eight[4:], binary.LittleEndian.Uint64(src[at:])>>(4*width&63), width, mask)
		case width <= 16:
			unstuffFour(eight[:4], binary.LittleEndian.Uint64(src[at:]), width, mask)
			unstuffFour(eight[4:], binary.LittleEndian.Uint64(src[at+int(width/2):])>>(4*width&7), width, mask)
		default:
			for i := range eight {
				bit := uint(i) * width
				eight[i] = uint32(binary.LittleEndian.Uint64(src[at+int(bit/8):]) >> (bit & 7) & mask)
			}
		}
	}
	for i := range to {
		bit := uint(i) * width
		to[i] = uint32(binary.LittleEndian.Uint64(src[at+int(bit/8):]) >> (bit & 7) & mask)
	}
}

// unstuffFour extracts four numbers of width bits, for width up to 16.
func unstuffFour(to []uint32, word uint64, width uint, mask uint64) {
	_ = to[3]
	to[0] = uint32(word & mask)
	to[1] = uint32(word >> (width & 63) & mask)
	to[2] = uint32(word >> (2 * width & 63) & mask)
	to[3] = uint32(word >> (3 * width & 63) & mask)
}

// stuffedWords reads numbers packed highest bit first in little-endian 32-bit words. Only the
// required highest bytes of the last word are stored.
type stuffedWords struct {
	src   []byte
	bits  uint64 // the lowest count bits are unread
	count uint
}

// next returns the next number of width bits, for width up to 32. It returns zeros beyond the end.
func (s *stuffedWords) next(width uint) uint32 {
	if s.count < width {
		var word [4]byte
		n := copy(word[4-min(4, len(s.src)):], s.src)
		s.src = s.src[n:]
		s.bits = s.bits<<32 | uint64(binary.LittleEndian.Uint32(word[:]))
		s.count += 32
	}
	s.count -= width
	return uint32(s.bits >> s.count & (1<<width - 1))
}
