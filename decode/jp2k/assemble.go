package jp2k

import (
	"fmt"
	"slices"
	"sync"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
)

// assembly makes the samples of the pieces of a request from coefficients.
type assembly struct {
	*request
	benches *sync.Pool // of *pieceBench
}

// Len is how many pieces there are.
func (a *assembly) Len() int { return len(a.pieces) }

// Do makes one of them.
func (a *assembly) Do(i int) error {
	bench, _ := a.benches.Get().(*pieceBench)
	if bench == nil {
		bench = new(pieceBench)
	}
	p := a.pieces[i]
	if p.scratchBytes() <= mostKeptScratch {
		defer a.benches.Put(bench)
	}
	if err := a.make(p, bench); err != nil {
		return fmt.Errorf("tile %d: %w", p.tile.Number, err)
	}
	return nil
}

// mostKeptScratch is how much memory a worker keeps from one piece to the next at most: that of
// pieces of the usual size is.
const mostKeptScratch = 24 << 20

// pieceBench is the memory in which one piece after the other is made.
type pieceBench struct {
	numbers bench[int32]
	long    bench[int64]
	floats  bench[float32]
}

func (a *assembly) make(p *piece, w *pieceBench) error {
	long := false
	for i := range p.parts {
		long = long || p.parts[i].isLong()
	}
	switch {
	case !p.parts[0].coding.Reversible:
		return assemble(a, p, &w.floats, wavelet.Synthesize97, samples.Irreversible)
	case long:
		return assemble(a, p, &w.long, wavelet.Synthesize53, samples.Reversible)
	}
	return assemble(a, p, &w.numbers, wavelet.Synthesize53, samples.Reversible)
}

// bench is memory for numbers of one type: of each component of a piece two planes that a
// resolution and the next are in by turns, and one for the bands.
type bench[V wavelet.Number] struct {
	scratch wavelet.Scratch[V]
	planes  [3][2][]V
	bands   []V
}

// synthesis makes a window of a resolution of windows of its bands.
type synthesis[V wavelet.Number] func(*wavelet.Scratch[V], wavelet.Rect, *[4]wavelet.Plane[V], wavelet.Plane[V]) error

func assemble[V wavelet.Number](a *assembly, p *piece, w *bench[V], synthesize synthesis[V], mix func(first, second, third []V)) error {
	var made [3]wavelet.Plane[V]
	for i := range p.parts {
		var err error
		if made[i], err = buildUp(a, &p.parts[i], w, &w.planes[i], synthesize); err != nil {
			return fmt.Errorf("component %d: %w", p.parts[i].component, err)
		}
	}
	for y := p.window.Y0; y < p.window.Y1; y += stripeRows {
		stripe := p.window
		stripe.Y0, stripe.Y1 = y, min(y+stripeRows, p.window.Y1)
		if p.transformed {
			for y := stripe.Y0; y < stripe.Y1; y++ {
				mix(row(&made[0], y), row(&made[1], y), row(&made[2], y))
			}
		}
		for i := range p.parts {
			putAll(a, &p.parts[i], &made[i], stripe)
		}
	}
	return nil
}

// stripeRows is how many rows are finished together, so that they are still at hand.
const stripeRows = 16

// buildUp makes the window of one component, resolution by resolution.
func buildUp[V wavelet.Number](a *assembly, p *part, w *bench[V], planes *[2][]V, synthesize synthesis[V]) (wavelet.Plane[V], error) {
	made := w.plane(&planes[0], p.stages[0].window)
	if err := fill(a, made, &p.stages[0].bands[0]); err != nil {
		return made, err
	}
	for i := 1; i < len(p.stages); i++ {
		s := &p.stages[i]
		bands := [4]wavelet.Plane[V]{wavelet.LL: made}
		if err := w.fillBands(a, s, &bands); err != nil {
			return made, fmt.Errorf("resolution %d: %w", i, err)
		}
		made = w.plane(&planes[i%2], s.window)
		if err := synthesize(&w.scratch, wavelet.Rect(p.coding.Resolutions[i].Rect), &bands, made); err != nil {
			return made, fmt.Errorf("resolution %d: %w", i, err)
		}
	}
	return decimated(made, p.halvings), nil
}

// fillBands puts the coefficients of a stage into planes behind each other.
func (w *bench[V]) fillBands(a *assembly, s *stage, bands *[4]wavelet.Plane[V]) error {
	total := 0
	for i := range s.bands {
		total += area(s.bands[i].window)
	}
	w.bands = room(w.bands, total)
	rest := w.bands
	for i := range s.bands {
		b := &s.bands[i]
		n := area(b.window)
		bands[b.Orientation] = wavelet.Plane[V]{Rect: wavelet.Rect(b.window), Samples: rest[:n:n], Stride: b.window.Width()}
		rest = rest[n:]
		if err := fill(a, bands[b.Orientation], b); err != nil {
			return err
		}
	}
	return nil
}

// plane is a plane of a rectangle, in memory that is used again.
func (w *bench[V]) plane(memory *[]V, r codestream.Rect) wavelet.Plane[V] {
	*memory = room(*memory, area(r))
	return wavelet.Plane[V]{Rect: wavelet.Rect(r), Samples: *memory, Stride: r.Width()}
}

func area(r codestream.Rect) int { return r.Width() * r.Height() }

// fill puts the coefficients of a band into its window.
func fill[V wavelet.Number](a *assembly, to wavelet.Plane[V], b *bandWindow) error {
	step := V(1)
	if _, isFloat := any(step).(float32); isFloat {
		step = V(b.Step / 2)
	}
	if a.hasZeros(b) {
		clear(to.Samples)
	}
	columns := b.grid.Width()
	for i, value := range b.found {
		if value == noBlock {
			continue
		}
		block := b.Block(b.grid.X0+i%columns, b.grid.Y0+i/columns)
		if err := place(&to, a.values[value], block, step); err != nil {
			return fmt.Errorf("code-block %v: %w", block, err)
		}
	}
	return nil
}

// hasZeros tells whether there are code-blocks that leave their place as it is.
func (a *assembly) hasZeros(b *bandWindow) bool {
	return slices.ContainsFunc(b.found, func(value int) bool { return value == noBlock || a.values[value].numbers == nil })
}

// decimated keeps the samples at places that can be halved so often. They are fewer, and end
// up before the others.
func decimated[V wavelet.Number](p wavelet.Plane[V], halvings int) wavelet.Plane[V] {
	if halvings == 0 || p.Rect.Empty() {
		return p
	}
	width, height := (p.Rect.Width()-1)>>halvings+1, (p.Rect.Height()-1)>>halvings+1
	for y := range height {
		for x := range width {
			p.Samples[y*width+x] = p.Samples[(y<<halvings)*p.Stride+x<<halvings]
		}
	}
	x, y := p.Rect.X0>>halvings, p.Rect.Y0>>halvings
	return wavelet.Plane[V]{Rect: wavelet.Rect{X0: x, Y0: y, X1: x + width, Y1: y + height}, Samples: p.Samples, Stride: width}
}

// row is a row of a plane.
func row[V wavelet.Number](p *wavelet.Plane[V], y int) []V {
	return p.Samples[(y-p.Rect.Y0)*p.Stride:][:p.Rect.Width()]
}

// putAll stores a part of a component wherever it is wanted.
func putAll[V wavelet.Number](a *assembly, p *part, from *wavelet.Plane[V], rect codestream.Rect) {
	c := a.file.header.Components[p.component]
	for _, t := range p.targets {
		put(t, from, rect, samples.Depth{Bits: c.Bits, Signed: c.Signed})
	}
}
