// Package kerneltest has the Go twin of the kernel that decodes JPEG: the same functions over the same
// words, under the same names. Tests run it where there is no device. It also writes streams for tests.
package kerneltest

import (
	"math/bits"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// Entries are the entries of the kernel, for a device of package gputest.
func Entries() map[string]gputest.Entry {
	return map[string]gputest.Entry{"entropy": entropy, "conclude": conclude, "columns": columns, "rows": rows}
}

const (
	lanes         = 64 // invocations that decode a picture
	roundsPerStep = 4096
)

// job is what the kernel knows of a job.
type job struct {
	input, inputBytes, output, scratch                                uint32
	unitsWide, unitsHigh, unitsEach, components, factors, codes, ends uint32
}

// invocation is what an invocation of the kernel knows.
type invocation struct {
	*gputest.Memory
	job          job
	units        uint32
	blocksOfUnit uint32
	data
	place
}

// begin returns an invocation for a job.
func begin(index int, m *gputest.Memory) *invocation {
	j := m.Job(index)
	p := j.Parameters
	v := &invocation{Memory: m, job: job{j.Input, j.InputBytes, j.Output, j.Scratch, p[0], p[1], p[2], p[3], p[4], p[5], p[6]}}
	v.units = v.job.unitsWide * v.job.unitsHigh
	for c := range v.job.components {
		v.blocksOfUnit += v.blocksWide(c) * v.blocksHigh(c)
	}
	return v
}

// blocksWide returns how many blocks of a component a row of a unit has.
func (v *invocation) blocksWide(component uint32) uint32 {
	return v.job.factors >> (8 * component) & 15
}

func (v *invocation) blocksHigh(component uint32) uint32 {
	return v.job.factors >> (8*component + 4) & 15
}

// state is the words that an invocation keeps between steps.
func (v *invocation) state() []uint32 {
	return v.Scratch[v.job.scratch+stateWords*v.lane:][:stateWords]
}

func (v *invocation) load() {
	s := v.state()
	v.turn, v.number, v.coefficient, v.position = s[0], s[1], s[2], s[3]
	for c := range v.predictions {
		v.predictions[c] = int32(s[4+c])
	}
	v.isDamaged = s[8] != 0
}

func (v *invocation) save() {
	s := v.state()
	s[0], s[1], s[2], s[3] = v.turn, v.number, v.coefficient, v.position
	for c, prediction := range v.predictions {
		s[4+c] = uint32(prediction)
	}
	if v.isDamaged {
		s[8] = 1
	}
}

// beginLane begins with what an invocation knows.
func beginLane(index int, m *gputest.Memory, number uint32) *invocation {
	v := begin(index, m)
	v.lane = number
	v.intervals = (v.units + v.job.unitsEach - 1) / v.job.unitsEach
	v.dataAt = 4 * (v.job.ends + v.intervals)
	v.load()
	return v
}

// entropy goes on with the coefficients of a picture.
func entropy(index int, m *gputest.Memory) {
	for lane := range uint32(lanes) {
		v := beginLane(index, m, lane)
		v.enterInterval()
		for round := 0; round < roundsPerStep && v.interval < v.intervals && !v.isDamaged; round++ {
			v.takeCoefficient()
		}
		v.save()
	}
}

// conclude says what became of a picture.
func conclude(index int, m *gputest.Memory) {
	status := gpu.Done
	for lane := range uint32(lanes) {
		v := beginLane(index, m, lane)
		if v.isDamaged || v.turn*lanes+lane < v.intervals {
			status = gpu.Damaged
		}
	}
	m.Output[index] = status
}

// columns transforms the columns of a picture's blocks.
func columns(index int, m *gputest.Memory) {
	if m.Output[index] != gpu.Done {
		return
	}
	v := begin(index, m)
	blocksAt := v.job.scratch + lanes*stateWords
	for i := range 4 * v.units * v.blocksOfUnit {
		v.transformColumns(blocksAt + i/4*blockWords + i%4)
	}
}

// rows transforms the rows of a picture's blocks, and writes the samples of each component row by row.
func rows(index int, m *gputest.Memory) {
	if m.Output[index] != gpu.Done {
		return
	}
	v := begin(index, m)
	blocksAt := v.job.scratch + lanes*stateWords
	for i := range 8 * v.units * v.blocksOfUnit {
		v.transformRow(blocksAt+4*i, v.job.output+v.rowAt(i/8, i%8))
	}
}

// rowAt returns the word of the output where a row of a block goes.
func (v *invocation) rowAt(number, y uint32) uint32 {
	first, c := uint32(0), uint32(0) // first is the first block of the component
	for c+1 < v.job.components && number >= first+v.units*v.blocksWide(c)*v.blocksHigh(c) {
		first += v.units * v.blocksWide(c) * v.blocksHigh(c)
		c++
	}
	wide := v.job.unitsWide * v.blocksWide(c)
	row := 8*((number-first)/wide) + y
	return 16*first + 2*(row*wide+(number-first)%wide)
}

// bigEndian returns a word with its bytes in reverse.
func bigEndian(word uint32) uint32 { return bits.ReverseBytes32(word) }
