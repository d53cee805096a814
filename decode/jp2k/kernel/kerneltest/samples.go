package kerneltest

import (
	"math"

	"tileserver/gpu"
)

// component is a component of a window: its numbers, its place in the output, and the range of its samples.
type component struct {
	numbers, output  uint32
	isWide           bool // samples have 16 bits, not 8
	low, high, shift int32
}

func (j *job) componentOf(number uint32) component {
	r := j.Input[j.componentsAt()+componentWords*number:]
	half := int32(1) << (r[4] - 1)
	c := component{numbers: j.scratch + r[2], output: j.output + r[3], isWide: r[6] != 0, low: -half, high: half - 1}
	if r[5] == 0 {
		c.shift = half
	}
	return c
}

// finish turns numbers into samples.
func (j *job) finish() {
	first := uint32(0)
	for window := range j.windows {
		area, components := j.Input[j.windowsAt()+windowWords*window], j.Input[j.windowsAt()+windowWords*window+1]
		for i := range area {
			j.finishOne(first, components, i)
		}
		first += components
	}
	j.Output[j.number] = gpu.Done
}

// finishOne turns the numbers of a pixel into samples. Three components were transformed together.
func (j *job) finishOne(first, components, at uint32) {
	var made [3]uint32
	for i := range components {
		made[i] = j.Scratch[j.componentOf(first+i).numbers+at]
	}
	switch {
	case components == 3 && j.isReversible:
		blue, red := int32(made[1]), int32(made[2])
		green := int32(made[0]) - (blue+red)>>2
		made = [3]uint32{uint32(red + green), uint32(green), uint32(blue + green)}
	case components == 3:
		luminance, blue, red := float(made[0]), float(made[1]), float(made[2])
		made[0] = bits(luminance + float32(1.402*red))
		made[1] = bits(luminance - float32(0.344136*blue) - float32(0.714136*red))
		made[2] = bits(luminance + float32(1.772*blue))
	}
	for i := range components {
		c := j.componentOf(first + i)
		j.store(c, j.sampleOf(c, made[i]), at)
	}
}

// sampleOf rounds a number and clamps it to the bits of samples.
func (j *job) sampleOf(c component, number uint32) uint32 {
	if j.isReversible {
		return uint32(min(max(int32(number), c.low), c.high) + c.shift)
	}
	clamped := min(max(float(number), float32(c.low)), float32(c.high))
	return uint32(int32(math.RoundToEven(float64(clamped))) + c.shift)
}

// store packs a sample into its word.
func (j *job) store(c component, sample, at uint32) {
	if c.isWide {
		j.Output[c.output+at/2] |= sample & 0xFFFF << (16 * (at % 2))
	} else {
		j.Output[c.output+at/4] |= sample & 0xFF << (8 * (at % 4))
	}
}
