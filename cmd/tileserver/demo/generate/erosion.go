package main

import "math"

// terrain is what the water has made of the ground.
type terrain struct {
	height *grid // of the ground in metres, the sea at 0
	filled *grid // of the ground, or of the lake above it
	sea    []bool
	places []point
	flow   *flow
}

// finestCells is how many cells there are across the finest grid that the water works on, for a picture of some width.
func finestCells(width int) int { return width * 8 / 9 }

// steps are the grids that the ground is worn on, as a share of the finest, coarse ones first: the great valleys need
// many turns and the small ones are quick.
var steps = []struct{ share, turns int }{{4, 90}, {2, 24}, {1, 7}}

// wear makes the terrain, on a grid of the given width.
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
	t.height = height.blurred(0.6 * height.cellMetres)
	t.digLakes()
	t.filled = &grid{height.width, height.height, height.cellMetres, append([]float32(nil), t.height.values...)}
	t.flow = route(t.filled, t.sea, t.places)
	return t
}

// roughened carries a terrain over to a finer grid, with some noise for the water to begin with.
func roughened(coarse, fine *grid) *grid {
	parallelRows(fine.height, func(y int) {
		for x := range fine.width {
			p := fine.centre(x, y)
			height := 3 * (1 + fractal(p, 12*fine.cellMetres, 3, 81))
			if coarse != nil {
				height = coarse.cubic(p) + 0.3*height
			}
			fine.values[y*fine.width+x] = float32(height)
		}
	})
	return fine
}

// survey finds the sea of a grid and the points of its cells. Low ground that the sea has no way to is land.
func (t *terrain) survey(height *grid) {
	t.places = height.places()
	low := make([]bool, len(height.values))
	parallelRows(height.height, func(y int) {
		for x := range height.width {
			onEdge := x == 0 || y == 0 || x == height.width-1 || y == height.height-1
			low[y*height.width+x] = onEdge || inland(height.centre(x, y)) <= 0
		}
	})
	t.sea = make([]bool, len(height.values))
	t.sea[0] = true // a corner, and all edges are sea
	for open := []int{0}; len(open) > 0; {
		cell := open[len(open)-1]
		open = open[:len(open)-1]
		height.values[cell] = 0
		height.neighbours(cell, func(next int) {
			if low[next] && !t.sea[next] {
				t.sea[next] = true
				open = append(open, next)
			}
		})
	}
}

// erode lets the ground rise and the rivers cut for one turn. The slope of a river in balance falls with the root of the
// area that it drains; taking the new height of the cell below makes large turns stable.
func (f *flow) erode(height, rising *grid, sea []bool) {
	const (
		cutting  = 0.09 // of a turn, at a river that drains one square metre
		steepest = 600  // slope at one square metre, where the rise is 1
		talus    = 0.85 // slope that rock bears
	)
	for _, cell := range f.order {
		if sea[cell] {
			continue
		}
		below, metres := float64(height.values[f.receiver[cell]]), float64(f.metres[cell])
		cut := cutting * math.Sqrt(float64(f.drained[cell])) / metres
		lifted := float64(height.values[cell]) + cutting*steepest*float64(rising.values[cell])
		height.values[cell] = float32(min((lifted+cut*below)/(1+cut), below+talus*metres))
	}
}
