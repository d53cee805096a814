package components

import (
	"fmt"
	"sync"

	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/internal/reuse"
)

// assembleJob is the pool job that turns coefficients into the samples of a request's tile windows.
type assembleJob struct {
	*Request
	workspaces *sync.Pool // of *windowWorkspace
}

// Len returns the number of tile windows.
func (j *assembleJob) Len() int { return len(j.tileWindows) }

// Do assembles one tile window.
func (j *assembleJob) Do(i int) error {
	workspace, _ := j.workspaces.Get().(*windowWorkspace)
	if workspace == nil {
		workspace = new(windowWorkspace)
	}
	p := j.tileWindows[i]
	if p.scratchBytes() <= maxCachedScratch {
		defer j.workspaces.Put(workspace)
	}
	if err := j.assemble(p, workspace); err != nil {
		return fmt.Errorf("tile %d: %w", p.tile.Number, err)
	}
	return nil
}

// maxCachedScratch is the maximum memory that a worker keeps between tile windows. Windows of the
// usual size need less.
const maxCachedScratch = 24 << 20

// windowWorkspace is reusable memory for assembling tile windows.
type windowWorkspace struct {
	shorts  workspace[int16]
	numbers workspace[int32]
	long    workspace[int64]
	floats  workspace[float32]
}

func (j *assembleJob) assemble(p *tileWindow, w *windowWorkspace) error {
	long := false
	for i := range p.components {
		long = long || p.components[i].isLong()
	}
	switch {
	case !p.components[0].coding.Reversible:
		return assemble(j, p, &w.floats, wavelet.Synthesize97, samples.Irreversible)
	case long:
		return assemble(j, p, &w.long, wavelet.Synthesize53, samples.Reversible)
	case j.isShort(p):
		return assemble(j, p, &w.shorts, wavelet.Synthesize53, samples.Reversible)
	}
	return assemble(j, p, &w.numbers, wavelet.Synthesize53, samples.Reversible)
}

// workspace is memory for numbers of one type. Each component of a tile window has two planes,
// which alternate between resolutions. The bands share one slice.
type workspace[V wavelet.Number] struct {
	scratch wavelet.Scratch[V]
	planes  [3][2][]V
	bands   []V
}

// synthesis computes a window of a resolution from windows of its bands.
type synthesis[V wavelet.Number] func(*wavelet.Scratch[V], wavelet.Rect, *[4]wavelet.Plane[V], wavelet.Plane[V]) error

func assemble[V wavelet.Number](a *assembleJob, p *tileWindow, w *workspace[V], synthesize synthesis[V], mix func(first, second, third []V)) error {
	var made [3]wavelet.Plane[V]
	for i := range p.components {
		var err error
		if made[i], err = synthesizeComponent(a, &p.components[i], w, &w.planes[i], synthesize); err != nil {
			return fmt.Errorf("component %d: %w", p.components[i].component, err)
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
		for i := range p.components {
			storeTargets(a, &p.components[i], &made[i], stripe)
		}
	}
	return nil
}

// stripeRows is the number of rows that are finished together, while they are in the processor's
// cache.
const stripeRows = 16

// synthesizeComponent computes the window of one component, resolution by resolution.
func synthesizeComponent[V wavelet.Number](a *assembleJob, p *componentWindow, w *workspace[V], planes *[2][]V, synthesize synthesis[V]) (wavelet.Plane[V], error) {
	made := w.plane(&planes[0], p.resolutions[0].window)
	if err := fill(a, made, &p.resolutions[0].bands[0]); err != nil {
		return made, err
	}
	for i := 1; i < len(p.resolutions); i++ {
		s := &p.resolutions[i]
		bands := [4]wavelet.Plane[V]{wavelet.LL: made}
		if err := w.fillBands(a, s, &bands); err != nil {
			return made, fmt.Errorf("resolution %d: %w", i, err)
		}
		made = w.plane(&planes[i%2], s.window)
		if err := synthesize(&w.scratch, p.coding.Resolutions[i].Rect, &bands, made); err != nil {
			return made, fmt.Errorf("resolution %d: %w", i, err)
		}
	}
	return decimate(made, p.halvings), nil
}

// fillBands puts the coefficients of a resolution's bands into consecutive planes.
func (w *workspace[V]) fillBands(a *assembleJob, s *resolutionWindow, bands *[4]wavelet.Plane[V]) error {
	total := 0
	for i := range s.bands {
		total += area(s.bands[i].window)
	}
	w.bands = reuse.Slice(w.bands, total)
	rest := w.bands
	for i := range s.bands {
		b := &s.bands[i]
		n := area(b.window)
		bands[b.Orientation] = wavelet.Plane[V]{Rect: b.window, Samples: rest[:n:n], Stride: b.window.Width()}
		rest = rest[n:]
		if err := fill(a, bands[b.Orientation], b); err != nil {
			return err
		}
	}
	return nil
}

// plane returns a plane for a rectangle, in reused memory.
func (w *workspace[V]) plane(memory *[]V, r wavelet.Rect) wavelet.Plane[V] {
	*memory = reuse.Slice(*memory, area(r))
	return wavelet.Plane[V]{Rect: r, Samples: *memory, Stride: r.Width()}
}

func area(r wavelet.Rect) int { return r.Width() * r.Height() }

// fill puts the coefficients of a band into its window.
func fill[V wavelet.Number](a *assembleJob, to wavelet.Plane[V], b *bandWindow) error {
	step := V(1)
	if _, isFloat := any(step).(float32); isFloat {
		step = V(b.Step / 2)
	}
	columns := b.grid.Width()
	for i, member := range b.blocks {
		var zeros coefficients
		made := &zeros
		if member != noBlock {
			made = a.value(member)
		}
		block := b.Block(b.grid.X0+i%columns, b.grid.Y0+i/columns)
		if err := place(&to, made, block, step); err != nil {
			return fmt.Errorf("code-block %v: %w", block, err)
		}
	}
	return nil
}

// decimate returns every 2^halvings-th sample in each direction. It moves them to the front of the
// plane's memory.
func decimate[V wavelet.Number](p wavelet.Plane[V], halvings int) wavelet.Plane[V] {
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

// row returns a row of a plane.
func row[V wavelet.Number](p *wavelet.Plane[V], y int) []V {
	return p.Samples[(y-p.Rect.Y0)*p.Stride:][:p.Rect.Width()]
}

// storeTargets stores the samples of a component in all of its targets.
func storeTargets[V wavelet.Number](a *assembleJob, p *componentWindow, from *wavelet.Plane[V], rect wavelet.Rect) {
	c := a.stream.header.Components[p.component]
	for _, t := range p.targets {
		put(t, from, rect, samples.Depth{Bits: c.Bits, Signed: c.Signed})
	}
}
