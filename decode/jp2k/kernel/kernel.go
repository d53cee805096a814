// Package kernel computes samples of tiles on devices, from the bytes of code-blocks on: it decodes them,
// places their coefficients in bands, inverts the wavelet level by level and the color transform, and packs
// samples in 8 or 16 bits. So a fraction of the bytes comes back, and no core does anything in between. It
// serves reads that pass over an image once, since coefficients do not come back for a cache. It says which
// tiles a device takes, writes what the kernel reads, and reads what it has written. Package components
// gives it the tiles of a request. It must never know how they were found, how batches are gathered, or what
// runs them.
//
// A job is some windows of a tile with all code-blocks that they need, so that windows share these. Its input
// begins with tables (bytes.go); a code-block is decoded by one invocation, all else by a share of
// workgroups of the job. Samples are those of packages wavelet and samples, bit by bit: floats are computed
// in the same order, and no product is fused with a sum.
//
// Words, beside those of package wavelet:
//
//   - A *place* is a window of a band with a code-block that lies in it, or partly.
//   - A *region* is the windows of a level's bands, one behind the other, in scratch memory.
package kernel

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/tier1"
	codeblocks "tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
)

//go:embed tiles.wgsl
var source string

// Tiles is the kernel.
var Tiles = &gpu.Kernel{Name: "jp2k-tiles", Source: gpu.Header(parameterNames) + codeblocks.Decoder() + source, Steps: steps}

// Tile is what a device computes of a tile.
type Tile struct {
	IsReversible bool // the 5-3 wavelet; otherwise the 9-7
	Blocks       []tier1.Block
	Windows      []Window
}

// Window is a rectangle of one component, or of three that were transformed together.
type Window []Component

// Component is what a window needs of a component.
type Component struct {
	Depth    samples.Depth
	Coarsest Band
	Levels   []Level // from the coarsest
}

// Level makes a window of a resolution from the one below it and three bands.
type Level struct {
	Whole, Window wavelet.Rect
	Bands         [3]Band // HL, LH and HH
}

// Band is a window of a band, which has at least what the wavelet needs.
type Band struct {
	Window wavelet.Rect
	Step   float32 // what half of coefficient 1 is worth, if the tile is not reversible
	Places []Place
}

// Place is a code-block of a tile, by its index, and its rectangle in the band.
type Place struct {
	Block int
	Rect  wavelet.Rect
}

// The parameters of a job.
const (
	blocks = iota
	places
	components
	windows
	groups // workgroups that share the job
	levels // the most of a component
	isReversible
	decodeSteps
)

// parameterNames are their names in the source.
var parameterNames = [8]string{
	blocks: "blocks", places: "places", components: "components", windows: "windows",
	groups: "groups", levels: "levels", isReversible: "isReversible", decodeSteps: "decodeSteps",
}

// groupSize is the number of invocations of a workgroup; the source says so, too.
const groupSize = 64

// samplesOfGroup is how many samples of a job are worth one more workgroup.
const samplesOfGroup = 8 * groupSize

// workOfSample is what the steps after the decoder cost a core, for a sample, in the unit of the decoder.
const workOfSample = 10

// steps returns the steps for the jobs that take the most of them.
func steps(jobs []gpu.Job) []gpu.Step {
	var allBlocks, allGroups, mostDecodes, mostLevels uint32
	for i := range jobs {
		p := &jobs[i].Parameters
		allBlocks, allGroups = allBlocks+p[blocks], allGroups+p[groups]
		mostDecodes, mostLevels = max(mostDecodes, p[decodeSteps]), max(mostLevels, p[levels])
	}
	steps := []gpu.Step{{Entry: "sum", Groups: (uint32(len(jobs)) + groupSize - 1) / groupSize}}
	decode := gpu.Step{Entry: "decode", Groups: (allBlocks + codeblocks.Lanes - 1) / codeblocks.Lanes}
	steps = append(steps, slices.Repeat([]gpu.Step{decode}, int(mostDecodes))...)
	steps = append(steps, gpu.Step{Entry: "place", Groups: allGroups})
	for range mostLevels {
		steps = append(steps, gpu.Step{Entry: "across", Groups: allGroups}, gpu.Step{Entry: "down", Groups: allGroups})
	}
	return append(steps, gpu.Step{Entry: "finish", Groups: allGroups})
}

// ErrForCores means that a tile is of a kind that only cores compute.
var ErrForCores = errors.New("a tile that cores have to compute")

