// Package kernel decodes JPEG streams with restart intervals on devices, up to the samples of components. It
// says which streams a device takes, writes what the kernel reads, and checks what it has written. Package
// decode/blocks gives it the blocks of a batch, and makes pictures of the samples. It must never know how
// batches are gathered, what runs them, or what colors mean.
package kernel

import (
	_ "embed"
	"encoding/binary"
	"slices"

	"tileserver/codec/jpeg"
	"tileserver/codec/jpeg/decoder"
	"tileserver/gpu"
)

//go:embed intervals.wgsl
var source string

// Intervals is the kernel.
var Intervals = &gpu.Kernel{Name: "jpeg", Source: gpu.Header(parameterNames) + source, Steps: steps}

// The parameters of a job.
const (
	unitsWide = iota
	unitsHigh
	unitsEach // of an interval
	components
	factors // of each component, a byte: blocks of a unit in a row, and times 16 in a column
	codes   // of each component, a byte: the number of its table for first coefficients, and times 16 for others
	ends    // the word of the input from which on it says where intervals end
)

// parameterNames are their names in the source.
var parameterNames = [8]string{
	unitsWide: "unitsWide", unitsHigh: "unitsHigh", unitsEach: "unitsEach", components: "components",
	factors: "factors", codes: "codes", ends: "ends",
}

// What the source says, too.
const (
	lanes           = 64 // invocations of a workgroup: those that decode a picture
	roundsPerStep   = 4096
	transformGroups = 8
	stateWords      = 9
	blockWords      = 32
	quantizerWords  = jpeg.BlockSize
)

// One invocation decodes the blocks of its intervals, and keeps the whole batch waiting. A picture has to be
// small for others to be in its batch.
const (
	maxLaneBlocks = 1 << 13
	maxBlocks     = 1 << 18
	maxBytes      = 1 << 25
)

// steps returns the steps for the invocation that has the most to do, and those of the inverse transform.
func steps(jobs []gpu.Job) []gpu.Step {
	most := 0
	for i := range jobs {
		p := &jobs[i].Parameters
		most = max(most, laneBlocks(int(p[unitsWide]*p[unitsHigh]), int(p[unitsEach]), blocksOfUnit(p[factors])))
	}
	pictures := uint32(len(jobs))
	rounds := most * jpeg.BlockSize
	steps := slices.Repeat([]gpu.Step{{Entry: "entropy", Groups: pictures}}, (rounds+roundsPerStep-1)/roundsPerStep)
	return append(steps,
		gpu.Step{Entry: "conclude", Groups: (pictures + lanes - 1) / lanes},
		gpu.Step{Entry: "columns", Groups: pictures * transformGroups},
		gpu.Step{Entry: "rows", Groups: pictures * transformGroups},
	)
}

// laneBlocks returns how many blocks an invocation decodes at most, each in as many rounds as a block has
// coefficients.
func laneBlocks(units, unitsEach, blocksOfUnit int) int {
	intervals := (units + unitsEach - 1) / unitsEach
	return (intervals + lanes - 1) / lanes * min(unitsEach, units) * blocksOfUnit
}

// blocksOfUnit returns how many blocks a unit has.
func blocksOfUnit(factors uint32) (blocks int) {
	for ; factors > 0; factors >>= 8 {
		blocks += int(factors & 15 * (factors >> 4 & 15))
	}
	return blocks
}

// JobOf returns the job for the restart intervals of a stream. It returns false for those that a core has to
// decode, since they are too large.
func JobOf(s *decoder.Intervals) (job gpu.Job, ok bool) {
	job.Parameters = parametersOf(s)
	units := s.UnitsWide * s.UnitsHigh
	blocks := units * blocksOfUnit(job.Parameters[factors])
	if blocks > maxBlocks || s.MaxBytes() > maxBytes || laneBlocks(units, s.Units, blocks/units) > maxLaneBlocks {
		return gpu.Job{}, false
	}
	job.Input = gpu.WordBytes*(int64(job.Parameters[ends])+int64(s.Count())) + int64(s.MaxBytes())
	job.Output = int64(s.Samples())
	job.Scratch = gpu.WordBytes * int64(lanes*stateWords+blocks*blockWords)
	job.Work = int64(blocks)*workOfBlock + int64(s.MaxBytes())
	return job, true
}

func parametersOf(s *decoder.Intervals) [8]uint32 {
	tables := tablesOf(s)
	p := [8]uint32{
		unitsWide: uint32(s.UnitsWide), unitsHigh: uint32(s.UnitsHigh), unitsEach: uint32(s.Units),
		components: uint32(len(s.Components)),
		ends:       uint32(len(s.Components)*quantizerWords + len(tables.definitions)*tableWords),
	}
	for i, c := range s.Components {
		p[factors] |= uint32(c.H|c.V<<4) << (8 * i)
		p[codes] |= uint32(tables.dc[i]|tables.ac[i]<<4) << (8 * i)
	}
	return p
}

// workOfBlock is the work of a block beside that of its bytes, of which each is 1. That is how long cores take
// for photographs, from a quality of 5 to one of 99.
const workOfBlock = 9

// Write writes the input of the job of a stream.
func Write(s *decoder.Intervals, input []byte) {
	for i := range s.Components {
		for k, factor := range s.Components[i].Quantizers {
			binary.LittleEndian.PutUint32(input[gpu.WordBytes*k:], uint32(jpeg.Zigzag[k])<<16|uint32(factor))
		}
		input = input[gpu.WordBytes*quantizerWords:]
	}
	for _, definition := range tablesOf(s).definitions {
		writeTable(definition, input[:gpu.WordBytes*tableWords])
		input = input[gpu.WordBytes*tableWords:]
	}
	ends := make([]int, s.Count())
	s.Write(input[gpu.WordBytes*len(ends):], ends)
	for i, end := range ends {
		binary.LittleEndian.PutUint32(input[gpu.WordBytes*i:], uint32(end))
	}
}

// Samples returns the samples of a stream in the output of its job, as Decoder.Compose8 takes them.
func Samples(status uint32, output []byte) ([]byte, error) {
	if status != gpu.Done {
		return nil, gpu.ErrNotDone
	}
	return output, nil
}
