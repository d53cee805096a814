package geotiff

import "encoding/binary"

// predictor is a value of the tag Predictor: a transformation of rows that improves compression.
type predictor uint16

const (
	predictorNone       predictor = 1
	predictorHorizontal predictor = 2 // differences of neighboring samples
	predictorFloat      predictor = 3 // differences of bytes, all highest bytes first, then the next ones
)

// predictor returns the best predictor that readers support for the type. Few support 64-bit
// differences.
func (t Type) predictor() predictor {
	switch {
	case types[t].format == formatFloat:
		return predictorFloat
	case (types[t].format == formatUnsigned || types[t].format == formatSigned) && t.Size() <= 4:
		return predictorHorizontal
	}
	return predictorNone
}

// laneSigns holds words with the highest bit of each sample of 1, 2 and 4 bytes set.
var laneSigns = [...]uint64{1: 0x8080808080808080, 2: 0x8000800080008000, 4: 0x8000000080000000}

// subtractNeighbors replaces every sample of a row by its difference from the previous pixel. It
// works from the end, eight bytes at a time, so that every subtrahend is still original.
func subtractNeighbors(row []byte, sampleBytes, pixelBytes int) {
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

// splitFloats applies the float predictor to a row of one band. Scratch is as long as row.
func splitFloats(row, scratch []byte, sampleBytes int) {
	n := len(row) / sampleBytes
	for i := range sampleBytes {
		part := scratch[i*n:][:n]
		from := row[sampleBytes-1-i:]
		for sample := range part {
			part[sample] = from[sample*sampleBytes]
		}
	}
	row[0] = scratch[0]
	subtractBytes(row[1:], scratch[1:], scratch)
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
