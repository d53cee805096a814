package terrain

import "bytes"

// spanPixels is the number of gradients computed at a time. They fit the first-level cache.
const spanPixels = 512

// A spanIterator visits the inner pixels of a grid in spans of a row and computes their gradients
// by the method of Horn: the weighted mean of three differences along each axis.
type spanIterator struct {
	grid *Grid

	// exaggeration is the factor of gradients. With perPixel, gradients are height differences per
	// pixel, whatever the ground distance.
	exaggeration float64
	perPixel     bool

	row, column int // of the span, in the grid
	at          int // index of the first pixel of the span in the result
	pixels      int // of the span

	east, south [spanPixels]float32
}

func (w *spanIterator) next() bool {
	width, height := w.grid.inner()
	if w.pixels == 0 {
		w.row, w.column = 1, 1
	} else if w.column += w.pixels; w.column > width {
		w.row, w.column = w.row+1, 1
	}
	if w.row > height {
		return false
	}
	w.pixels = min(spanPixels, width+1-w.column)
	w.at = (w.row-1)*width + w.column - 1
	w.computeGradients()
	return true
}

// computeGradients computes the gradients of the span.
func (w *spanIterator) computeGradients() {
	g, n := w.grid, w.pixels
	scaleEast, scaleSouth := w.scales()
	first := w.row*g.Width + w.column - 1
	here := g.Heights[first:][: n+2 : n+2]
	above := g.Heights[first-g.Width:][: n+2 : n+2]
	below := g.Heights[first+g.Width:][: n+2 : n+2]
	gradients(w.east[:n], w.south[:n], above, here, below, scaleEast, scaleSouth)
	if g.Coverage != nil && w.hasHoles(first) {
		w.recomputeNearHoles(first, scaleEast, scaleSouth)
	}
}

// hasHoles reports whether a height is missing in or around the span. First is the index of the
// pixel to the left of the span.
func (w *spanIterator) hasHoles(first int) bool {
	for _, from := range [3]int{first - w.grid.Width, first, first + w.grid.Width} {
		if bytes.IndexByte(w.grid.Coverage[from:][:w.pixels+2], 0) >= 0 {
			return true
		}
	}
	return false
}

// recomputeNearHoles computes the gradients beside holes again, with substituted heights.
func (w *spanIterator) recomputeNearHoles(first int, scaleEast, scaleSouth float32) {
	g, n := w.grid, w.pixels
	here := g.Coverage[first:][: n+2 : n+2]
	above := g.Coverage[first-g.Width:][: n+2 : n+2]
	below := g.Coverage[first+g.Width:][: n+2 : n+2]
	next := 0 // first pixel that may need it
	for column, coverage := range here {
		if coverage != 0 && above[column] != 0 && below[column] != 0 {
			continue
		}
		for i := max(next, column-2); i <= min(column, n-1); i++ {
			neighbors := readNeighborhood(g, first+1+i)
			w.east[i], w.south[i] = neighbors.gradient(scaleEast, scaleSouth)
		}
		next = column + 1
	}
}

func (w *spanIterator) scales() (east, south float32) {
	if w.perPixel {
		return 1. / 8, 1. / 8
	}
	return float32(w.exaggeration / (8 * w.grid.StepX[w.row])), float32(w.exaggeration / (8 * w.grid.StepY[w.row]))
}

// heights returns the heights of the span.
func (w *spanIterator) heights() []float32 {
	return w.grid.Heights[w.row*w.grid.Width+w.column:][:w.pixels]
}
