// Package kernel decodes the code-blocks of package tier1 on devices. It says which of them a device takes,
// writes what the kernel reads, and reads what it has written. Package components gives it the code-blocks
// of a batch. It must never know how batches are gathered, or what runs them.
package kernel

import (
	_ "embed"

	"tileserver/decode/jp2k/tier1"
	"tileserver/gpu"
)

//go:embed codeblocks.wgsl
var source string

// CodeBlocks is the kernel. The jobs of a workgroup wait for each other, so it is fastest when neighbors
// have about as much work.
var CodeBlocks = &gpu.Kernel{Name: "jp2k-tier1", Source: gpu.Header(parameterNames) + source, Steps: steps}

// What the source says, too.
const (
	lanes           = 16 // code-blocks of a workgroup
	groupColumns    = 6
	stripeRows      = 4
	stateWords      = 29
	fields          = 5 // beside one for each bit-plane
	roundsPerStep   = 2048
	symbolsPerRound = 6
	wordsPerSegment = 2
)

const (
	wordBytes  = 4
	shortBytes = 2
)

// workOfByte is the work of a byte, where that of a coefficient in a pass is 1. The time that real
// code-blocks take on a core is about proportional to the sum (R² 0.98; to the bytes alone, 0.97).
const workOfByte = 150

// The parameters of a job.
const (
	width = iota
	height
	orientation
	style
	bitPlanes
	passes
	segments
	isShort // whether coefficients have 16 bits each
)

// parameterNames are their names in the source.
var parameterNames = [8]string{
	width: "width", height: "height", orientation: "orientation", style: "style",
	bitPlanes: "bitPlanes", passes: "passes", segments: "segments", isShort: "isShort",
}

// steps returns the steps for the job that takes the most of them, and one that arranges what was decoded.
func steps(jobs []gpu.Job) []gpu.Step {
	most := 0
	for i := range jobs {
		most = max(most, maxRounds(&jobs[i]))
	}
	steps := make([]gpu.Step, 0, most/roundsPerStep+2)
	for range most/roundsPerStep + 1 {
		steps = append(steps, gpu.Step{Entry: "decode", Groups: uint32((len(jobs) + lanes - 1) / lanes)})
	}
	return append(steps, gpu.Step{Entry: "arrange", Groups: uint32(len(jobs))})
}

// maxRounds returns how many rounds a job takes at most: one for each group that a pass enters and for the end
// of the pass, and more for the symbols that exceed those of a round.
func maxRounds(job *gpu.Job) int {
	p := &job.Parameters
	columns, stripes := gridOf(int(p[width]), int(p[height]))
	return int(p[passes])*(columns*stripes+1) + maxSymbols(int(p[width])*int(p[height]), int(p[bitPlanes]))/symbolsPerRound
}

// maxSymbols returns how many symbols coefficients have at most. Each has one in each bit-plane, and a
// sign. A column of four may have three more in a bit-plane, which tell where its first 1 is.
func maxSymbols(coefficients, bitPlanes int) int {
	return coefficients * (bitPlanes + 1 + (bitPlanes*3+stripeRows-1)/stripeRows)
}

// gridOf returns the groups of a block.
func gridOf(width, height int) (columns, stripes int) {
	return (width + groupColumns - 1) / groupColumns, (height + stripeRows - 1) / stripeRows
}

// JobOf returns the job for a code-block, or why it has to be decoded on a core: an error of tier1.
func JobOf(b *tier1.Block) (gpu.Job, error) {
	if err := b.Sound(); err != nil {
		return gpu.Job{}, err
	}
	area := int64(b.Width) * int64(b.Height)
	job := gpu.Job{
		Parameters: [8]uint32{
			width: uint32(b.Width), height: uint32(b.Height), orientation: uint32(b.Orientation), style: uint32(b.Style),
			bitPlanes: uint32(b.BitPlanes), passes: uint32(b.Passes),
		},
		Output:  wordBytes * area,
		Scratch: wordBytes * scratchWords(b),
		Work:    area * int64(b.Passes),
	}
	if fitsShort(b) {
		job.Parameters[isShort] = 1
		job.Output = shortBytes * area
	}
	for _, codeword := range codewords(b) {
		job.Parameters[segments]++
		job.Input += wordBytes * int64(wordsPerSegment+wordsOf(codeword))
		job.Work += workOfByte * int64(len(codeword))
	}
	return job, nil
}

// fitsShort reports whether the coefficients of a block have 16 bits, with the fraction bit and the sign, and
// two in a row share a word. Then half as much is copied from the device.
func fitsShort(b *tier1.Block) bool { return b.BitPlanes <= 14 && b.Width%2 == 0 }

// scratchWords returns the size of what a job keeps: its state and fields with a border.
func scratchWords(b *tier1.Block) int64 {
	columns, stripes := gridOf(b.Width, b.Height)
	return stateWords + int64(fields+b.BitPlanes)*int64((columns+1)*(stripes+2)+1)
}

// wordsOf returns how many words a codeword takes at most.
func wordsOf(codeword []byte) int { return (len(codeword) + wordBytes - 1) / wordBytes }
