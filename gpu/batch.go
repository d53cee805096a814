package gpu

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Job is what one job of a batch needs.
type Job struct {
	Parameters             [parameters]uint32
	Input, Output, Scratch int64 // bytes

	// Work is how much there is to do, in a unit of the kernel. The time that a batch takes is estimated
	// from it, on a device and on cores.
	Work int64
}

// parameters is how many words a kernel gets of each job beside where its memory lies.
const parameters = 8

// RecordWords is the size of the record of a job: the struct Job of Header.
const RecordWords = 4 + parameters

// WordBytes is the size of a word. Inputs, outputs and scratch memory consist of words.
const WordBytes = 4

// WholeWords returns the size of the words that hold a number of bytes.
func WholeWords[N int | int64](bytes N) N { return (bytes + WordBytes - 1) / WordBytes * WordBytes }

// Room is what is left of the limits of a batch.
type Room struct {
	limits                                             Limits
	recordBytes, inputBytes, outputBytes, scratchBytes int64 // taken
}

// NewRoom returns the room of a batch without jobs.
func NewRoom(limits Limits) *Room {
	limits.BindingBytes = min(limits.BindingBytes, math.MaxUint32) // the range of inputBytes in a record
	return &Room{limits: limits}
}

// Take takes the memory of a job if there is enough.
func (r *Room) Take(job *Job) bool {
	after := *r
	fits := after.add(&after.recordBytes, RecordWords*WordBytes) && after.add(&after.inputBytes, job.Input) &&
		after.add(&after.outputBytes, WordBytes) && after.add(&after.outputBytes, job.Output) &&
		after.add(&after.scratchBytes, job.Scratch) &&
		after.recordBytes+after.inputBytes+after.outputBytes+after.scratchBytes <= r.limits.BatchBytes
	if fits {
		*r = after
	}
	return fits
}

// add adds words that hold a number of bytes to a buffer.
func (r *Room) add(buffer *int64, bytes int64) bool {
	if bytes < 0 || bytes > r.limits.BindingBytes-*buffer-WordBytes {
		return false
	}
	*buffer += WholeWords(bytes)
	return true
}

// Layout is where the memory of jobs lies in the buffers of a batch.
type Layout struct {
	records []uint32 // RecordWords for each job
	outputs []int64  // bytes of each output

	InputBytes, OutputBytes, ScratchBytes int64
}

// LayOut lays out the memory of jobs, each behind the one before. It allocates nothing before it has checked
// all of them.
func LayOut(jobs []Job, limits Limits) (*Layout, error) {
	room := NewRoom(limits)
	for i := range jobs {
		if !room.Take(&jobs[i]) {
			return nil, fmt.Errorf("gpu: job %d of %d: %w", i, len(jobs), ErrTooLarge)
		}
	}
	l := &Layout{
		records: make([]uint32, 0, len(jobs)*RecordWords), outputs: make([]int64, len(jobs)),
		OutputBytes: int64(len(jobs)) * WordBytes,
	}
	for i := range jobs {
		l.lay(i, &jobs[i])
	}
	return l, nil
}

// lay puts the memory of a job behind that of the jobs before.
func (l *Layout) lay(i int, job *Job) {
	l.records = append(l.records,
		uint32(l.InputBytes/WordBytes), uint32(job.Input), uint32(l.OutputBytes/WordBytes), uint32(l.ScratchBytes/WordBytes))
	l.records = append(l.records, job.Parameters[:]...)
	l.outputs[i] = job.Output
	l.InputBytes += WholeWords(job.Input)
	l.OutputBytes += WholeWords(job.Output)
	l.ScratchBytes += WholeWords(job.Scratch)
}

// Jobs returns the number of jobs.
func (l *Layout) Jobs() int { return len(l.outputs) }

// RecordBytes returns the size of the records.
func (l *Layout) RecordBytes() int64 { return int64(len(l.records)) * WordBytes }

// SharedBytes returns the size of what a batch shares with the device: records, inputs and outputs.
func (l *Layout) SharedBytes() int64 { return l.RecordBytes() + l.InputBytes + l.OutputBytes }

// Bytes returns the size of all buffers.
func (l *Layout) Bytes() int64 { return l.SharedBytes() + l.ScratchBytes }

// Batch is a layout in memory that is shared with a device.
type Batch struct {
	*Layout
	Kernel *Kernel
	Steps  []Step

	Records, Input, Output []byte
}

// NewBatch returns the batch of a layout of jobs, in memory that has at least SharedBytes. Executors call
// it. It writes the records. The rest of the memory may hold anything: no kernel reads behind its input,
// and Run writes all outputs.
func NewBatch(kernel *Kernel, jobs []Job, layout *Layout, memory []byte) *Batch {
	b := &Batch{Layout: layout, Kernel: kernel, Steps: kernel.Steps(jobs)}
	b.Records, memory = cut(memory, layout.RecordBytes())
	b.Input, memory = cut(memory, layout.InputBytes)
	b.Output, _ = cut(memory, layout.OutputBytes)
	for i, word := range layout.records {
		binary.LittleEndian.PutUint32(b.Records[i*WordBytes:], word)
	}
	return b
}

// cut returns the first n bytes of memory, and the rest.
func cut(memory []byte, n int64) (first, rest []byte) { return memory[:n:n], memory[n:] }

// InputOf returns the input of a job, to be written before Run.
func (b *Batch) InputOf(job int) []byte {
	record := b.records[job*RecordWords:]
	at := int64(record[0]) * WordBytes
	return b.Input[at:][:record[1]:record[1]]
}

// OutputOf returns the output of a job, valid after Run and until End.
func (b *Batch) OutputOf(job int) []byte {
	at, n := int64(b.records[job*RecordWords+2])*WordBytes, b.outputs[job]
	return b.Output[at:][:n:n]
}

// Status returns what a kernel says of a job after Run.
func (b *Batch) Status(job int) uint32 {
	return binary.LittleEndian.Uint32(b.Output[job*WordBytes:])
}
