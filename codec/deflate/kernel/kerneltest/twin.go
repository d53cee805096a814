// Package kerneltest has the Go twin of the kernel that decompresses DEFLATE: the same functions over the
// same words, under the same names. Tests run it where there is no device.
package kerneltest

import (
	"math/bits"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// Entries are the entries of the kernel, for a device of package gputest.
func Entries() map[string]gputest.Entry { return map[string]gputest.Entry{"inflate": inflate} }

const (
	roundsPerStep  = 4096
	bytesPerRound  = 16
	roundsOfHeader = 63 // that a part of a header counts as, beside its own: it takes as long
)

// job is what the kernel knows of a job.
type job struct{ input, inputBytes, output, scratch, size uint32 }

// invocation is what an invocation of the kernel knows.
type invocation struct {
	*gputest.Memory
	job       job
	isDamaged bool
	position  uint32 // of the next bit
	made      uint32 // bytes
	word      uint32 // those of them that fill no word yet
	place
}

// inflate goes on with a stream.
func inflate(index int, m *gputest.Memory) {
	if m.Output[index] != gpu.NotDone {
		return
	}
	j := m.Job(index)
	v := &invocation{Memory: m, job: job{j.Input, j.InputBytes, j.Output, j.Scratch, j.Parameters[0]}}
	v.load()
	for round := 0; round < roundsPerStep && v.mode != atEnd && !v.isDamaged; round++ {
		switch v.mode {
		case atBlock:
			v.beginBlock()
			round += roundsOfHeader
		case inStored:
			v.copyStored()
		case atLengths:
			v.readLengths()
			round += roundsOfHeader
		case atTable:
			v.buildNext()
			round += roundsOfHeader
		case inCodes:
			v.takeSymbol()
		default:
			v.copyMatch()
		}
		if v.position > 8*v.job.inputBytes {
			v.isDamaged = true
		}
	}
	v.conclude(index)
}

// conclude says what became of a stream.
func (v *invocation) conclude(index int) {
	switch {
	case v.isDamaged:
		v.Output[index] = gpu.Damaged
		return
	case v.mode != atEnd:
		v.save()
		return
	case v.made != v.job.size:
		v.Output[index] = gpu.Damaged
		return
	}
	if v.made%4 != 0 {
		v.flush()
	}
	v.Output[v.job.output+(v.job.size+3)/4] = (v.position + 7) / 8 // behind the data
	v.Output[index] = gpu.Done
}

// state is the words that are kept between steps.
func (v *invocation) state() []uint32 { return v.Scratch[v.job.scratch:][:8] }

func (v *invocation) load() {
	s := v.state()
	v.position, v.made, v.word = s[0], s[1], s[2]
	v.mode, v.isFinal, v.nextTable = s[3]%8, s[3]/8%2, s[3]/16
	v.left, v.distance, v.literals, v.distances = s[4], s[5], s[6], s[7]
}

func (v *invocation) save() {
	copy(v.state(), []uint32{
		v.position, v.made, v.word, v.mode + 8*v.isFinal + 16*v.nextTable, v.left, v.distance, v.literals, v.distances,
	})
}

// wordAt returns a word of the input. Zeros follow its end.
func (v *invocation) wordAt(at uint32) uint32 {
	if 4*at >= v.job.inputBytes {
		return 0
	}
	return v.Input[v.job.input+at]
}

// peek returns the next 32 bits.
func (v *invocation) peek() uint32 {
	at, shift := v.position/32, v.position%32
	return v.wordAt(at)>>shift | v.wordAt(at+1)<<(32-shift)
}

// take takes up to 16 bits.
func (v *invocation) take(count uint32) uint32 {
	bits := v.peek() & (1<<count - 1)
	v.position += count
	return bits
}

// put appends a byte.
func (v *invocation) put(b uint32) {
	if v.made >= v.job.size {
		v.isDamaged = true
		return
	}
	v.word |= b << (8 * (v.made % 4))
	v.made++
	if v.made%4 == 0 {
		v.flush()
	}
}

// flush writes the last word.
func (v *invocation) flush() {
	v.Output[v.job.output+(v.made-1)/4] = v.word
	v.word = 0
}

// before returns the byte at a distance back.
func (v *invocation) before(distance uint32) uint32 {
	at, found := v.made-distance, v.word
	if at/4 != v.made/4 {
		found = v.Output[v.job.output+at/4]
	}
	return found >> (8 * (at % 4)) & 0xFF
}

// reversed returns the lowest bits of a code in reverse.
func reversed(code, count uint32) uint32 { return bits.Reverse32(code) >> (32 - count) }
