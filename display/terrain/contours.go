package terrain

import (
	"fmt"
	"math"
)

// Lines are contour lines.
type Lines struct {
	Interval  float64 // of the heights between two lines
	Thickness float64 // in pixels

	// Every IndexEvery-th line, counted from height 0, is as thick as IndexThickness says. 0 is none.
	IndexEvery     int
	IndexThickness float64
}

// Contours draws lines of equal height: 255 where a pixel is wholly on one, 0 where none is near. How far a line is from
// a pixel is the difference of their heights over the gradient, so that lines are smooth, and join across tiles. Ground
// without any gradient has no line, even if its height is just that of one: a sea is not a line. 0 is also a pixel without
// height.
func Contours(dst []uint8, grid *Grid, lines Lines) error {
	return drawContours(dst, nil, grid, lines)
}

// CasingPixels is how far the casing of a line reaches beyond the line on each side.
const CasingPixels = 1.25

// CasedContours draws the lines of Contours, and their casing: 255 where a pixel is on a line or wholly within
// CasingPixels of one. A map that shows the casing in another tone than the lines shows them on any ground.
func CasedContours(dst, casing []uint8, grid *Grid, lines Lines) error {
	if len(casing) != len(dst) {
		return fmt.Errorf("%w: %d results and %d of the casing", ErrGrid, len(dst), len(casing))
	}
	return drawContours(dst, casing, grid, lines)
}

// drawContours leaves out a casing of nil.
func drawContours(dst, casing []uint8, grid *Grid, lines Lines) error {
	if err := lines.validate(); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	families := []family{{lines.Interval, (lines.Thickness + 1) / 2}}
	if lines.IndexEvery > 0 {
		families = append(families, family{float64(lines.IndexEvery) * lines.Interval, (lines.IndexThickness + 1) / 2})
	}
	w := walk{grid: grid, perPixel: true}
	for w.next() {
		var around []uint8
		if casing != nil {
			around = casing[w.at:][:w.pixels]
		}
		contours(dst[w.at:][:w.pixels], around, &w, families)
	}
	eraseMissing(dst, grid, 0)
	if casing != nil {
		eraseMissing(casing, grid, 0)
	}
	return nil
}

// family is lines of one thickness. A pixel less than its reach away is touched by a line: half the line and half the
// pixel.
type family struct{ interval, reach float64 }

// contours draws the span of a walk.
func contours(dst, casing []uint8, w *walk, families []family) {
	heights, east, south := w.heights()[:len(dst)], w.east[:len(dst)], w.south[:len(dst)]
	for i := range dst {
		e, s := float64(east[i]), float64(south[i])
		within := math.Inf(-1)
		if square := float64(e*e) + float64(s*s); square > 0 {
			gradient := math.Sqrt(square)
			for _, lines := range families {
				within = max(within, lines.within(float64(heights[i]), gradient))
			}
		}
		dst[i] = covered(within)
		if casing != nil {
			casing[i] = covered(within + CasingPixels)
		}
	}
}

// within is how many pixels a pixel is inside the reach of the nearest line, and negative outside of it.
func (f family) within(height, gradient float64) float64 {
	nearest := float64(math.Floor(height/f.interval+0.5) * f.interval)
	return f.reach - math.Abs(height-nearest)/gradient
}

// covered is the part of a pixel that a line covers, of 255.
func covered(within float64) uint8 {
	if !(within > 0) {
		return 0
	}
	return uint8(int32(float64(min(within, 1)*255) + 0.5))
}
