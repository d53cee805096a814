package main

// flow is the drainage of each cell.
//
// Each cell stands for a point that is randomly displaced from its lattice position. On the regular
// lattice, the eight fixed directions would show in the valleys.
type flow struct {
	order    []int32   // all cells, each after the one it drains to
	receiver []int32   // the cell it drains to; itself for the sea
	meters   []float32 // distance to the receiver
	drained  []float32 // area in square meters, including its own
}

// place returns the point of a cell.
func (g *grid) place(cell int) point {
	x, y := cell%g.width, cell/g.width
	return point{
		(float64(x) + 0.5 + 0.7*(random(x, y, 7001)-0.5)) * g.metersPerCell,
		(float64(y) + 0.5 + 0.7*(random(x, y, 7002)-0.5)) * g.metersPerCell,
	}
}

// places returns the points of all cells, computed once for loops that need them often.
func (g *grid) places() []point {
	places := make([]point, len(g.values))
	parallelRows(g.height, func(y int) {
		for x := range g.width {
			places[y*g.width+x] = g.place(y*g.width + x)
		}
	})
	return places
}

// neighbors calls visit for the up to eight cells around a cell.
func (g *grid) neighbors(cell int, visit func(neighbor int)) {
	x, y := cell%g.width, cell/g.width
	for ny := max(y-1, 0); ny <= min(y+1, g.height-1); ny++ {
		for nx := max(x-1, 0); nx <= min(x+1, g.width-1); nx++ {
			if nx != x || ny != y {
				visit(ny*g.width + nx)
			}
		}
	}
}

// route fills the hollows of the terrain in place, so that all water reaches the sea, and returns
// the drainage.
func route(height *grid, sea []bool, places []point) *flow {
	f := &flow{
		order:    fill(height, sea),
		receiver: make([]int32, len(height.values)),
		meters:   make([]float32, len(height.values)),
		drained:  make([]float32, len(height.values)),
	}
	parallelRows(height.height, func(y int) {
		for cell := y * height.width; cell < (y+1)*height.width; cell++ {
			f.descend(height, sea, places, cell)
		}
	})
	own := float32(height.metersPerCell * height.metersPerCell)
	for i := len(f.order) - 1; i >= 0; i-- {
		cell := f.order[i]
		f.drained[cell] += own
		if to := f.receiver[cell]; to != cell {
			f.drained[to] += f.drained[cell]
		}
	}
	return f
}

// descend sets the receiver of a cell to its steepest downhill neighbor.
func (f *flow) descend(height *grid, sea []bool, places []point, cell int) {
	f.receiver[cell] = int32(cell)
	if sea[cell] {
		return
	}
	steepest := float32(0)
	height.neighbors(cell, func(neighbor int) {
		meters := float32(places[cell].to(places[neighbor]))
		if slope := (height.values[cell] - height.values[neighbor]) / meters; slope > steepest {
			steepest = slope
			f.receiver[cell], f.meters[cell] = int32(neighbor), meters
		}
	})
}

// fill raises every hollow a little above its outlet and returns the cells from the sea upward. The
// algorithm is priority-flood.
func fill(height *grid, sea []bool) (order []int32) {
	const leastRise = 0.002 // meters between cells, so that even plains drain
	var shore floodQueue
	reached := make([]bool, len(height.values))
	for cell, isSea := range sea {
		if isSea {
			reached[cell] = true
			order = append(order, int32(cell))
		}
	}
	for _, cell := range order {
		height.neighbors(int(cell), func(neighbor int) {
			if !reached[neighbor] {
				reached[neighbor] = true
				height.values[neighbor] = max(height.values[neighbor], leastRise)
				shore.push(flooded{height.values[neighbor], int32(neighbor)})
			}
		})
	}
	for len(shore) > 0 {
		lowest := shore.pop()
		order = append(order, lowest.cell)
		height.neighbors(int(lowest.cell), func(neighbor int) {
			if !reached[neighbor] {
				reached[neighbor] = true
				height.values[neighbor] = max(height.values[neighbor], lowest.height+leastRise)
				shore.push(flooded{height.values[neighbor], int32(neighbor)})
			}
		})
	}
	return order
}
