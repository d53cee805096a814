package decode

import (
	"encoding/binary"
	"math/bits"

	"tileserver/decode/rows"
)

// machineIsBigEndian tells how planes hold the bytes of a sample.
func machineIsBigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }

// toMachineOrder turns the samples of a block from the stored byte order into that
// of the machine. Fields are read in theirs.
func toMachineOrder(block []byte, l *Layout) {
	switch {
	case l.Fields != nil:
		return
	case l.packed() && l.Bits == 24:
		toHighByteFirst(block, l)
		return
	case l.BigEndian == machineIsBigEndian():
		return
	}
	reverseBytes(block, l.orderedBits())
}

// reverseBytes turns the order of the bytes around in each sample of some bits.
func reverseBytes(samples []byte, bitsOfEach int) {
	switch bitsOfEach {
	case 16, 32, 64:
		rows.Swap(samples, bitsOfEach/8)
	case 24:
		swap24(samples)
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
func toHighByteFirst(block []byte, l *Layout) {
	if l.BigEndian {
		swap24(block)
	}
}

func swap24(samples []byte) {
	for ; len(samples) >= 3; samples = samples[3:] {
		samples[0], samples[2] = samples[2], samples[0]
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
