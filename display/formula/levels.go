package formula

import "math"

// levels take light to the nearest byte that stands for it after a curve. The bytes begin at bounds of light, which are
// exact, and above no light at all. first leads to one that is near, by the upper half of the bits of the light: its
// magnitude and seven digits of two. bounds is longer than what is in it, so that no index has to be looked at.
type levels struct {
	bounds [512]int32 // the bits of the least light of each byte, then of more light than there is
	first  [1 << 15]uint8
}

const firstShift = 16

// almostWhite is white but for rounding, whatever a steep curve makes of that.
const almostWhite = 1 - 1e-5

// newLevels are those of a channel through operations without saturation.
func newLevels(operations []operation, channel int) *levels {
	var back []operation
	for i := len(operations) - 1; i >= 0; i-- {
		back = append(back, operations[i].inverse())
	}
	inverse := newCurve(back, channel)
	l := &levels{}
	for i := range l.bounds {
		l.bounds[i] = math.MaxInt32
	}
	l.bounds[0] = 0
	for level := 1; level < 256; level++ {
		value := (float64(level) - 0.5) / 255
		if inverse != nil {
			value = inverse.At(value)
		}
		light := min(toLight(value), almostWhite)
		l.bounds[level] = max(l.bounds[level-1], 1, int32(math.Float32bits(float32(light))))
	}
	level := 0
	for i := range l.first {
		for l.bounds[level+1] <= int32(i)<<firstShift {
			level++
		}
		l.first[i] = uint8(level)
	}
	return l
}

// write makes lights into the bytes of a channel, which lie so far apart.
//
// Lights are compared as integers, which have the same order; less than none is none. What is near is mostly off by no
// more than one, which is added without a branch: in a colourful picture no branch could be foreseen.
func (l *levels) write(bytes []uint8, apart int, lights []float32) {
	at := 0
	for _, light := range lights {
		bits := int32(math.Float32bits(light))
		bits &^= bits >> 31
		level := uint32(l.first[bits>>firstShift&(1<<15-1)])
		level += uint32(l.bounds[(level+1)&511]-1-bits) >> 31
		for l.bounds[(level+1)&511] <= bits {
			level++
		}
		bytes[at] = uint8(level)
		at += apart
	}
}
