// Package kernel decodes the code-blocks of package tier1 on devices. It says which of them a device takes,
// and writes what the kernel reads. Package components gives it the code-blocks of a batch, and reads their
// coefficients, which are those of tier1.Decoder.Decode, with gpu.ReadNumbers. It must never know how batches
// are gathered, or what runs them.
package kernel

import (
	_ "embed"
	"slices"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
)

//go:embed codeblocks.wgsl
var source string

// CodeBlocks is the kernel. The jobs of a workgroup wait for each other, so it is fastest when neighbors
// have about as much work.
var CodeBlocks = &gpu.Kernel{Name: "jp2k-tier1", Source: gpu.Header(parameterNames) + Decoder() + source, Steps: steps}

// shortBytes is the size of a coefficient of 16 bits.
const shortBytes = gpu.WordBytes / 2

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
		p := &jobs[i].Parameters
		most = max(most, decodeSteps(int(p[width]), int(p[height]), int(p[bitPlanes]), int(p[passes])))
	}
	steps := slices.Repeat([]gpu.Step{{Entry: "decode", Groups: uint32((len(jobs) + Lanes - 1) / Lanes)}}, most)
	return append(steps, gpu.Step{Entry: "arrange", Groups: uint32(len(jobs))})
}

// JobOf returns the job for a code-block, or why it has to be decoded on a core: an error of tier1.
func JobOf(b *tier1.Block) (gpu.Job, error) {
	needs, err := NeedsOf(b)
	if err != nil {
		return gpu.Job{}, err
	}
	job := gpu.Job{
		Parameters: [8]uint32{
			width: uint32(b.Width), height: uint32(b.Height), orientation: uint32(b.Orientation), style: uint32(b.Style),
			bitPlanes: uint32(b.BitPlanes), passes: uint32(b.Passes), segments: uint32(needs.Segments),
		},
		Input:   needs.Input,
		Output:  gpu.WordBytes * int64(b.Width) * int64(b.Height),
		Scratch: needs.Scratch,
		Work:    needs.Work,
	}
	if fitsShort(b) {
		job.Parameters[isShort] = 1
		job.Output = shortBytes * int64(b.Width) * int64(b.Height)
	}
	return job, nil
}

// fitsShort reports whether the coefficients of a block have 16 bits, and two in a row share a word. Then half
// as much is copied from the device.
func fitsShort(b *tier1.Block) bool { return b.BitPlanes <= wavelet.MaxShortPlanes && b.Width%2 == 0 }
