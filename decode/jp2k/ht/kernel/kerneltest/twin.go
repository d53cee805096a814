// Package kerneltest has the Go twin of the kernel that decodes code-blocks of HTJ2K: the same functions over
// the same words, under the same names. Tests run it where there is no device.
package kerneltest

import (
	"math/bits"

	"tileserver/gpu/gputest"
)

// Entries are the entries of the kernel, for a device of package gputest.
func Entries() map[string]gputest.Entry {
	return map[string]gputest.Entry{"decodeQuads": decodeQuads, "propagate": propagate, "decodeMagnitudes": decodeMagnitudes}
}

// job is what the kernel knows of a job.
type job struct {
	input, output, scratch                                 uint32
	width, height, plane, bound, passes, isCausal, isShort uint32
}

// invocation is what an invocation of the kernel knows.
type invocation struct {
	*gputest.Memory
	job             job
	columns, rows   uint32 // of quads
	across, stripes uint32 // groups beside each other, and in a column
}

// begin returns an invocation for a job.
func begin(index int, m *gputest.Memory) invocation {
	j := m.Job(index)
	p := j.Parameters
	v := invocation{Memory: m, job: job{
		input: j.Input, output: j.Output, scratch: j.Scratch,
		width: p[0], height: p[1], plane: p[2], bound: p[3], passes: p[4], isCausal: p[5], isShort: p[6],
	}}
	v.columns = (v.job.width + 1) / 2
	v.rows = (v.job.height + 1) / 2
	v.across = (v.columns + 1) / 2
	v.stripes = (v.rows + 1) / 2
	return v
}

// quadAt returns the index of a quad. Around the quads are empty ones.
func (v *invocation) quadAt(column, row uint32) uint32 {
	return v.job.scratch + (row+1)*(v.columns+1) + column + 1
}

// The fields of groups, if the block has more than the cleanup pass. A group is a pair of quads and the pair
// below it. It has a bit for each sample, column by column.
const (
	knownField   = 0 // significant samples
	freshField   = 1 // those of them that the second pass adds, and above them their signs, one behind the other
	refinedField = 2 // the position of the first bit that the third pass gives
)

// groupAt returns the index of a group in a field. Around the groups are empty ones.
func (v *invocation) groupAt(field, group, stripe uint32) uint32 {
	fields := v.quadAt(0, v.rows)
	return fields + field*((v.across+1)*(v.stripes+2)+1) + (v.across+1)*(stripe+1) + group + 1
}

// The streams of a block.
const (
	melStream = iota
	vlcStream
	magSgnStream
	sigPropStream
	magRefStream
	headerWords
)

// stream is the words of a stream, and what follows them.
type stream struct{ first, end, filling uint32 }

// streamOf returns a stream of the job.
func (v *invocation) streamOf(number, filling uint32) stream {
	first := uint32(headerWords)
	if number > 0 {
		first = v.Input[v.job.input+number-1]
	}
	return stream{v.job.input + first, v.job.input + v.Input[v.job.input+number], filling}
}

// bitsAt returns the 32 bits at a position of a stream, the first one lowest.
func (v *invocation) bitsAt(s stream, position uint32) uint32 {
	at, shift := s.first+position/32, position%32
	return v.wordAt(s, at)>>shift | v.wordAt(s, at+1)<<(31-shift)<<1
}

func (v *invocation) wordAt(s stream, at uint32) uint32 {
	if at >= s.end {
		return s.filling
	}
	return v.Input[at]
}

// onesIn returns how many bits of a mask are set.
func onesIn(mask uint32) uint32 { return uint32(bits.OnesCount32(mask)) }

// trailingZeros returns the position of the lowest bit of a mask.
func trailingZeros(mask uint32) uint32 { return uint32(bits.TrailingZeros32(mask)) }
