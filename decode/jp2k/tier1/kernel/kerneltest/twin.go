// Package kerneltest has the Go twin of the decoder of code-blocks and of its kernel: the same functions over the
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

// Block is a code-block: where its input and its memory begin, and how it is coded.
type Block struct {
	Input, Scratch                                                 uint32
	Width, Height, Orientation, Style, BitPlanes, Passes, Segments uint32
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
	block            Block
	columns, stripes uint32 // columns are of groups
	codeword
	contexts [contextCount]uint32
	place
	group
}

// begin returns an invocation for a code-block.
func begin(b Block, m *gputest.Memory) *invocation {
	return &invocation{
		Memory: m, block: b,
		columns: (b.Width + groupColumns - 1) / groupColumns, stripes: (b.Height + stripeRows - 1) / stripeRows,
	}
}

// Proceed goes on with the passes of the code-block, for some rounds. It returns the status of the block.
func (b Block) Proceed(m *gputest.Memory) (status uint32) {
	v := begin(b, m)
	v.load()
	// Each round enters a group or takes symbols of it, and a group has few. So it ends soon after the last
	// round.
	for round := 0; v.passNumber < b.Passes && (round < roundsPerStep || v.left != 0); round++ {
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
	case v.passNumber < b.Passes:
		v.save()
		return gpu.NotDone
	case v.isDamaged:
		return gpu.Damaged
	}
	return gpu.Done
}

// Coefficient returns a coefficient of the code-block, which is decoded.
func (b Block) Coefficient(m *gputest.Memory, x, y uint32) (value uint32) {
	v := begin(b, m)
	record, slot := v.recordOf(x/groupColumns, y/stripeRows), stripeRows*(x%groupColumns+1)+y%stripeRows
	for plane := range b.BitPlanes + 1 {
		value |= m.Scratch[v.fieldOf(firstPlane+plane)+record] >> slot & 1 << plane
	}
	isNegative := m.Scratch[v.fieldOf(negativeField)+record] >> slot & 1
	return (value ^ -isNegative) + isNegative
}

// blockOf returns the code-block of a job.
func blockOf(number int, m *gputest.Memory) Block {
	j := m.Job(number)
	p := j.Parameters
	return Block{
		Input: j.Input, Scratch: j.Scratch,
		Width: p[0], Height: p[1], Orientation: p[2], Style: p[3], BitPlanes: p[4], Passes: p[5], Segments: p[6],
	}
}

// isShort is the parameter that tells whether coefficients have 16 bits each.
const isShort = 7

// decode goes on with the passes of a code-block.
func decode(job int, m *gputest.Memory) {
	if m.Output[job] == gpu.NotDone {
		m.Output[job] = blockOf(job, m).Proceed(m)
	}
}

// arrange writes the coefficients of a code-block row by row.
func arrange(job int, m *gputest.Memory) {
	if m.Output[job] != gpu.Done {
		return
	}
	b, to := blockOf(job, m), m.Job(job).Output
	for at := range b.Width * b.Height {
		value := b.Coefficient(m, at%b.Width, at/b.Width)
		if m.Job(job).Parameters[isShort] == 0 {
			m.Output[to+at] = value
		} else {
			m.Output[to+at/2] |= value & 0xFFFF << (16 * (at % 2))
		}
	}
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