// JobOf returns the job for a tile, or why it has to be computed on cores: an error of tier1, or ErrForCores.
func JobOf(t *Tile) (gpu.Job, error) {
	if err := t.check(); err != nil {
		return gpu.Job{}, err
	}
	l, err := t.layOut()
	if err != nil {
		return gpu.Job{}, err
	}
	job := gpu.Job{
		Parameters: [8]uint32{
			blocks: uint32(len(t.Blocks)), places: uint32(l.places), components: uint32(len(l.components)), windows: uint32(len(t.Windows)),
			groups: uint32(max(l.samples/samplesOfGroup, 1)), levels: uint32(l.mostLevels), decodeSteps: uint32(l.decodeSteps),
		},
		Input: l.input * gpu.WordBytes, Output: l.output * gpu.WordBytes, Scratch: l.scratch * gpu.WordBytes,
		Work: l.work + workOfSample*l.samples,
	}
	if t.IsReversible {
		job.Parameters[isReversible] = 1
	}
	return job, nil
}

const (
	// maxBits is the maximum bits of a sample, which come back in 16.
	maxBits = 16

	// maxFloatBits is the maximum bits of a coefficient that a float32 has room for, with its fraction bit.
	maxFloatBits = 24

	// Between these steps no float32 on the way to a sample is too large. Where one is so small that a device
	// may take it for zero, the sample is the same.
	minStep, maxStep = 1.0 / (1 << 62), 1 << 48

	// maxPosition bounds the positions of samples: the kernel doubles them, in 32 bits.
	maxPosition = 1 << 29
)

// check returns an error if the kernel does not compute what cores do.
func (t *Tile) check() error {
	for i := range t.Blocks {
		if b := &t.Blocks[i]; !t.IsReversible && b.BitPlanes+1 > maxFloatBits {
			return fmt.Errorf("%w: %d bit-planes of floats", ErrForCores, b.BitPlanes)
		}
	}
	for _, w := range t.Windows {
		if len(w) != 1 && len(w) != 3 {
			return fmt.Errorf("%w: a window of %d components", ErrForCores, len(w))
		}
		for i := range w {
			if w[i].samples() != w[0].samples() {
				return fmt.Errorf("%w: components that differ", ErrForCores)
			}
			if err := w[i].check(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Component) check(t *Tile) error {
	if c.Depth.Bits < 1 || c.Depth.Bits > maxBits {
		return fmt.Errorf("%w: samples of %d bits", ErrForCores, c.Depth.Bits)
	}
	below := c.Coarsest.Window
	if err := c.Coarsest.check(t); err != nil {
		return err
	}
	for i := range c.Levels {
		l := &c.Levels[i]
		if err := l.check(t, below); err != nil {
			return err
		}
		below = l.Window
	}
	return nil
}

// check returns an error if bands are not what the kernel reads. below is the window of LL.
func (l *Level) check(t *Tile, below wavelet.Rect) error {
	if !l.Window.Empty() && l.Window.Intersect(l.Whole) != l.Window {
		return fmt.Errorf("%w: the window %v of %v", ErrForCores, l.Window, l.Whole)
	}
	if l.Whole.X1 > maxPosition || l.Whole.Y1 > maxPosition {
		return fmt.Errorf("%w: a resolution at %v", ErrForCores, l.Whole)
	}
	has := [4]wavelet.Rect{below, l.Bands[0].Window, l.Bands[1].Window, l.Bands[2].Window}
	for o, needed := range t.needed(l) {
		if has[o] != needed && !(has[o].Empty() && needed.Empty()) {
			return fmt.Errorf("%w: the window %v of a band, of which %v is needed", ErrForCores, has[o], needed)
		}
	}
	for i := range l.Bands {
		if err := l.Bands[i].check(t); err != nil {
			return err
		}
	}
	return nil
}

func (b *Band) check(t *Tile) error {
	if !t.IsReversible && !(b.Step >= minStep && b.Step <= maxStep) {
		return fmt.Errorf("%w: a step of %g", ErrForCores, b.Step)
	}
	for _, p := range b.Places {
		if block := &t.Blocks[p.Block]; block.Width != p.Rect.Width() || block.Height != p.Rect.Height() {
			return fmt.Errorf("%w: a block of %d x %d at %v", ErrForCores, block.Width, block.Height, p.Rect)
		}
	}
	return nil
}
