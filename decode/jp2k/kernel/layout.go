package kernel

import (
	"cmp"
	"slices"

	codeblocks "tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
)

// The words of a record in each table, and of what scratch memory begins with. The source says the same.
const (
	blockWords     = 9
	placeWords     = 7
	componentWords = 7
	windowWords    = 2
	levelWords     = 19
	headWords      = 4
)

// layout is where everything of a job lies, in words.
type layout struct {
	order      []int // of blocks in their table, such that neighbors take about as long
	ranks      []int // of blocks in that order
	blocks     []codeblocks.Needs
	inputs     []int64 // of blocks
	states     []int64 // of blocks, in scratch memory
	components []componentLayout

	input, output, scratch int64 // sizes
	places                 int
	levels                 int // of all components
	mostLevels             int // of a component
	decodeSteps            int
	samples                int64
	work                   int64
}

// componentLayout is where the numbers of a component lie in scratch memory, and its samples in the output.
type componentLayout struct {
	regions []int64 // of the levels, or that of the only band
	rows    int64
	output  int64
	samples int64
}

// numbers returns where the numbers are in the end that samples are made of: in place of the last bands.
func (c *componentLayout) numbers() int64 { return c.regions[len(c.regions)-1] }

// layOut places everything of a tile: in the input the tables and the codewords; in scratch memory a head,
// the states of blocks, and the regions of components. The memory of decoders comes last. Nobody needs it
// any more when rows are computed, which take its place.
func (t *Tile) layOut() (*layout, error) {
	l := &layout{}
	all := t.components()
	for _, c := range all {
		l.count(c)
	}
	l.input = int64(blockWords*len(t.Blocks) + placeWords*l.places + componentWords*len(all) + windowWords*len(t.Windows) + levelWords*l.levels)
	l.scratch = headWords + int64(len(t.Blocks))
	for i, c := range all {
		l.placeRegions(&l.components[i], c)
	}
	shared := l.scratch
	if err := l.placeBlocks(t); err != nil {
		return nil, err
	}
	end := l.scratch
	l.scratch = shared
	for i, c := range all {
		l.components[i].rows = l.scratch
		l.scratch += t.mostRows(c)
	}
	l.scratch = max(l.scratch, end)
	return l, nil
}

// components returns the components of all windows.
func (t *Tile) components() (all []*Component) {
	for _, w := range t.Windows {
		for i := range w {
			all = append(all, &w[i])
		}
	}
	return all
}

// count counts what the tables have of a component, and places its samples.
func (l *layout) count(c *Component) {
	l.places += len(c.Coarsest.Places)
	for i := range c.Levels {
		for b := range c.Levels[i].Bands {
			l.places += len(c.Levels[i].Bands[b].Places)
		}
	}
	l.levels += len(c.Levels)
	l.mostLevels = max(l.mostLevels, len(c.Levels))
	n := area(c.samples())
	l.components = append(l.components, componentLayout{output: l.output, samples: n})
	l.samples += n
	l.output += gpu.WholeWords(n*int64(c.sampleBytes())) / gpu.WordBytes
}

// placeRegions places the regions of a component.
func (l *layout) placeRegions(to *componentLayout, c *Component) {
	if len(c.Levels) == 0 {
		to.regions = append(to.regions, l.scratch)
		l.scratch += area(c.Coarsest.Window)
	}
	below := c.Coarsest.Window
	for i := range c.Levels {
		to.regions = append(to.regions, l.scratch)
		l.scratch += area(below)
		for b := range c.Levels[i].Bands {
			l.scratch += area(c.Levels[i].Bands[b].Window)
		}
		below = c.Levels[i].Window
	}
}

// placeBlocks places the codewords of code-blocks, and the memory of their decoders.
func (l *layout) placeBlocks(t *Tile) error {
	for i := range t.Blocks {
		needs, err := codeblocks.NeedsOf(&t.Blocks[i])
		if err != nil {
			return err
		}
		l.blocks = append(l.blocks, needs)
		l.inputs, l.states = append(l.inputs, l.input), append(l.states, l.scratch)
		l.input += needs.Input / gpu.WordBytes
		l.scratch += needs.Scratch / gpu.WordBytes
		l.decodeSteps = max(l.decodeSteps, needs.Steps)
		l.work += needs.Work
	}
	l.ranks = make([]int, len(t.Blocks))
	for i := range t.Blocks {
		l.order = append(l.order, i)
	}
	slices.SortStableFunc(l.order, func(a, b int) int { return cmp.Compare(l.blocks[b].Work, l.blocks[a].Work) })
	for rank, i := range l.order {
		l.ranks[i] = rank
	}
	return nil
}

// mostRows returns the size of the rows of a component's largest level.
func (t *Tile) mostRows(c *Component) (most int64) {
	for i := range c.Levels {
		needed := t.needed(&c.Levels[i])
		rows := needed[wavelet.LL].Height() + needed[wavelet.LH].Height()
		most = max(most, int64(rows)*int64(c.Levels[i].Window.Width()))
	}
	return most
}

// needed returns the windows of bands that a level needs. One that is empty may have columns or rows
// nevertheless.
func (t *Tile) needed(l *Level) [4]wavelet.Rect {
	if t.IsReversible {
		return wavelet.Filter53.Needed(l.Whole, l.Window)
	}
	return wavelet.Filter97.Needed(l.Whole, l.Window)
}

// samples returns the window of the component in the end.
func (c *Component) samples() wavelet.Rect {
	if len(c.Levels) == 0 {
		return c.Coarsest.Window
	}
	return c.Levels[len(c.Levels)-1].Window
}

// sampleBytes returns the size of a sample in the output.
func (c *Component) sampleBytes() int {
	if c.Depth.Bits > 8 {
		return 2
	}
	return 1
}

func area(r wavelet.Rect) int64 { return int64(r.Width()) * int64(r.Height()) }
