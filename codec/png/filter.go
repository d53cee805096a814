package png

import "encoding/binary"

// filter is a PNG filter type, the first byte of a stored row.
type filter byte

const (
	filterNone  filter = 0
	filterSub   filter = 1
	filterUp    filter = 2
	filterMean  filter = 3
	filterPaeth filter = 4
)

// Words of four 16-bit lanes, for filtering eight bytes at a time.
const (
	laneBytes = 0x00ff00ff00ff00ff // the low byte of each lane
	laneOnes  = 0x0001000100010001
	laneSigns = 0x8000800080008000
	byteSigns = 0x8080808080808080
)

// filterRow writes the filter type and the filtered row to out, which is one byte longer than row.
// above is the unfiltered previous row, or nil for the first row.
func filterRow(out []byte, kind filter, row, above []byte, bytesPerPixel int) {
	if above == nil && kind != filterNone {
		kind = filterSub // above would be all zeros
	}
	out[0] = byte(kind)
	out = out[1:]
	first, rest := out[:bytesPerPixel], out[bytesPerPixel:]
	switch kind {
	case filterNone:
		copy(out, row)
	case filterSub:
		copy(first, row)
		subtract(rest, row[bytesPerPixel:], row)
	case filterUp:
		subtract(out, row, above)
	case filterMean:
		for i := range first {
			first[i] = row[i] - above[i]/2
		}
		subtractMean(rest, row[bytesPerPixel:], row, above[bytesPerPixel:])
	case filterPaeth:
		subtract(first, row, above)
		subtractPaeth(rest, row[bytesPerPixel:], row, above[bytesPerPixel:], above)
	}
}

// subtractGo writes row - prediction for every byte of out.
func subtractGo(out, row, prediction []byte) {
	row, prediction = row[:len(out)], prediction[:len(out)]
	i := 0
	for ; i+8 <= len(out); i += 8 {
		difference := subtractBytes(binary.LittleEndian.Uint64(row[i:]), binary.LittleEndian.Uint64(prediction[i:]))
		binary.LittleEndian.PutUint64(out[i:], difference)
	}
	for ; i < len(out); i++ {
		out[i] = row[i] - prediction[i]
	}
}

// subtractMeanGo writes row minus the mean of left and up, rounded down. The mean is the sum of the
// common bits and half of the differing bits.
func subtractMeanGo(out, row, left, up []byte) {
	n := len(out)
	row, left, up = row[:n], left[:n], up[:n]
	i := 0
	for ; i+8 <= n; i += 8 {
		a, b := binary.LittleEndian.Uint64(left[i:]), binary.LittleEndian.Uint64(up[i:])
		mean := a&b + (a^b)>>1&^byteSigns
		binary.LittleEndian.PutUint64(out[i:], subtractBytes(binary.LittleEndian.Uint64(row[i:]), mean))
	}
	for ; i < n; i++ {
		out[i] = row[i] - byte((int(left[i])+int(up[i]))/2)
	}
}

// subtractPaethGo writes row minus the Paeth prediction. A prediction depends on no earlier result,
// so eight of them are computed together: the even bytes in the lanes of one word, the odd bytes in
// those of another.
func subtractPaethGo(out, row, left, up, upLeft []byte) {
	n := len(out)
	row, left, up, upLeft = row[:n], left[:n], up[:n], upLeft[:n]
	i := 0
	for ; i+8 <= n; i += 8 {
		a := binary.LittleEndian.Uint64(left[i:])
		b := binary.LittleEndian.Uint64(up[i:])
		c := binary.LittleEndian.Uint64(upLeft[i:])
		even := paethLanes(a&laneBytes, b&laneBytes, c&laneBytes)
		odd := paethLanes(a>>8&laneBytes, b>>8&laneBytes, c>>8&laneBytes)
		difference := subtractBytes(binary.LittleEndian.Uint64(row[i:]), even|odd<<8)
		binary.LittleEndian.PutUint64(out[i:], difference)
	}
	for ; i < n; i++ {
		out[i] = row[i] - paeth(int(left[i]), int(up[i]), int(upLeft[i]))
	}
}

// paeth returns the one of a, b and c that is nearest to a+b-c. It is the smaller of a and b if
// 3c-a-b is at least the larger one. It is the larger one if 3c-a-b is at most the smaller one.
// Otherwise it is c.
func paeth(a, b, c int) byte {
	threshold := 3*c - a - b
	low, high := min(a, b), max(a, b)
	if threshold <= low {
		return byte(high)
	}
	if threshold >= high {
		return byte(low)
	}
	return byte(c)
}

// paethLanes computes paeth in each of four lanes. Comparisons are differences with the sign bit of
// the lane added. The bit remains set if the difference is not negative, and no lane borrows from
// the next.
func paethLanes(a, b, c uint64) uint64 {
	sum, triple := a+b, 3*c
	swap := (a ^ b) & byteMask(laneSigns+a-b)
	low, high := a^swap, b^swap
	predictsLow := byteMask(laneSigns + triple - sum - high)
	predictsHigh := byteMask(laneSigns + low + sum - triple)
	prediction := c ^ (c^low)&predictsLow
	return prediction ^ (prediction^high)&predictsHigh
}

// byteMask returns 0xff in the lanes of x whose sign bit is set, and 0 in the others.
func byteMask(x uint64) uint64 {
	return (x >> 15 & laneOnes) * 0xff
}

// subtractBytes subtracts the eight bytes of y from those of x, each modulo 256.
func subtractBytes(x, y uint64) uint64 {
	return (x | byteSigns) - (y &^ byteSigns) ^ (x^^y)&byteSigns
}
