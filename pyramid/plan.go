package pyramid

import (
	"errors"
	"fmt"
	"math"

	"tileserver/geo"
	"tileserver/raster"
)

// ErrNoCRS says that an image cannot be put on a map.
var ErrNoCRS = errors.New("the image has no known place on the earth")

// ErrInvalidView refuses a view that makes no sense.
var ErrInvalidView = errors.New("invalid view")

// Plan is what a view takes: which blocks of which level, and where they go.
type Plan struct {
	View  View
	Level int
	Parts []Part // none where the view shows nothing of the image

	// ScaleX and ScaleY are how many pixels of the level one of the view spans,
	// at the place of the image where that is least.
	ScaleX, ScaleY float64
}

// Part is a piece of a view that is read in one go. A view is one part unless
// it sees the image so distorted that what lies between its pixels is too much.
type Part struct {
	Rect   raster.Rect // in columns and rows of the lattice
	Window raster.Rect // of pixels of the level, with those that a kernel reaches
	Blocks []raster.BlockID
	cells  []cell

	kernelX, kernelY kernel
}

// Blocks lists the blocks of all parts; a block may occur more than once.
func (p *Plan) Blocks() []raster.BlockID {
	var ids []raster.BlockID
	for i := range p.Parts {
		ids = append(ids, p.Parts[i].Blocks...)
	}
	return ids
}

// Plan finds out what a view takes. It reads nothing.
func (p *Pyramid) Plan(v View) (Plan, error) {
	if err := p.check(v); err != nil {
		return Plan{}, err
	}
	j, err := p.projection(v.Lattice.CRS)
	if err != nil {
		return Plan{}, err
	}
	scaleX, scaleY := p.scale(&j, v.Lattice)
	level := p.levelFor(min(scaleX, scaleY))
	l := p.info.Levels[level]
	plan := Plan{View: v, Level: level, ScaleX: scaleX / l.ScaleX, ScaleY: scaleY / l.ScaleY}
	w := warp{projection: &j, lattice: v.Lattice, level: l, tolerance: min(plan.ScaleX, plan.ScaleY, 1) * maxWarpError}
	resampling := p.resampling(v)
	w.kernelX, w.kernelY = kernelFor(resampling, plan.ScaleX), kernelFor(resampling, plan.ScaleY)
	plan.Parts = w.parts(v.Rect)
	return plan, nil
}

// resampling is what a view asks for, but that the numbers of palette colours
// have no mean.
func (p *Pyramid) resampling(v View) Resampling {
	for _, band := range p.info.Bands {
		if band.Color == raster.PaletteIndex {
			return Nearest
		}
	}
	return v.Resampling
}

func (p *Pyramid) check(v View) error {
	if v.Rect.Empty() {
		return fmt.Errorf("%w: it has no pixels", ErrInvalidView)
	}
	if v.Rect.Width() > maxViewSide || v.Rect.Height() > maxViewSide {
		return fmt.Errorf("%w: %d by %d pixels", ErrInvalidView, v.Rect.Width(), v.Rect.Height())
	}
	for _, n := range [...]int{v.Rect.X0, v.Rect.Y0, v.Rect.X1, v.Rect.Y1} {
		if n > maxLatticeIndex || n < -maxLatticeIndex {
			return fmt.Errorf("%w: pixel %d of a lattice", ErrInvalidView, n)
		}
	}
	rx, ry := math.Abs(v.Lattice.ResolutionX), math.Abs(v.Lattice.ResolutionY)
	if !(rx > 0 && ry > 0) || math.IsInf(rx, 0) || math.IsInf(ry, 0) {
		return fmt.Errorf("%w: resolution %v by %v", ErrInvalidView, v.Lattice.ResolutionX, v.Lattice.ResolutionY)
	}
	bands := v.Bands
	if v.Alpha >= 0 {
		bands = append([]int{v.Alpha}, bands...)
	}
	return p.info.CheckRequest(0, nil, bands)
}

