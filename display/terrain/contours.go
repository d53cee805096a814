package terrain

import "math"

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
	if err := lines.validate(); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	all := family{lines.Interval, (lines.Thickness + 1) / 2}
	index := family{}
	if lines.IndexEvery > 0 {
		index = family{float64(lines.IndexEvery) * lines.Interval, (lines.IndexThickness + 1) / 2}
	}
	w := walk{grid: grid, perPixel: true}
	for w.next() {
		contours(dst[w.at:][:w.pixels], w.heights(), w.east[:w.pixels], w.south[:w.pixels], all, index)
	}
	eraseMissing(dst, grid, 0)
	return nil
}

// family is lines of one thickness. A pixel less than its reach away is touched by a line: half the line and half the
// pixel.
type family struct{ interval, reach float64 }

func contours(dst []uint8, heights, east, south []float32, all, index family) {
	heights, east, south = heights[:len(dst)], east[:len(dst)], south[:len(dst)]
	for i := range dst {
		e, s, height := float64(east[i]), float64(south[i]), float64(heights[i])
		square := float64(e*e) + float64(s*s)
		if !(square > 0) {
			dst[i] = 0
			continue
		}
		gradient := math.Sqrt(square)
		part := all.part(height, gradient)
		if index.interval > 0 {
			part = max(part, index.part(height, gradient))
		}
		dst[i] = uint8(int32(float64(part*255) + 0.5))
	}
}

// part is how much of a pixel the nearest line covers.
func (f family) part(height, gradient float64) float64 {
	nearest := float64(math.Floor(height/f.interval+0.5) * f.interval)
	part := f.reach - math.Abs(height-nearest)/gradient
	if !(part > 0) {
		return 0
	}
	return min(part, 1)
}
