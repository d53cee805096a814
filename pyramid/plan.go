package pyramid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tileserver/geo"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// ErrNoCRS means that an image cannot be put on a map.
var ErrNoCRS = errors.New("the image has no known place on the earth")

// ErrInvalidView rejects a view that cannot be rendered.
var ErrInvalidView = errors.New("invalid view")

// Plan lists the blocks of a level that a view needs, and maps view pixels to level pixels.
type Plan struct {
	View  View
	Level int
	Bands []int  // that are read; the opacity of the view comes last
	Parts []Part // empty if the view shows nothing of the image

	// ScaleX and ScaleY are the size of a view pixel in pixels of the level, at the place of the
	// image where that is smallest.
	ScaleX, ScaleY float64
}

// Part is a rectangle of a view that is read in one call. A view is one part unless distortion
// makes the window too large.
type Part struct {
	Rect   raster.Rect // in columns and rows of the lattice
	Window raster.Rect // pixels of the level, including those that kernels reach
	Blocks []raster.BlockID
	cells  []cell
	onGrid bool // each pixel is a pixel of the level
}

// Blocks lists the blocks of all parts. A block may occur more than once.
func (p *Plan) Blocks() []raster.BlockID {
	var ids []raster.BlockID
	for i := range p.Parts {
		ids = append(ids, p.Parts[i].Blocks...)
	}
	return ids
}

// Plan computes what a view needs. It reads nothing.
func (p *Pyramid) Plan(ctx context.Context, v View) (Plan, error) {
	if err := p.check(v); err != nil {
		return Plan{}, err
	}
	j, err := p.projectionOfPlan(v.Lattice.CRS)
	if err != nil {
		return Plan{}, err
	}
	scaleX, scaleY, maxScale := p.scale(&j, v.Lattice)
	if maxScale < minScale {
		return Plan{}, tooFine(v.Lattice.CRS)
	}
	level := p.levelFor(min(scaleX, scaleY))
	l := p.info.Levels[level]
	plan := Plan{View: v, Level: level, Bands: p.bandsOf(v), ScaleX: scaleX / l.ScaleX, ScaleY: scaleY / l.ScaleY}
	w := warp{
		ctx: ctx, projection: &j, lattice: v.Lattice, level: l, resampling: p.resampling(v),
		scaleX: plan.ScaleX, scaleY: plan.ScaleY,
		tolerance:  max(min(plan.ScaleX, plan.ScaleY, 1)*maxWarpError, minTolerance),
		blockBytes: raster.BufferBytes(p.info.Type, l.BlockWidth, l.BlockHeight, len(plan.Bands)),
	}
	w.across, w.down = p.spans(&plan)
	w.footprint = p.footprint(v.Lattice)
	w.findLandmarks(p.info.Levels[0])
	plan.Parts, err = w.parts(v.Rect)
	return plan, err
}

// tooFine rejects a view that shows only a tiny part of a pixel. In a projected system the client
// usually meant degrees.
func tooFine(crs *geo.CRS) error {
	if crs != nil && !crs.IsGeographic() {
		return fmt.Errorf("%w: it is far smaller than a pixel of the image; are these degrees? Then leave crs out", ErrInvalidView)
	}
	return fmt.Errorf("%w: it is far smaller than a pixel of the image", ErrInvalidView)
}

// resampling returns the resampling of a view. It is Nearest for classes, which must not be
// averaged.
func (p *Pyramid) resampling(v View) resample.Method {
	if p.info.IsClassified(v.Bands) {
		return resample.Nearest
	}
	return v.Resampling
}

