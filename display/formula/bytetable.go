package formula

import "math"

// A byteTable converts linear light to the nearest byte of sRGB after a curve. Each byte begins at
// a bound of light, which is exact. first gives a starting byte for the upper half of the bits of
// the light: its exponent and seven bits of its fraction. bounds is longer than needed, so that
// masked indices are always in range.
type byteTable struct {
	bounds [512]int32 // bits of the smallest light of each byte, then values above all light
	first  [1 << 15]uint8
}

const firstShift = 16

// almostWhite limits the bounds, so that white stays white despite rounding, even for steep curves.
const almostWhite = 1 - 1e-5

// newByteTable builds the table for the operations on a channel, without saturation.
func newByteTable(operations []operation, channel int) *byteTable {
	var inverses []operation
	for i := len(operations) - 1; i >= 0; i-- {
		inverses = append(inverses, operations[i].inverse())
	}
	inverse := newCurve(inverses, channel)
	t := &byteTable{}
	for i := range t.bounds {
		t.bounds[i] = math.MaxInt32
	}
	t.bounds[0] = 0
	for level := 1; level < 256; level++ {
		value := (float64(level) - 0.5) / 255
		if inverse != nil {
			value = inverse.At(value)
		}
		light := min(toLight(value), almostWhite)
		t.bounds[level] = max(t.bounds[level-1], 1, int32(math.Float32bits(float32(light))))
	}
	level := 0
	for i := range t.first {
		for t.bounds[level+1] <= int32(i)<<firstShift {
			level++
		}
		t.first[i] = uint8(level)
	}
	return t
}

// write converts light to the bytes of a channel, which are stride bytes apart.
//
// It compares light as integers, which have the same order; negative light is 0. The starting byte
// is mostly off by at most one, which is added without a branch: in a colorful picture that branch
// would be unpredictable.
func (t *byteTable) write(bytes []uint8, stride int, lights []float32) {
	at := 0
	for _, light := range lights {
		bits := int32(math.Float32bits(light))
		bits &^= bits >> 31
		level := uint32(t.first[bits>>firstShift&(1<<15-1)])
		level += uint32(t.bounds[(level+1)&511]-1-bits) >> 31
		for t.bounds[(level+1)&511] <= bits {
			level++
		}
		bytes[at] = uint8(level)
		at += stride
	}
}
