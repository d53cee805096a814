package lerc

import (
	"encoding/binary"
	"fmt"
)

const (
	maxBlockSide   = 32
	maxBlockPixels = maxBlockSide * maxBlockSide

	// wordSlack is how many bytes a load may reach beyond those it is for.
	wordSlack = 8
)

// readQuanta reads count numbers of the same width: as they are, or as places in a table of the few that occur. They are
// good until the next call.
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
		return nil, fmt.Errorf("%d numbers in place of %d: %w", stated, count, ErrCorrupt)
	}
	quanta := d.quanta[:count]
	if hasTable {
		return quanta, d.readLookups(in, quanta, width, version)
	}
	return quanta, d.unstuff(in, quanta, width, version)
}

// readLookups reads a table, whose first number is zero and not stored, and the places in it.
func (d *Decoder) readLookups(in *reader, quanta []uint32, width, version int) error {
	stored := int(in.byte()) - 1
	if stored < 1 || width == 0 {
		return fmt.Errorf("table of %d numbers: %w", stored+1, ErrCorrupt)
	}
	var table [256]uint32
	if err := d.unstuff(in, table[1:stored+1], width, version); err != nil {
		return err
	}
	placeBits := 0
	for stored>>placeBits > 0 {
		placeBits++
	}
	if err := d.unstuff(in, quanta, placeBits, version); err != nil {
		return err
	}
	highest := uint32(0)
	for i, place := range quanta {
		highest = max(highest, place)
		quanta[i] = table[place&255]
	}
	if int(highest) > stored {
		return fmt.Errorf("place %d in a table of %d numbers: %w", highest, stored+1, ErrCorrupt)
	}
	return nil
}

// unstuff reads numbers of width bits, 31 at most, one after another.
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

// unstuffLowFirst reads numbers whose lowest bit comes first, eight at a time: these begin on a whole byte. A word holds all
// eight, four, two or one of them. The loads reach beyond the last number, but never by more than wordSlack.
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

// unstuffFour takes four numbers of width bits, 16 at most, off a word.
func unstuffFour(to []uint32, word uint64, width uint, mask uint64) {
	_ = to[3]
	to[0] = uint32(word & mask)
	to[1] = uint32(word >> (width & 63) & mask)
	to[2] = uint32(word >> (2 * width & 63) & mask)
	to[3] = uint32(word >> (3 * width & 63) & mask)
}

// stuffedWords reads numbers whose highest bit comes first, from 32-bit words that are little endian. Of the last word only
// the bytes that are needed are stored, which are its highest.
type stuffedWords struct {
	src   []byte
	bits  uint64 // the lowest count of them are not read yet
	count uint
}

// next is the next number of width bits, 32 at most. Beyond the end there are zeros.
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
