package kernel

import (
	"encoding/binary"
	"math"

	codeblocks "tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
)

// Write writes the input of the job of a tile, of which JobOf has returned one: tables of code-blocks, of
// places, of components, of windows and of levels, then the codewords.
func Write(t *Tile, input []byte) {
	l, err := t.layOut()
	if err != nil {
		return // there is no job
	}
	w := &writer{l.ranks, input}
	for _, i := range l.order {
		b := &t.Blocks[i]
		w.words(l.inputs[i], l.states[i], int64(b.Width), int64(b.Height), int64(b.Orientation), int64(b.Style),
			int64(b.BitPlanes), int64(b.Passes), int64(l.blocks[i].Segments))
	}
	all := t.components()
	for i, c := range all {
		w.places(c, &l.components[i])
	}
	levels := 0
	for i, c := range all {
		at := &l.components[i]
		w.words(int64(len(c.Levels)), int64(levels), at.numbers(), at.output, int64(c.Depth.Bits), one(c.Depth.Signed), int64(c.sampleBytes()-1))
		levels += len(c.Levels)
	}
	for _, window := range t.Windows {
		w.words(area(window[0].samples()), int64(len(window)))
	}
	for i, c := range all {
		for level := range c.Levels {
			w.level(t, c, level, &l.components[i])
		}
	}
	for i := range t.Blocks {
		codeblocks.Write(&t.Blocks[i], input[l.inputs[i]*gpu.WordBytes:][:l.blocks[i].Input])
	}
}

// writer writes words.
type writer struct {
	ranks []int // of code-blocks in their table
	rest  []byte
}

func (w *writer) words(words ...int64) {
	for _, word := range words {
		binary.LittleEndian.PutUint32(w.rest, uint32(word))
		w.rest = w.rest[gpu.WordBytes:]
	}
}

// places writes where the code-blocks of a component are placed.
func (w *writer) places(c *Component, at *componentLayout) {
	w.band(&c.Coarsest, at.regions[0])
	below := c.Coarsest.Window
	for i := range c.Levels {
		to := at.regions[i] + area(below)
		for b := range c.Levels[i].Bands {
			band := &c.Levels[i].Bands[b]
			w.band(band, to)
			to += area(band.Window)
		}
		below = c.Levels[i].Window
	}
}

// band writes the places of a band whose window begins at a word.
func (w *writer) band(b *Band, at int64) {
	for _, p := range b.Places {
		w.words(int64(w.ranks[p.Block]), at, int64(b.Window.Width()), int64(b.Window.Height()),
			int64(p.Rect.X0-b.Window.X0), int64(p.Rect.Y0-b.Window.Y0), int64(math.Float32bits(b.Step)))
	}
}

// level writes a level of a component, which makes the window of LL of the next.
func (w *writer) level(t *Tile, c *Component, level int, at *componentLayout) {
	l := &c.Levels[level]
	needed := t.needed(l)
	w.rect(l.Whole)
	w.rect(l.Window)
	low, high := needed[wavelet.LL], needed[wavelet.HH]
	w.words(int64(low.X0), int64(low.X1), int64(high.X0), int64(high.X1), int64(low.Y0), int64(low.Y1), int64(high.Y0), int64(high.Y1))
	made := at.numbers()
	if level+1 < len(c.Levels) {
		made = at.regions[level+1]
	}
	w.words(at.regions[level], at.rows, made)
}

func (w *writer) rect(r wavelet.Rect) {
	w.words(int64(r.X0), int64(r.Y0), int64(r.X1), int64(r.Y1))
}

func one(condition bool) int64 {
	if condition {
		return 1
	}
	return 0
}

// Read returns the samples of each component of each window, row by row: bytes, or numbers of 16 bits with
// the lower byte first. They lie in the output.
func Read(t *Tile, status uint32, output []byte) (made [][][]byte, err error) {
	if status != gpu.Done {
		return nil, gpu.ErrNotDone
	}
	for _, window := range t.Windows {
		var components [][]byte
		for i := range window {
			n := area(window[i].samples()) * int64(window[i].sampleBytes())
			components = append(components, output[:n:n])
			output = output[gpu.WholeWords(n):]
		}
		made = append(made, components)
	}
	return made, nil
}
