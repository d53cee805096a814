package jp2k

import (
	"math"

	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// pixelGrid is the pixels of the image. Those of level d lie on the reference grid at multiples
// of DX<<d and DY<<d, which are the distances of samples of the finest components.
type pixelGrid struct {
	header *codestream.Header
	dx, dy int
	levels []codestream.Rect // all pixels of each; never empty
}

// newGrid is of the components that channels are made of. It has as many levels as all of
// them can be reduced to, as far as there are pixels in them.
func newGrid(h *codestream.Header, components []int) pixelGrid {
	g := pixelGrid{header: h, dx: math.MaxInt, dy: math.MaxInt}
	for _, c := range components {
		g.dx, g.dy = min(g.dx, h.Components[c].DX), min(g.dy, h.Components[c].DY)
	}
	halvings := math.MaxInt
	for _, c := range components {
		halvings = min(halvings, h.Levels(c)+g.coarseness(c))
	}
	for d := 0; d <= halvings; d++ {
		r := g.rect(d)
		if d > 0 && (r.Empty() || isOnePixel(g.levels[d-1])) {
			break
		}
		g.levels = append(g.levels, r)
	}
	return g
}

func isOnePixel(r codestream.Rect) bool { return r.Width() == 1 && r.Height() == 1 }

// rect is the pixels of level d.
func (g pixelGrid) rect(d int) codestream.Rect {
	i := g.header.Image
	return codestream.Rect{
		X0: ceilDivide(i.X0, g.dx<<d), Y0: ceilDivide(i.Y0, g.dy<<d),
		X1: ceilDivide(i.X1, g.dx<<d), Y1: ceilDivide(i.Y1, g.dy<<d),
	}
}

// coarseness is how many halvings a component is behind the grid, in the direction in which it
// is less.
func (g pixelGrid) coarseness(component int) int {
	c, halvings := g.header.Components[component], 0
	for g.dx<<(halvings+1) <= c.DX && g.dy<<(halvings+1) <= c.DY {
		halvings++
	}
	return halvings
}

// describe says of each level how it lies, cut into blocks of a size.
func (g pixelGrid) describe(blockWidth, blockHeight int) []raster.Level {
	levels := make([]raster.Level, len(g.levels))
	for d, r := range g.levels {
		scale := math.Ldexp(1, d)
		levels[d] = raster.Level{
			Width: r.Width(), Height: r.Height(), BlockWidth: blockWidth, BlockHeight: blockHeight,
			ScaleX: scale, ScaleY: scale,
			OffsetX: corner(r.X0, g.levels[0].X0, d), OffsetY: corner(r.Y0, g.levels[0].Y0, d),
		}
	}
	return levels
}

// corner is where the first pixel of level d begins, in pixels of level 0 from the first of
// them: its centre is that of the pixel that it was made of.
func corner(first, finest, d int) float64 {
	return float64(first<<d-finest) + 0.5 - math.Ldexp(0.5, d)
}

// view is how a component is seen at a level.
type view struct {
	component, reduction int
	all                  codestream.Rect // samples that there are of it
	across, down         axis
}

// axis is how pixels of a level and samples of a component correspond: pixel x lies on the
// reference grid at x*pixel, sample i at i*sample.
type axis struct{ pixel, sample int }

// same says that pixels are samples.
func (a axis) same() bool { return a.pixel == a.sample }

// at is the sample that pixel x shows, between the first and the last that there are: the one
// at its place or the next to the left of it, as encoders have them that mean several pixels.
func (a axis) at(x, begin, end int) int {
	return min(max(x*a.pixel/a.sample, begin), end-1)
}

// view reduces a component as far as that has all samples that pixels of the level need.
func (g pixelGrid) view(component, level int) view {
	c := g.header.Components[component]
	pixelX, pixelY := g.dx<<level, g.dy<<level
	reduction := 0
	for c.DX<<(reduction+1) <= pixelX && c.DY<<(reduction+1) <= pixelY {
		reduction++
	}
	reduction = min(reduction, g.header.Levels(component))
	return view{
		component: component, reduction: reduction, all: g.header.ComponentRect(component, reduction),
		across: axis{pixelX, c.DX << reduction}, down: axis{pixelY, c.DY << reduction},
	}
}

// direct says that the samples are the level's pixels as they are.
func (v view) direct() bool { return v.across.same() && v.down.same() }

// samples are those that pixels show.
func (v view) samples(pixels codestream.Rect) codestream.Rect {
	if v.direct() || v.all.Empty() || pixels.Empty() {
		return pixels.Intersect(v.all)
	}
	return codestream.Rect{
		X0: v.across.at(pixels.X0, v.all.X0, v.all.X1), Y0: v.down.at(pixels.Y0, v.all.Y0, v.all.Y1),
		X1: v.across.at(pixels.X1-1, v.all.X0, v.all.X1) + 1, Y1: v.down.at(pixels.Y1-1, v.all.Y0, v.all.Y1) + 1,
	}
}

func ceilDivide(a, b int) int { return (a + b - 1) / b }
