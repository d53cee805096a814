// Package kerneltest has the Go twin of the kernel that decodes code-blocks: the same functions over the
// same words, under the same names. Tests run it where there is no device.
package kerneltest

import (
	"math/bits"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// Entries are the entries of the kernel, for a device of package gputest.
func Entries() map[string]gputest.Entry {
	return map[string]gputest.Entry{"decode": decode, "arrange": arrange}
}

// job is what the kernel knows of a job.
type job struct {
	input, output, scratch                                                  uint32
	width, height, orientation, style, bitPlanes, passes, segments, isShort uint32
}

// The bits of a style.
const (
	bypass              = 1
	resetContexts       = 2
	verticallyCausal    = 8
	segmentationSymbols = 32
)

// The orientations whose contexts differ from those of LL and LH.
const (
	orientationHL = 1
	orientationHH = 3
)

const (
	roundsPerStep   = 2048
	symbolsPerRound = 6
)

// invocation is what an invocation of the kernel knows.
type invocation struct {
	*gputest.Memory
	job              job
	columns, stripes uint32 // columns are of groups
	codeword
	contexts [contextCount]uint32
	place
	group
}

// begin returns an invocation for a job.
func begin(index int, m *gputest.Memory) *invocation {
	j := m.Job(index)
	p := j.Parameters
	v := &invocation{Memory: m, job: job{
		input: j.Input, output: j.Output, scratch: j.Scratch,
		width: p[0], height: p[1], orientation: p[2], style: p[3], bitPlanes: p[4], passes: p[5], segments: p[6], isShort: p[7],
	}}
	v.columns = (v.job.width + groupColumns - 1) / groupColumns
	v.stripes = (v.job.height + stripeRows - 1) / stripeRows
	return v
}

// decode goes on with the passes of a code-block.
func decode(index int, m *gputest.Memory) {
	if m.Output[index] != gpu.NotDone {
		return
	}
	v := begin(index, m)
	v.load()
	// Each round enters a group or takes symbols of it, and a group has few. So it ends soon after the last
	// round.
	for round := 0; v.passNumber < v.job.passes && (round < roundsPerStep || v.left != 0); round++ {
		if v.left == 0 {
			v.enter()
		}
		for taken := 0; taken < symbolsPerRound && v.left != 0; taken++ {
			v.takeSymbol()
		}
		if v.left == 0 {
			v.leave()
		}
	}
	switch {
	case v.passNumber < v.job.passes:
		v.save()
	case v.isDamaged:
		m.Output[index] = gpu.Damaged
	default:
		m.Output[index] = gpu.Done
	}
}

// arrange writes the coefficients of a code-block row by row.
func arrange(index int, m *gputest.Memory) {
	if m.Output[index] != gpu.Done {
		return
	}
	v := begin(index, m)
	together := 1 + v.job.isShort // columns
	across := v.job.width / together
	for i := range v.stripes * across {
		v.arrangeColumns(i%across*together, i/across)
	}
}

// arrangeColumns writes a column of a stripe, or two whose coefficients share words.
func (v *invocation) arrangeColumns(x, stripe uint32) {
	record := v.recordOf(x/groupColumns, stripe)
	slot := stripeRows * (x%groupColumns + 1)
	for y := stripe * stripeRows; y < min((stripe+1)*stripeRows, v.job.height); y++ {
		at, row := y*v.job.width+x, slot+y%stripeRows
		first := v.coefficient(record, row)
		if v.job.isShort != 0 {
			v.Output[v.job.output+at/2] = first&0xFFFF | v.coefficient(record, row+stripeRows)<<16
		} else {
			v.Output[v.job.output+at] = first
		}
	}
}

// coefficient returns the coefficient of a slot.
func (v *invocation) coefficient(record, slot uint32) (value uint32) {
	for plane := range v.job.bitPlanes + 1 {
		value |= v.Scratch[v.fieldOf(firstPlane+plane)+record] >> slot & 1 << plane
	}
	isNegative := v.Scratch[v.fieldOf(negativeField)+record] >> slot & 1
	return (value ^ -isNegative) + isNegative
}

// trailingZeros returns the position of the lowest bit of a mask.
func trailingZeros(mask uint32) uint32 { return uint32(bits.TrailingZeros32(mask)) }

// onesIn returns how many bits of a mask are set.
func onesIn(mask uint32) uint32 { return uint32(bits.OnesCount32(mask)) }

// one returns 1 if a condition holds.
func one(condition bool) uint32 {
	if condition {
		return 1
	}
	return 0
}
