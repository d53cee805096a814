// Package kernel decodes the code-blocks of package ht on devices. It says which of them a device takes,
// and writes what the kernel reads. Package components gives it the code-blocks of a batch, and reads their
// samples, which are those of ht.Decoder.Decode, with gpu.ReadNumbers. It must never know how batches are
// gathered, or what runs them.
//
// A block takes three steps. MEL and VLC are one chain of codewords, and so are the bits of significance
// propagation, so an invocation decodes a whole block: first its quads, then which samples the second pass
// adds. Once the quads are known, so are the lengths of the numbers in MagSgn as soon as the row above is
// decoded. So a workgroup shares the magnitudes of a block, row by row, and sums of lengths say where each
// number begins. The steps are short, since a block has at most 820 pairs of quads; none needs to be
// resumed.
package kernel

import (
	_ "embed"
	"fmt"
	"strings"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/internal/vlc"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
)

//go:embed codeblocks.wgsl
var source string

// CodeBlocks is the kernel.
var CodeBlocks = &gpu.Kernel{Name: "jp2k-ht", Source: gpu.Header(parameterNames) + source + codesInWGSL(), Steps: steps}

// codesInWGSL returns the declaration of the codes of quads.
func codesInWGSL() string {
	var b strings.Builder
	words := vlc.Lookup()
	fmt.Fprintf(&b, "\nconst codes = array<u32, %d>(", len(words))
	for i, word := range words {
		if i%12 == 0 {
			b.WriteString("\n   ")
		}
		fmt.Fprintf(&b, " 0x%Xu,", word)
	}
	b.WriteString("\n);\n")
	return b.String()
}

// What the source says, too.
const (
	lanes       = 16 // code-blocks of a workgroup that decodes them one by one
	headerWords = int(ht.Streams)
	groupFields = 3
)

// shortBytes is the size of a sample of 16 bits.
const shortBytes = gpu.WordBytes / 2

// The parameters of a job.
const (
	width = iota
	height
	plane
	bound
	passes
	isCausal
	isShort // whether samples have 16 bits each
)

// parameterNames are their names in the source.
var parameterNames = [8]string{
	width: "width", height: "height", plane: "plane", bound: "bound", passes: "passes", isCausal: "isCausal", isShort: "isShort",
}

// steps returns the steps for some jobs. Few blocks have more than the first pass.
func steps(jobs []gpu.Job) (steps []gpu.Step) {
	groups := uint32((len(jobs) + lanes - 1) / lanes)
	steps = append(steps, gpu.Step{Entry: "decodeQuads", Groups: groups})
	for i := range jobs {
		if jobs[i].Parameters[passes] > 1 {
			steps = append(steps, gpu.Step{Entry: "propagate", Groups: groups})
			break
		}
	}
	return append(steps, gpu.Step{Entry: "decodeMagnitudes", Groups: uint32(len(jobs))})
}

// JobOf returns the job for a code-block, or why it has to be decoded on a core: an error of ht, or
// gpu.ErrNotDone for one without passes.
func JobOf(b *ht.Block) (gpu.Job, error) {
	if err := b.Sound(); err != nil {
		return gpu.Job{}, err
	}
	if b.Passes == 0 {
		return gpu.Job{}, gpu.ErrNotDone
	}
	area := int64(b.Width) * int64(b.Height)
	job := gpu.Job{
		Parameters: [8]uint32{
			width: uint32(b.Width), height: uint32(b.Height),
			plane: uint32(b.BitPlanes - 1 - b.MissingBitPlanes), bound: uint32(b.MissingBitPlanes + 2), passes: 1,
		},
		Input:   gpu.WordBytes*int64(headerWords) + ht.Padding,
		Output:  gpu.WordBytes * area,
		Scratch: gpu.WordBytes * scratchWords(b),
		Work:    area,
	}
	for s := range ht.Streams {
		job.Input += int64(gpu.WholeWords(b.MaxUnstuffed(s)))
	}
	if b.Refines() {
		job.Parameters[passes] = uint32(b.Passes)
		job.Work = 2 * area // the other passes take a core as long as the first one, however many bytes they have
	}
	if b.VerticallyCausal {
		job.Parameters[isCausal] = 1
	}
	if fitsShort(b) {
		job.Parameters[isShort] = 1
		job.Output = shortBytes * area
	}
	return job, nil
}

// fitsShort reports whether the samples of a sound block have 16 bits, and two in a row share a word. Then half
// as much is copied from the device.
func fitsShort(b *ht.Block) bool { return b.BitPlanes <= wavelet.MaxShortPlanes && b.Width%2 == 0 }

// scratchWords returns the size of what a job keeps: its quads with a border, and fields of groups with one.
func scratchWords(b *ht.Block) int64 {
	columns, rows := (b.Width+1)/2, (b.Height+1)/2
	words := (columns+1)*(rows+1) + 1
	if b.Refines() {
		words += groupFields * (((columns+1)/2+1)*((rows+1)/2+2) + 1)
	}
	return int64(words)
}
