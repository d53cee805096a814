package terrain

import (
	"fmt"
	"math"
)

// Lines describes contour lines.
type Lines struct {
	Interval  float64 // height between two lines
	Thickness float64 // in pixels

	// Every IndexEvery-th line, counted from height 0, has the thickness IndexThickness. 0 means
	// none.
	IndexEvery     int
	IndexThickness float64
}

// Contours draws lines of equal height. A pixel fully on a line is 255, and a pixel away from lines
// is 0. The distance of a pixel from a line is their difference in height divided by the gradient,
// so that lines are smooth and join across tiles. Ground without gradient has no line, even at the
// height of one: otherwise a sea would be one large line. Pixels without height are 0 as well.
func Contours(dst []uint8, grid *Grid, lines Lines) error {
	return drawContours(dst, nil, grid, lines)
}

// CasingPixels is how far the casing extends beyond a line on each side, in pixels.
const CasingPixels = 1.25

// CasedContours draws the lines of Contours and their casing, which is 255 for pixels on a line or
// fully within CasingPixels of one. Drawn in a contrasting tone, the casing makes lines visible on
// any background.
func CasedContours(dst, casing []uint8, grid *Grid, lines Lines) error {
	if len(casing) != len(dst) {
		return fmt.Errorf("%w: %d results and %d of the casing", ErrGrid, len(dst), len(casing))
	}
	return drawContours(dst, casing, grid, lines)
}

// drawContours draws lines, and their casing unless it is nil.
func drawContours(dst, casing []uint8, grid *Grid, lines Lines) error {
	if err := lines.validate(); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	classes := []lineClass{{lines.Interval, (lines.Thickness + 1) / 2}}
	if lines.IndexEvery > 0 {
		classes = append(classes, lineClass{float64(lines.IndexEvery) * lines.Interval, (lines.IndexThickness + 1) / 2})
	}
	w := spanIterator{grid: grid, perPixel: true}
	for w.next() {
		var casingSpan []uint8
		if casing != nil {
			casingSpan = casing[w.at:][:w.pixels]
		}
		contours(dst[w.at:][:w.pixels], casingSpan, &w, classes)
	}
	eraseMissing(dst, grid, 0)
	if casing != nil {
		eraseMissing(casing, grid, 0)
	}
	return nil
}

// A lineClass holds the lines of one thickness. A line touches pixels within its reach: half the
// line and half a pixel.
type lineClass struct{ interval, reach float64 }

// contours draws a span.
func contours(dst, casing []uint8, w *spanIterator, classes []lineClass) {
	heights, east, south := w.heights()[:len(dst)], w.east[:len(dst)], w.south[:len(dst)]
	for i := range dst {
		e, s := float64(east[i]), float64(south[i])
		within := math.Inf(-1)
		if square := float64(e*e) + float64(s*s); square > 0 {
			gradient := math.Sqrt(square)
			for _, lines := range classes {
				within = max(within, lines.within(float64(heights[i]), gradient))
			}
		}
		dst[i] = coverageOf(within)
		if casing != nil {
			casing[i] = coverageOf(within + CasingPixels)
		}
	}
}

// within returns how far a pixel is inside the reach of the nearest line, in pixels. Outside it is
// negative.
func (f lineClass) within(height, gradient float64) float64 {
	nearest := float64(math.Floor(height/f.interval+0.5) * f.interval)
	return f.reach - math.Abs(height-nearest)/gradient
}

// coverageOf returns the coverage of a pixel by a line, from 0 to 255.
func coverageOf(within float64) uint8 {
	if !(within > 0) {
		return 0
	}
	return uint8(int32(float64(min(within, 1)*255) + 0.5))
}