// bandsOf returns the bands that a view reads.
func (p *Pyramid) bandsOf(v View) []int {
	bands := v.Bands
	if bands == nil {
		bands = p.info.AllBands()
	}
	if v.Alpha >= 0 {
		bands = append(slices.Clone(bands), v.Alpha)
	}
	return bands
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

// minScale is the smallest fraction of an image pixel that a view pixel may show. Positions are not
// precise enough below it.
const minScale = 1.0 / (1 << 14)

const (
	maxLatticeIndex = 1 << 40 // keeps arithmetic on lattice pixels exact
	maxViewSide     = 1 << 16
)

// scale returns the size of a lattice pixel in pixels of level 0, in x and in y, where it is
// smallest, and the maximum of either anywhere. It samples fixed points of the image and ignores
// the view, so that all views of a lattice use the same level.
func (p *Pyramid) scale(j *projection, lattice geo.Lattice) (scaleX, scaleY, maxScale float64) {
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
				scaleX, maxScale = min(scaleX, s), max(maxScale, s)
			}
			if s := math.Hypot(below.X-at.X, below.Y-at.Y); s > 0 {
				scaleY, maxScale = min(scaleY, s), max(maxScale, s)
			}
		}
	}
	if maxScale == 0 {
		return 1, 1, 1 // no point of the image can be projected
	}
	return finiteScale(scaleX), finiteScale(scaleY), maxScale
}

// scalePlaces are the sample points of scale, as fractions of the image's width and height.
var scalePlaces = [...]float64{0.1, 0.5, 0.9}

// finiteScale returns s, or 1 if s is infinite because nothing was found.
func finiteScale(s float64) float64 {
	if math.IsInf(s, 0) {
		return 1
	}
	return s
}

// levelFor returns the coarsest level that is at least as fine as scale, or the finest level.
func (p *Pyramid) levelFor(scale float64) int {
	best := 0
	for i, l := range p.info.Levels {
		if max(l.ScaleX, l.ScaleY) <= scale*resample.ScaleSlack {
			best = i
		}
	}
	return best
}

const (
	// maxWindowPixels limits the window of a part; a larger part is split. A map tile normally uses
	// up to four times its own pixels.
	maxWindowPixels = 1 << 24

	// maxPartBytes limits the size of the blocks of a part; a larger part is split. A narrow view
	// of wide strips needs a hundred times the pixels that it shows.
	maxPartBytes = 64 << 20

	// inseparableBlocks is how many blocks a part may have whatever their size: a pixel beside the edge
	// between two needs both.
	inseparableBlocks = 2
)

// parts splits rect until each part is within the limits. Splitting changes no pixel, because a
// pixel depends only on its position in the lattice.
func (w *warp) parts(rect raster.Rect) ([]Part, error) {
	cells, window, err := w.cells(rect)
	if err != nil || len(cells) == 0 {
		return nil, err
	}
	p := Part{Rect: rect, cells: cells, onGrid: onGrid(cells)}
	x, y := p.reach(w.resampling)
	p.Window = raster.Rect{X0: window.X0 - x, Y0: window.Y0 - y, X1: window.X1 + x, Y1: window.Y1 + y}
	if w.isWithinLimits(p.Window) || rect.Width()*rect.Height() == 1 {
		p.Blocks = w.level.Covering(p.Window)
		return []Part{p}, nil
	}
	a, b := splitRect(rect)
	first, err := w.parts(a)
	if err != nil {
		return nil, err
	}
	second, err := w.parts(b)
	return append(first, second...), err
}

// isWithinLimits reports whether a part with a window need not be split.
func (w *warp) isWithinLimits(window raster.Rect) bool {
	blocks := w.level.CountCovering(window)
	isSmall := int64(window.Width())*int64(window.Height()) <= maxWindowPixels
	return isSmall && (blocks <= inseparableBlocks || blocks*w.blockBytes <= maxPartBytes)
}

// reach returns how far the kernels of a part extend beyond the pixels under it.
func (p *Part) reach(m resample.Method) (x, y int) {
	for i := range p.cells {
		kernelX, kernelY := p.kernels(m, &p.cells[i])
		x, y = max(x, kernelX.Reach()), max(y, kernelY.Reach())
	}
	return x, y
}

// kernels returns the kernels of a cell of the part. If each view pixel is a level pixel, the
// kernels are Nearest, because the neighbors, which may lie in other blocks, have no weight.
func (p *Part) kernels(m resample.Method, k *cell) (x, y resample.Kernel) {
	x, y = m.Kernel(k.scaleX), m.Kernel(k.scaleY)
	if p.onGrid && x.Interpolates() && y.Interpolates() {
		return resample.Nearest.Kernel(1), resample.Nearest.Kernel(1)
	}
	return x, y
}

func splitRect(r raster.Rect) (a, b raster.Rect) {
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
