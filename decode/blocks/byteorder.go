package blocks

import (
	"encoding/binary"
	"math/bits"

	"tileserver/decode/rows"
)

// machineIsBigEndian reports whether this machine, and therefore every plane, stores the high byte
// of a sample first.
func machineIsBigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }

// toMachineOrder converts the samples of a block from the stored byte order to that of the machine.
// It leaves Fields alone: their reader knows the stored order.
func toMachineOrder(block []byte, l *Layout) {
	switch {
	case l.Fields != nil:
		return
	case l.isPacked() && l.Bits == 24:
		toHighByteFirst(block, l)
		return
	case l.BigEndian == machineIsBigEndian():
		return
	}
	reverseBytes(block, l.orderedBits())
}

// reverseBytes reverses the byte order of each sample of the given size.
func reverseBytes(samples []byte, bitsOfEach int) {
	switch bitsOfEach {
	case 16, 32, 64:
		rows.Swap(samples, bitsOfEach/8)
	case 24:
		swap24(samples)
	}
}

// orderedBits returns the size of the unit that has a byte order: a sample, or the real or
// imaginary half of a complex sample. The horizontal predictor treats both halves as one integer.
func (l *Layout) orderedBits() int {
	switch {
	case l.isPacked():
		return 0
	case l.Type.IsComplex() && l.Predictor != HorizontalPredictor:
		return l.Bits / 2
	}
	return l.Bits
}

// toHighByteFirst normalizes integers of 24 bits. They are stored as bits from the highest down,
// but libtiff, which nearly all writers use, reverses their bytes in big-endian files.
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

// reversedBits returns a copy of src with the bits of each byte reversed.
func reversedBits(src []byte) []byte {
	reversed := make([]byte, len(src))
	for i, b := range src {
		reversed[i] = bits.Reverse8(b)
	}
	return reversed
}
