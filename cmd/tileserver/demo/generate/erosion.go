package main

import "math"

// terrain is the ground after erosion.
type terrain struct {
	height *grid // of the ground in meters; the sea is at 0
	filled *grid // of the ground, or of the surface of the lake above it
	sea    []bool
	places []point
	flow   *flow
}

// finestCells returns the width in cells of the finest erosion grid for a picture width.
func finestCells(width int) int { return width * 8 / 9 }

// steps are the grids for erosion, coarse to fine, each as a divisor of the finest width. Large
// valleys need many turns; small ones form quickly.
var steps = []struct{ share, turns int }{{4, 90}, {2, 24}, {1, 7}}

// wear builds the terrain on a grid of the given width.
func wear(width int) *terrain {
	var height *grid
	t := &terrain{}
	for _, s := range steps {
		height = roughened(height, newGrid(width/s.share, ground))
		t.survey(height)
		rising := filledGrid(height.width, ground, rise)
		for range s.turns {
			t.flow = route(height, t.sea, t.places)
			t.flow.erode(height, rising, t.sea)
		}
	}
	t.height = height.blurred(0.6 * height.metersPerCell)
	t.digLakes()
	t.filled = &grid{height.width, height.height, height.metersPerCell, append([]float32(nil), t.height.values...)}
	t.flow = route(t.filled, t.sea, t.places)
	return t
}

// roughened resamples a terrain to a finer grid and adds noise, from which streams start.
func roughened(coarse, fine *grid) *grid {
	parallelRows(fine.height, func(y int) {
		for x := range fine.width {
			p := fine.center(x, y)
			height := 3 * (1 + fractal(p, 12*fine.metersPerCell, 3, 81))
			if coarse != nil {
				height = coarse.cubic(p) + 0.3*height
			}
			fine.values[y*fine.width+x] = float32(height)
		}
	})
	return fine
}

// survey finds the sea of a grid and the points of its cells. Low ground without a connection to
// the sea is land.
func (t *terrain) survey(height *grid) {
	t.places = height.places()
	low := make([]bool, len(height.values))
	parallelRows(height.height, func(y int) {
		for x := range height.width {
			onEdge := x == 0 || y == 0 || x == height.width-1 || y == height.height-1
			low[y*height.width+x] = onEdge || inland(height.center(x, y)) <= 0
		}
	})
	t.sea = make([]bool, len(height.values))
	t.sea[0] = true // a corner; all edges are sea
	for open := []int{0}; len(open) > 0; {
		cell := open[len(open)-1]
		open = open[:len(open)-1]
		height.values[cell] = 0
		height.neighbors(cell, func(next int) {
			if low[next] && !t.sea[next] {
				t.sea[next] = true
				open = append(open, next)
			}
		})
	}
}

// erode raises the ground and cuts the rivers for one turn. In equilibrium, the slope of a river
// falls with the square root of the area it drains. Using the new height of the cell below (an
// implicit step) keeps large turns stable.
func (f *flow) erode(height, rising *grid, sea []bool) {
	const (
		cutting  = 0.09 // per turn, for a river that drains one square meter
		steepest = 600  // slope at one square meter, where the rise is 1
		talus    = 0.85 // maximum slope of rock
	)
	for _, cell := range f.order {
		if sea[cell] {
			continue
		}
		below, meters := float64(height.values[f.receiver[cell]]), float64(f.meters[cell])
		cut := cutting * math.Sqrt(float64(f.drained[cell])) / meters
		lifted := float64(height.values[cell]) + cutting*steepest*float64(rising.values[cell])
		height.values[cell] = float32(min((lifted+cut*below)/(1+cut), below+talus*meters))
	}
}
