package rows

import "encoding/binary"

// laneSigns holds words with the highest bit of each sample of 1, 2, 4 and 8 bytes set.
var laneSigns = [...]uint64{
	1: 0x8080808080808080, 2: 0x8000800080008000, 4: 0x8000000080000000, 8: 0x8000000000000000,
}

// SubtractLeft replaces every sample of a row by its difference from the previous pixel. It works
// from the end, eight bytes at a time, so that every subtrahend is still original. Samples have 1, 2,
// 4 or 8 bytes.
func SubtractLeft(row []byte, sampleBytes, pixelBytes int) {
	signs := laneSigns[sampleBytes]
	at := len(row)
	for at-8 >= pixelBytes {
		at -= 8
		before := binary.LittleEndian.Uint64(row[at-pixelBytes:])
		word := binary.LittleEndian.Uint64(row[at:])
		binary.LittleEndian.PutUint64(row[at:], subtractLanes(word, before, signs))
	}
	for at > pixelBytes {
		at -= sampleBytes
		subtractSample(row[at:], row[at-pixelBytes:], sampleBytes)
	}
}

// subtractLanes subtracts the samples of b from those of a without borrows between them. It
// excludes the highest bits from the subtraction and corrects them afterward.
func subtractLanes(a, b, signs uint64) uint64 {
	return (a | signs - b&^signs) ^ (a^^b)&signs
}

// subtractSample subtracts one sample of fewer than eight bytes.
func subtractSample(sample, before []byte, sampleBytes int) {
	switch sampleBytes {
	case 1:
		sample[0] -= before[0]
	case 2:
		binary.LittleEndian.PutUint16(sample, binary.LittleEndian.Uint16(sample)-binary.LittleEndian.Uint16(before))
	case 4:
		binary.LittleEndian.PutUint32(sample, binary.LittleEndian.Uint32(sample)-binary.LittleEndian.Uint32(before))
	}
}

// SplitFloats replaces a row of floats by the highest bytes of all samples, then the next lower ones,
// and each byte by its difference from that of the previous pixel. Scratch is as long as row.
func SplitFloats(row, scratch []byte, sampleBytes, samples int) {
	n := len(row) / sampleBytes
	for i := range sampleBytes {
		part := scratch[i*n:][:n]
		from := row[sampleBytes-1-i:]
		for sample := range part {
			part[sample] = from[sample*sampleBytes]
		}
	}
	kept := copy(row[:min(samples, len(row))], scratch)
	subtractBytes(row[kept:], scratch[kept:], scratch)
}

// subtractBytes writes a - b to out.
func subtractBytes(out, a, b []byte) {
	a, b = a[:len(out)], b[:len(out)]
	at := 0
	for ; at+8 <= len(out); at += 8 {
		difference := subtractLanes(binary.LittleEndian.Uint64(a[at:]), binary.LittleEndian.Uint64(b[at:]), laneSigns[1])
		binary.LittleEndian.PutUint64(out[at:], difference)
	}
	for ; at < len(out); at++ {
		out[at] = a[at] - b[at]
	}
}
