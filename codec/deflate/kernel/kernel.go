// Package kernel decompresses zlib streams on devices. It says which streams a device takes, writes what
// the kernel reads, and checks what it has written. Package decode/blocks gives it the blocks of a batch.
// It must never know how batches are gathered, what runs them, or what the streams hold.
package kernel

import (
	_ "embed"
	"encoding/binary"

	"tileserver/codec/adler32"
	"tileserver/codec/deflate"
	"tileserver/gpu"
)

//go:embed inflate.wgsl
var source string

// Inflate is the kernel.
var Inflate = &gpu.Kernel{Name: "inflate", Source: gpu.Header(parameterNames) + source, Steps: steps}

// The parameters of a job.
const size = iota // of what the stream holds, in bytes

// parameterNames are their names in the source.
var parameterNames = [8]string{size: "size"}

// What the source says, too.
const (
	lanes         = 16 // streams of a workgroup
	roundsPerStep = 4096
	scratchWords  = 1448
)

// A stream may need a round for each byte, and more for the headers of blocks: about 320 for each. Encoders
// begin a block after ten thousand bytes or more. A stream that needs more rounds is left to the cores, or
// one of empty blocks would keep a device busy for seconds.
const (
	spareRounds   = 4096
	bytesPerSpare = 16 // for which a stream may need one more
)

// maxRounds returns how many rounds a stream may need.
func maxRounds(holds uint32) uint32 { return holds + holds/bytesPerSpare + spareRounds }

// steps returns the steps for the longest stream.
func steps(jobs []gpu.Job) []gpu.Step {
	longest := uint32(0)
	for i := range jobs {
		longest = max(longest, jobs[i].Parameters[size])
	}
	steps := make([]gpu.Step, maxRounds(longest)/roundsPerStep+1)
	for i := range steps {
		steps[i] = gpu.Step{Entry: "inflate", Groups: uint32((len(jobs) + lanes - 1) / lanes)}
	}
	return steps
}

// maxBytes bounds a stream and what it holds. One invocation decompresses it, so a longer one would keep
// the whole batch waiting.
const maxBytes = 1 << 20

// JobOf returns the job for a zlib stream that holds some bytes. It returns false for one that a core has
// to decompress, since it is damaged or too long.
func JobOf(stream []byte, holds int) (job gpu.Job, ok bool) {
	if len(stream) < deflate.ZlibHeaderBytes+deflate.ZlibChecksumBytes || len(stream) > maxBytes || holds < 1 || holds > maxBytes {
		return gpu.Job{}, false
	}
	if !deflate.IsZlibHeader(binary.BigEndian.Uint16(stream)) {
		return gpu.Job{}, false
	}
	return gpu.Job{
		Parameters: [8]uint32{size: uint32(holds)},
		Input:      int64(len(stream) - deflate.ZlibHeaderBytes),
		Output:     int64(gpu.WholeWords(holds)) + gpu.WordBytes,
		Scratch:    gpu.WordBytes * scratchWords,
		Work:       int64(holds) + workOfByte*int64(len(stream)),
	}, true
}

// workOfByte is the work of a byte of a stream, where that of a byte that it holds is 1. Most of the time
// goes into codes, which are about as long as a byte.
const workOfByte = 4

// Write writes the input of the job of a stream.
func Write(stream, input []byte) { copy(input, stream[deflate.ZlibHeaderBytes:]) }

// Read reads what a stream holds from the output of its job. It returns gpu.ErrNotDone if a core has to
// decompress the stream, of which it checks the checksum.
func Read(stream []byte, status uint32, output, holds []byte) error {
	data := gpu.WholeWords(len(holds))
	if status != gpu.Done || len(output) != data+gpu.WordBytes {
		return gpu.ErrNotDone
	}
	trailer := stream[deflate.ZlibHeaderBytes:]
	consumed := binary.LittleEndian.Uint32(output[data:])
	if int64(consumed)+deflate.ZlibChecksumBytes > int64(len(trailer)) {
		return gpu.ErrNotDone
	}
	copy(holds, output)
	if adler32.Update(adler32.Initial, holds) != binary.BigEndian.Uint32(trailer[consumed:]) {
		return gpu.ErrNotDone
	}
	return nil
}
