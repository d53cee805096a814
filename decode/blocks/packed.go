package blocks

import (
	"encoding/binary"

	"tileserver/decode/rows"
	"tileserver/raster"
)

// isPacked reports whether samples are integers stored in fewer bits than they have in memory. They
// are widened but not scaled. Their bit order does not depend on the file's byte order;
// toHighByteFirst handles the exception.
func (l *Layout) isPacked() bool {
	return !l.Type.IsFloat() && !l.Type.IsComplex() && l.Bits > 0 && l.Bits < 8*l.Type.Size()
}

// isSigned reports whether t is a signed integer type.
func isSigned(t raster.DataType) bool {
	return t == raster.Int8 || t == raster.Int16 || t == raster.Int32 || t == raster.Int64
}

// unpackBits widens samples that are packed from the highest bit of a byte down. Each row begins on
// a whole byte.
func unpackBits(block []byte, job *Job) {
	switch job.Layout.Type.Size() {
	case 1:
		unpackBitsAs[uint8](block, job)
	case 2:
		unpackBitsAs[uint16](block, job)
	case 4:
		unpackBitsAs[uint32](block, job)
	case 8:
		unpackBitsAs[uint64](block, job)
	}
}

func unpackBitsAs[T word](block []byte, job *Job) {
	l, width := job.Layout, job.Target.Width()
	planes := targetPlanes[T](job)
	first := job.Column * l.Samples
	for y := range job.Target.Height() {
		row := block[y*l.RowBytes():][:l.RowBytes()]
		for i, s := range job.Samples {
			widenSamples(planes[i][y*width:][:width], row, (first+s)*l.Bits, l.Samples*l.Bits, l)
		}
	}
}

// widenSamples reads samples of a row, beginning at the given bit and advancing by step bits.
func widenSamples[T word](samples []T, row []byte, bit, step int, l *Layout) {
	switch bytes, areBytes := any(samples).([]uint8); {
	case areBytes && l.Bits == 1 && bit&7 == 0 && step == 1:
		rows.WidenBits(bytes, row[bit>>3:])
	case 8%l.Bits == 0:
		widenWithinBytes(samples, row, bit, step, l.Bits)
	default:
		widenAcrossBytes(samples, row, bit, step, l.Bits)
	}
	if isSigned(l.Type) {
		sign := T(1) << (l.Bits - 1)
		for x, v := range samples {
			samples[x] = v ^ sign - sign
		}
	}
}

// signExtended extends the sign of a number of the given size to 64 bits.
func signExtended(v uint64, bits int) uint64 {
	sign := uint64(1) << (bits - 1)
	return v ^ sign - sign
}

// widenWithinBytes reads samples of 1, 2 or 4 bits, which never straddle bytes.
func widenWithinBytes[T word](samples []T, row []byte, bit, step, bits int) {
	mask := byte(1)<<bits - 1
	for x := range samples {
		samples[x] = T(row[bit>>3] >> (8 - bits - bit&7) & mask)
		bit += step
	}
}

// widenAcrossBytes reads eight bytes at a time while the row has that many left. A sample of up to
// 57 bits that begins in the first byte ends within the eighth.
func widenAcrossBytes[T word](samples []T, row []byte, bit, step, bits int) {
	const maxAtOnce = 57
	x := 0
	for ; bits <= maxAtOnce && x < len(samples) && bit>>3+8 <= len(row); x++ {
		samples[x] = T(binary.BigEndian.Uint64(row[bit>>3:]) << (bit & 7) >> (64 - bits))
		bit += step
	}
	for ; x < len(samples); x++ {
		samples[x] = T(bitsAt(row, bit, bits))
		bit += step
	}
}

// bitsAt returns n bits of row as a number, beginning at the given bit.
func bitsAt(row []byte, bit, n int) uint64 {
	var v uint64
	for n > 0 {
		left := 8 - bit&7 // unread bits of this byte
		take := min(left, n)
		chunk := row[bit>>3] >> (left - take) & (1<<take - 1)
		v = v<<take | uint64(chunk)
		bit += take
		n -= take
	}
	return v
}
