package pixels

import (
	"math"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// pixelGrid is the grid of the image's pixels. Pixels of level d lie on the reference grid at
// multiples of DX<<d and DY<<d, the sample distances of the finest components.
type pixelGrid struct {
	header *codestream.Header
	dx, dy int
	levels []wavelet.Rect // pixels of each level; never empty
}

// newGrid returns the grid for the components of an image's channels. It has the levels that all of
// them have, as long as these have pixels.
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

func isOnePixel(r wavelet.Rect) bool { return r.Width() == 1 && r.Height() == 1 }

// rect returns the pixels of level d.
func (g pixelGrid) rect(d int) wavelet.Rect {
	return codestream.Sampled(g.header.Image, g.dx<<d, g.dy<<d)
}

// coarseness returns the number of halvings between the grid and a component, in the direction with
// fewer.
func (g pixelGrid) coarseness(component int) int {
	c, halvings := g.header.Components[component], 0
	for g.dx<<(halvings+1) <= c.DX && g.dy<<(halvings+1) <= c.DY {
		halvings++
	}
	return halvings
}

// describe returns the levels, divided into blocks of the given size.
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

// corner returns the position of the left edge of level d's first pixel, in pixels of level 0. The
// center of that pixel is the center of the level 0 pixel that it was made from.
func corner(first, finest, d int) float64 {
	return float64(first<<d-finest) + 0.5 - math.Ldexp(0.5, d)
}

// sampling relates the pixels of a level to the samples of a component.
type sampling struct {
	component, reduction int
	all                  wavelet.Rect // all samples of the component
	across, down         axis
}

// axis relates pixels and samples in one direction: pixel x lies on the reference grid at x*pixel,
// sample i at i*sample.
type axis struct{ pixel, sample int }

// same reports whether pixels are samples.
func (a axis) same() bool { return a.pixel == a.sample }

// at returns the sample of pixel x, between begin and end: the sample at its position, or the next
// one to the left, which encoders average from several pixels.
func (a axis) at(x, begin, end int) int {
	return min(max(x*a.pixel/a.sample, begin), end-1)
}

// sampling returns the sampling of a component at a level. It reduces the component as far as it
// keeps all samples that the level needs.
func (g pixelGrid) sampling(component, level int) sampling {
	c := g.header.Components[component]
	pixelX, pixelY := g.dx<<level, g.dy<<level
	reduction := 0
	for c.DX<<(reduction+1) <= pixelX && c.DY<<(reduction+1) <= pixelY {
		reduction++
	}
	reduction = min(reduction, g.header.Levels(component))
	return sampling{
		component: component, reduction: reduction, all: g.header.ComponentRect(component, reduction),
		across: axis{pixelX, c.DX << reduction}, down: axis{pixelY, c.DY << reduction},
	}
}

// direct reports whether the samples are the pixels of the level.
func (s sampling) direct() bool { return s.across.same() && s.down.same() }

// samples returns the samples of a rectangle of pixels.
func (s sampling) samples(pixels wavelet.Rect) wavelet.Rect {
	if s.direct() || s.all.Empty() || pixels.Empty() {
		return pixels.Intersect(s.all)
	}
	return wavelet.Rect{
		X0: s.across.at(pixels.X0, s.all.X0, s.all.X1), Y0: s.down.at(pixels.Y0, s.all.Y0, s.all.Y1),
		X1: s.across.at(pixels.X1-1, s.all.X0, s.all.X1) + 1, Y1: s.down.at(pixels.Y1-1, s.all.Y0, s.all.Y1) + 1,
	}
}