const (
	maxLatticeIndex = 1 << 40 // keeps arithmetic on lattice pixels exact
	maxViewSide     = 1 << 16
)

// scale is how many pixels of level 0 one of the lattice spans, in x and in y,
// at the place of the image where that is least. It looks at fixed places of
// the image and not at the view, so that all views of a lattice get the same
// level.
func (p *Pyramid) scale(j *projection, lattice geo.Lattice) (scaleX, scaleY float64) {
	l := p.info.Levels[0]
	scaleX, scaleY = math.Inf(1), math.Inf(1)
	for _, fy := range scalePlaces {
		for _, fx := range scalePlaces {
			at := geo.Point{X: fx * float64(l.Width), Y: fy * float64(l.Height)}
			place := j.toPlace(at)
			if place.IsNaN() {
				continue
			}
			right := j.toPixel(geo.Point{X: place.X + lattice.ResolutionX, Y: place.Y})
			below := j.toPixel(geo.Point{X: place.X, Y: place.Y - lattice.ResolutionY})
			if s := math.Hypot(right.X-at.X, right.Y-at.Y); s > 0 {
				scaleX = min(scaleX, s)
			}
			if s := math.Hypot(below.X-at.X, below.Y-at.Y); s > 0 {
				scaleY = min(scaleY, s)
			}
		}
	}
	return finiteScale(scaleX), finiteScale(scaleY)
}

// scalePlaces are where scale looks, in parts of the image's width and height.
var scalePlaces = [...]float64{0.1, 0.5, 0.9}

// finiteScale is s, or 1 for an image none of which can be projected.
func finiteScale(s float64) float64 {
	if math.IsInf(s, 0) {
		return 1
	}
	return s
}

// levelSlack is how much coarser than wanted a level may be: resolutions that
// are equal but for rounding, or nearly so, need no finer level.
const levelSlack = 1.02

// levelFor is the coarsest level that is as fine as wanted, or the finest.
func (p *Pyramid) levelFor(scale float64) int {
	best := 0
	for i, l := range p.info.Levels {
		if max(l.ScaleX, l.ScaleY) <= scale*levelSlack {
			best = i
		}
	}
	return best
}

// maxWindowPixels is how much of a level one part may see before it is cut; a
// tile sees up to four times as many pixels as it has.
const maxWindowPixels = 1 << 24

// parts cuts rect until each part sees a bounded window. Cutting changes no pixel,
// because a pixel follows from its place in the lattice only.
func (w *warp) parts(rect raster.Rect) []Part {
	cells, window := w.cells(rect)
	if len(cells) == 0 {
		return nil
	}
	p := Part{Rect: rect, cells: cells, kernelX: w.kernelX, kernelY: w.kernelY}
	if p.kernelX.interpolates && p.kernelY.interpolates && onGrid(cells) {
		// Each pixel of the view is one of the level, and its neighbours, which
		// may lie in other blocks, have no weight.
		p.kernelX, p.kernelY = kernelFor(Nearest, 1), kernelFor(Nearest, 1)
	}
	x, y := p.kernelX.reach(), p.kernelY.reach()
	p.Window = raster.Rect{X0: window.X0 - x, Y0: window.Y0 - y, X1: window.X1 + x, Y1: window.Y1 + y}
	pixels := int64(p.Window.Width()) * int64(p.Window.Height())
	if pixels > maxWindowPixels && rect.Width()*rect.Height() > 1 {
		a, b := halves(rect)
		return append(w.parts(a), w.parts(b)...)
	}
	p.Blocks = w.level.Covering(p.Window)
	return []Part{p}
}

func halves(r raster.Rect) (a, b raster.Rect) {
	a, b = r, r
	if r.Width() >= r.Height() {
		a.X1 = r.X0 + r.Width()/2
		b.X0 = a.X1
	} else {
		a.Y1 = r.Y0 + r.Height()/2
		b.Y0 = a.Y1
	}
	return a, b
}
