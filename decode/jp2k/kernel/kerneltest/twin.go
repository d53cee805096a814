// Package kerneltest has the Go twin of the kernel that computes tiles: the same functions over the same
// words, under the same names. Tests run it where there is no device.
package kerneltest

import (
	codeblocks "tileserver/decode/jp2k/tier1/kernel/kerneltest"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// Entries are the entries of the kernel, for a device of package gputest. An entry does all of a job.
func Entries() map[string]gputest.Entry {
	return map[string]gputest.Entry{
		"sum":    sum,
		"decode": func(number int, m *gputest.Memory) { jobOf(number, m).decode() },
		"place":  sound((*job).place),
		"across": sound((*job).across),
		"down":   sound((*job).down),
		"finish": sound((*job).finish),
	}
}

// sound returns an entry that does nothing of jobs that are damaged.
func sound(do func(*job)) gputest.Entry {
	return func(number int, m *gputest.Memory) {
		if m.Output[number] != gpu.Damaged {
			do(jobOf(number, m))
		}
	}
}

// The words of a record in each table.
const (
	blockWords     = 9
	placeWords     = 7
	componentWords = 7
	windowWords    = 2
	levelWords     = 19
)

// The words with which the scratch memory of a job begins.
const (
	blocksBefore = 0 // how many code-blocks the jobs before have
	groupsBefore = 1 // how many workgroups they have
	levelsAcross = 2 // how many levels are computed across
	levelsDown   = 3
	headWords    = 4 // then come the states of the code-blocks
)

// job is what the kernel knows of a job.
type job struct {
	*gputest.Memory
	number                                              int
	input, output, scratch                              uint32
	blocks, places, components, windows, groups, levels uint32
	isReversible                                        bool
}

func jobOf(number int, m *gputest.Memory) *job {
	j := m.Job(number)
	p := j.Parameters
	return &job{
		Memory: m, number: number, input: j.Input, output: j.Output, scratch: j.Scratch,
		blocks: p[0], places: p[1], components: p[2], windows: p[3], groups: p[4], levels: p[5], isReversible: p[6] != 0,
	}
}

func (j *job) placesAt() uint32     { return j.input + blockWords*j.blocks }
func (j *job) componentsAt() uint32 { return j.placesAt() + placeWords*j.places }
func (j *job) windowsAt() uint32    { return j.componentsAt() + componentWords*j.components }
func (j *job) levelsAt() uint32     { return j.windowsAt() + windowWords*j.windows }

// sum counts what the jobs before one have.
func sum(number int, m *gputest.Memory) {
	to := m.Scratch[m.Job(number).Scratch:]
	for i := range number {
		to[blocksBefore] += jobOf(i, m).blocks
		to[groupsBefore] += jobOf(i, m).groups
	}
}

func (j *job) blockOf(number uint32) codeblocks.Block {
	r := j.Input[j.input+blockWords*number:]
	return codeblocks.Block{
		Input: j.input + r[0], Scratch: j.scratch + r[1], Width: r[2], Height: r[3],
		Orientation: r[4], Style: r[5], BitPlanes: r[6], Passes: r[7], Segments: r[8],
	}
}

// decode goes on with the passes of code-blocks.
func (j *job) decode() {
	for number := range j.blocks {
		if status := &j.Scratch[j.scratch+headWords+number]; *status == gpu.NotDone {
			*status = j.blockOf(number).Proceed(j.Memory)
		}
	}
}

// place puts the coefficients of code-blocks into the windows of bands. A block that is not decoded costs
// the job.
func (j *job) place() {
	for number := range j.places {
		at := j.placesAt() + placeWords*number
		if j.Scratch[j.scratch+headWords+j.Input[at]] != gpu.Done {
			j.Output[j.number] = gpu.Damaged
			return
		}
		b := j.blockOf(j.Input[at])
		for i := range b.Width * b.Height {
			j.placeOne(at, b, i%b.Width, i/b.Width)
		}
	}
}

// placeOne places a coefficient, if it lies in the window.
func (j *job) placeOne(at uint32, b codeblocks.Block, x, y uint32) {
	window, width, height := j.scratch+j.Input[at+1], j.Input[at+2], j.Input[at+3]
	toX, toY := x+j.Input[at+4], y+j.Input[at+5] // what lies left of the window, or above, becomes large
	if toX < width && toY < height {
		j.Scratch[window+toY*width+toX] = j.numberOf(b.Coefficient(j.Memory, x, y), float(j.Input[at+6]))
	}
}

// numberOf returns the number for a coefficient, which has a fraction bit.
func (j *job) numberOf(coefficient uint32, step float32) uint32 {
	if j.isReversible {
		return uint32(int32(coefficient) / 2)
	}
	return bits(float32(int32(coefficient)) * step)
}
