package terrain

import "bytes"

// spanPixels is how many gradients are made at a time: few enough to stay near the processor.
const spanPixels = 512

// walk goes over the inner pixels of a grid in spans of a row, and makes the gradients of each by the method of Horn: the
// weighted mean of three differences on either axis.
type walk struct {
	grid *Grid

	// rise is what a gradient of one becomes; with perPixel, a gradient is the difference to the next pixel, whatever
	// the distance.
	rise     float64
	perPixel bool

	row, column int // of the span, in the grid
	at          int // of its first pixel, in the result
	pixels      int

	east, south [spanPixels]float32
}

func (w *walk) next() bool {
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
	w.measure()
	return true
}

// measure makes the gradients of the span.
func (w *walk) measure() {
	g, n := w.grid, w.pixels
	scaleEast, scaleSouth := w.scales()
	first := w.row*g.Width + w.column - 1
	here := g.Heights[first:][: n+2 : n+2]
	above := g.Heights[first-g.Width:][: n+2 : n+2]
	below := g.Heights[first+g.Width:][: n+2 : n+2]
	gradients(w.east[:n], w.south[:n], above, here, below, scaleEast, scaleSouth)
	if g.Coverage != nil && w.hasHoles(first) {
		w.mend(first, scaleEast, scaleSouth)
	}
}

// hasHoles tells whether a height is missing among the neighbours of the span. first is the place of the one on its left.
func (w *walk) hasHoles(first int) bool {
	for _, from := range [3]int{first - w.grid.Width, first, first + w.grid.Width} {
		if bytes.IndexByte(w.grid.Coverage[from:][:w.pixels+2], 0) >= 0 {
			return true
		}
	}
	return false
}

// mend makes the gradients beside holes again.
func (w *walk) mend(first int, scaleEast, scaleSouth float32) {
	g, n := w.grid, w.pixels
	here := g.Coverage[first:][: n+2 : n+2]
	above := g.Coverage[first-g.Width:][: n+2 : n+2]
	below := g.Coverage[first+g.Width:][: n+2 : n+2]
	next := 0 // to mend
	for column, coverage := range here {
		if coverage != 0 && above[column] != 0 && below[column] != 0 {
			continue
		}
		for i := max(next, column-2); i <= min(column, n-1); i++ {
			hood := readNeighbourhood(g, first+1+i)
			w.east[i], w.south[i] = hood.gradient(scaleEast, scaleSouth)
		}
		next = column + 1
	}
}

func (w *walk) scales() (east, south float32) {
	if w.perPixel {
		return 1. / 8, 1. / 8
	}
	return float32(w.rise / (8 * w.grid.StepX[w.row])), float32(w.rise / (8 * w.grid.StepY[w.row]))
}

// heights are those of the pixels of the span.
func (w *walk) heights() []float32 {
	return w.grid.Heights[w.row*w.grid.Width+w.column:][:w.pixels]
}
