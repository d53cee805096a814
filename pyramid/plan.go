package pyramid

import (
	"context"
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
	onGrid bool // each pixel is one of the level
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
func (p *Pyramid) Plan(ctx context.Context, v View) (Plan, error) {
	if err := p.check(v); err != nil {
		return Plan{}, err
	}
	j, err := p.projection(v.Lattice.CRS)
	if err != nil {
		return Plan{}, err
	}
	scaleX, scaleY, most := p.scale(&j, v.Lattice)
	if most < minScale {
		return Plan{}, tooFine(v.Lattice.CRS)
	}
	level := p.levelFor(min(scaleX, scaleY))
	l := p.info.Levels[level]
	plan := Plan{View: v, Level: level, ScaleX: scaleX / l.ScaleX, ScaleY: scaleY / l.ScaleY}
	w := warp{
		ctx: ctx, projection: &j, lattice: v.Lattice, level: l, resampling: p.resampling(v),
		scaleX: plan.ScaleX, scaleY: plan.ScaleY,
		tolerance:  max(min(plan.ScaleX, plan.ScaleY, 1)*maxWarpError, minTolerance),
		blockBytes: raster.BufferBytes(p.info.Type, l.BlockWidth, l.BlockHeight, p.bandsOf(v)),
	}
	w.across, w.down = p.spans(&plan)
	w.footprint = p.footprint(v.Lattice)
	w.findLandmarks(p.info.Levels[0])
	plan.Parts, err = w.parts(v.Rect)
	return plan, err
}

// tooFine refuses a view that shows next to nothing of a pixel. In a system of meters it is mostly meant as degrees.
func tooFine(crs *geo.CRS) error {
	if crs != nil && !crs.IsGeographic() {
		return fmt.Errorf("%w: it is far smaller than a pixel of the image; are these degrees? Then leave crs out", ErrInvalidView)
	}
	return fmt.Errorf("%w: it is far smaller than a pixel of the image", ErrInvalidView)
}

// resampling returns what a view asks for, but that samples which are names have no mean.
func (p *Pyramid) resampling(v View) Resampling {
	if p.info.IsClassified(v.Bands) {
		return Nearest
	}
	return v.Resampling
}

// bandsOf returns how many bands are read for a view.
func (p *Pyramid) bandsOf(v View) int {
	count := len(v.Bands)
	if v.Bands == nil {
		count = len(p.info.Bands)
	}
	if v.Alpha >= 0 {
		count++
	}
	return count
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

// minScale is the least part of a pixel of the image that a pixel of a view may
// show. Positions cannot be told apart much below it.
const minScale = 1.0 / (1 << 14)

const (
	maxLatticeIndex = 1 << 40 // keeps arithmetic on lattice pixels exact
	maxViewSide     = 1 << 16
)

// scale returns how many pixels of level 0 one of the lattice spans, in x and in y,
// at the place of the image where that is least, and the most that it spans
// anywhere. It looks at fixed places of the image and not at the view, so that
// all views of a lattice get the same level.
func (p *Pyramid) scale(j *projection, lattice geo.Lattice) (scaleX, scaleY, most float64) {
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
				scaleX, most = min(scaleX, s), max(most, s)
			}
			if s := math.Hypot(below.X-at.X, below.Y-at.Y); s > 0 {
				scaleY, most = min(scaleY, s), max(most, s)
			}
		}
	}
	if most == 0 {
		return 1, 1, 1 // none of the image can be projected
	}
	return finiteScale(scaleX), finiteScale(scaleY), most
}

// scalePlaces are where scale looks, in parts of the image's width and height.
var scalePlaces = [...]float64{0.1, 0.5, 0.9}

// finiteScale is s, or 1 where nothing was found.
func finiteScale(s float64) float64 {
	if math.IsInf(s, 0) {
		return 1
	}
	return s
}

// levelSlack is how much coarser than wanted a level may be: resolutions that
// are equal but for rounding, or nearly so, need no finer level.
const levelSlack = 1.02

// levelFor returns the coarsest level that is as fine as wanted, or the finest.
func (p *Pyramid) levelFor(scale float64) int {
	best := 0
	for i, l := range p.info.Levels {
		if max(l.ScaleX, l.ScaleY) <= scale*levelSlack {
			best = i
		}
	}
	return best
}

const (
	// maxWindowPixels is how much of a level one part may see before it is cut; a
	// tile sees up to four times as many pixels as it has.
	maxWindowPixels = 1 << 24

	// maxPartBytes is how much the blocks of a part may hold before it is cut: a
	// narrow view of wide strips holds a hundred times what it shows.
	maxPartBytes = 64 << 20
)

// parts cuts rect until what each part sees is bounded. Cutting changes no pixel,
// because a pixel follows from its place in the lattice only.
func (w *warp) parts(rect raster.Rect) ([]Part, error) {
	cells, window, err := w.cells(rect)
	if err != nil || len(cells) == 0 {
		return nil, err
	}
	p := Part{Rect: rect, cells: cells, onGrid: onGrid(cells)}
	x, y := p.reach(w.resampling)
	p.Window = raster.Rect{X0: window.X0 - x, Y0: window.Y0 - y, X1: window.X1 + x, Y1: window.Y1 + y}
	pixels := int64(p.Window.Width()) * int64(p.Window.Height())
	if pixels <= maxWindowPixels && w.level.CountCovering(p.Window)*w.blockBytes <= maxPartBytes || rect.Width()*rect.Height() == 1 {
		p.Blocks = w.level.Covering(p.Window)
		return []Part{p}, nil
	}
	a, b := halves(rect)
	first, err := w.parts(a)
	if err != nil {
		return nil, err
	}
	second, err := w.parts(b)
	return append(first, second...), err
}

// reach returns how far the kernels of a part look beyond the pixels under it.
func (p *Part) reach(r Resampling) (x, y int) {
	for i := range p.cells {
		kernelX, kernelY := p.kernels(r, &p.cells[i])
		x, y = max(x, kernelX.reach()), max(y, kernelY.reach())
	}
	return x, y
}

// kernels returns those of a cell of the part. Where each pixel of the view is one of
// the level, the neighbors, which may lie in other blocks, have no weight.
func (p *Part) kernels(r Resampling, k *cell) (x, y kernel) {
	x, y = kernelFor(r, k.scaleX), kernelFor(r, k.scaleY)
	if p.onGrid && x.interpolates && y.interpolates {
		return kernelFor(Nearest, 1), kernelFor(Nearest, 1)
	}
	return x, y
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
