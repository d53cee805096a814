package decode

import (
	"encoding/binary"
	"math/bits"
)

// machineIsBigEndian tells how planes hold the bytes of a sample.
func machineIsBigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }

// toMachineOrder turns the samples of rows from the stored byte order into that
// of the machine. Fields are read in theirs.
func toMachineOrder(rows []byte, l *Layout) {
	switch {
	case l.Fields != nil:
		return
	case l.packed() && l.Bits == 24:
		toHighByteFirst(rows, l)
		return
	case l.BigEndian == machineIsBigEndian():
		return
	}
	reverseBytes(rows, l.orderedBits())
}

// reverseBytes turns the order of the bytes around in each sample of some bits.
func reverseBytes(rows []byte, bitsOfEach int) {
	switch bitsOfEach {
	case 16:
		swap16(rows)
	case 24:
		swap24(rows)
	case 32:
		words := asWords[uint32](rows)
		for i, v := range words {
			words[i] = bits.ReverseBytes32(v)
		}
	case 64:
		words := asWords[uint64](rows)
		for i, v := range words {
			words[i] = bits.ReverseBytes64(v)
		}
	}
}

// orderedBits is the size of what has an order of bytes: a sample, or a part of a
// complex one. The predictor takes those of both parts for one integer.
func (l *Layout) orderedBits() int {
	switch {
	case l.packed():
		return 0
	case l.Type.IsComplex() && l.Predictor != HorizontalPredictor:
		return l.Bits / 2
	}
	return l.Bits
}

// toHighByteFirst is about integers of 24 bits. They are bits from the highest
// down, which the library that all writers use turns around in big-endian files.
func toHighByteFirst(rows []byte, l *Layout) {
	if l.BigEndian {
		swap24(rows)
	}
}

func swap24(rows []byte) {
	for ; len(rows) >= 3; rows = rows[3:] {
		rows[0], rows[2] = rows[2], rows[0]
	}
}

// swap16 swaps four samples at a time.
func swap16(rows []byte) {
	const low = 0x00ff00ff00ff00ff
	fours := asWords[uint64](rows[:len(rows)&^7])
	for i, v := range fours {
		fours[i] = v&low<<8 | v>>8&low
	}
	for rest := rows[8*len(fours):]; len(rest) >= 2; rest = rest[2:] {
		rest[0], rest[1] = rest[1], rest[0]
	}
}

// reversedBits is a copy of src with the bits of each byte in the other order.
func reversedBits(src []byte) []byte {
	reversed := make([]byte, len(src))
	for i, b := range src {
		reversed[i] = bits.Reverse8(b)
	}
	return reversed
}
