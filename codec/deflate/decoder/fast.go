package decoder

import "encoding/binary"

const (
	maxMatchBytes = 258

	// Limits of one iteration of a fast loop. It reads two words, at most seven bytes apart. Before
	// one match, rounded up to whole chunks, the loop in Go writes up to four pairs of literals, and
	// that in assembly two short matches.
	pairsPerIteration    = 3
	fastSourceBytes      = 7 + 8
	fastDestinationBytes = 2*shortMatchBytes + maxMatchBytes + copySlackBytes
	copySlackBytes       = 16 // matches are copied in chunks of up to 16 bytes

	tableMask = 1<<tableBits - 1
)

// decodeFastInGo decodes symbols while the input and the destination have room for a whole
// iteration. It needs no bounds checks within an iteration. It reports whether the block ended.
//
// The window never runs out of bits within an iteration. A refill leaves at least 56 bits. Three
// literals or pairs take at most 33 bits, a length with its extra bits 20, and a distance with its
// extra bits 28.
//
// It is one long function with its state in local variables, because that keeps the state in
// registers.
func (d *Decoder) decodeFastInGo(s *stream) (ended bool, err error) {
	literals, distances := &d.literals, &d.distances
	src, dst := s.src, s.dst
	pos, n := s.pos, s.n
	window, count := s.bits, s.count
	lastPos, lastN := len(src)-fastSourceBytes, len(dst)-fastDestinationBytes

	for pos <= lastPos && n <= lastN {
		window |= binary.LittleEndian.Uint64(src[pos:]) << (count & 63)
		pos += int((63 - count) >> 3)
		count |= 56

		e := literals[window&tableMask]
		for range pairsPerIteration {
			if e&(isLength|isExceptional) != 0 {
				break
			}
			binary.LittleEndian.PutUint16(dst[n:], e.text())
			n += e.literals()
			window >>= e.dropBits()
			count -= e.dropBits()
			e = literals[window&tableMask]
		}
		if e&isExceptional != 0 && e&isSubtable != 0 {
			window >>= tableBits
			count -= tableBits
			e = literals[e.subtable(window)%tableSize]
		}
		if e&isExceptional != 0 {
			window >>= e.dropBits()
			count -= e.dropBits()
			ended = e&isEndBlock != 0
			if !ended {
				err = ErrCorrupt
			}
			break
		}
		binary.LittleEndian.PutUint16(dst[n:], e.text())
		n += e.literals()
		if e&isLength == 0 {
			window >>= e.dropBits()
			count -= e.dropBits()
			continue
		}
		length := e.withExtra(window)
		window >>= e.dropBits()
		count -= e.dropBits()

		window |= binary.LittleEndian.Uint64(src[pos:]) << (count & 63)
		pos += int((63 - count) >> 3)
		count |= 56
		e = distances[window&tableMask]
		if e&isExceptional != 0 {
			if e&isSubtable != 0 {
				window >>= tableBits
				count -= tableBits
				e = distances[e.subtable(window)%tableSize]
			}
			if e&isExceptional != 0 {
				err = ErrCorrupt
				break
			}
		}
		distance := e.withExtra(window)
		window >>= e.dropBits()
		count -= e.dropBits()
		if distance > n {
			err = ErrCorrupt
			break
		}
		copyMatch(dst[n-distance:n+length+copySlackBytes], distance, length)
		n += length
	}
	s.pos, s.n = pos, n
	s.bits, s.count = window, count
	return ended, err
}

// copyMatch copies length bytes, and up to seven more, from the start of buf to buf[distance:]. The
// ranges may overlap; bytes then repeat.
func copyMatch(buf []byte, distance, length int) {
	to := buf[distance:]
	switch {
	case distance < 8:
		repeatShort(to, binary.LittleEndian.Uint64(buf), distance, length)
	case length > 32 && distance >= length:
		copy(to[:length], buf)
	default:
		for ; length > 0; length -= 8 {
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(buf))
			to, buf = to[8:], buf[8:]
		}
	}
}

// repeatShort fills to with repetitions of the lowest period bytes of word. It writes whole words,
// at steps of the largest multiple of the period that fits into a word.
func repeatShort(to []byte, word uint64, period, length int) {
	multipliers := [8]uint64{
		1: 0x0101010101010101, 2: 0x0001000100010001, 3: 0x0001000001000001,
		4: 0x0000000100000001, 5: 0x0000010000000001, 6: 0x0001000000000001, 7: 0x0100000000000001,
	}
	steps := [8]int{1: 8, 2: 8, 3: 6, 4: 8, 5: 5, 6: 6, 7: 7}
	pattern := word & (1<<(8*period) - 1) * multipliers[period&7]
	step := steps[period&7]
	for ; length > 0; length -= step {
		binary.LittleEndian.PutUint64(to, pattern)
		to = to[step:]
	}
}
