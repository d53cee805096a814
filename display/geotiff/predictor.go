package geotiff

import "encoding/binary"

// predictor is a value of the tag Predictor: what is done to the rows of a block so that they compress better.
type predictor uint16

const (
	predictorNone       predictor = 1
	predictorHorizontal predictor = 2 // differences of neighbouring samples
	predictorFloat      predictor = 3 // the highest bytes of all samples, then the next ones: differences of those
)

// predictor is the best one that readers of the type know. Few can undo differences of 64 bits.
func (t Type) predictor() predictor {
	switch {
	case types[t].format == formatFloat:
		return predictorFloat
	case (types[t].format == formatUnsigned || types[t].format == formatSigned) && t.Size() <= 4:
		return predictorHorizontal
	}
	return predictorNone
}

// laneSigns have the highest bit of each sample of 1, 2 and 4 bytes in a word.
var laneSigns = [...]uint64{1: 0x8080808080808080, 2: 0x8000800080008000, 4: 0x8000000080000000}

// subtractNeighbours replaces every sample of a row by what it is more than the one a pixel before it. It goes from the
// end, eight bytes at once, so that what is subtracted is still as it was.
func subtractNeighbours(row []byte, sampleBytes, pixelBytes int) {
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

// subtractLanes subtracts all samples of b from those of a, without borrowing from the next one: that is kept from the
// highest bits, which are put right afterwards.
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

// splitFloats does the float predictor to a row of samples of one band. scratch is as long as row.
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

// subtractBytes writes a - b.
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
