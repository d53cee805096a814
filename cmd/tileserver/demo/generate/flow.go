package main

// flow says where the water of each cell goes.
//
// Cells stand for points that are shaken out of their lattice: with eight neighbours in eight fixed directions, valleys
// would follow the lattice.
type flow struct {
	order    []int32   // all cells, each after the one it drains to
	receiver []int32   // the cell it drains to; itself for the sea
	metres   []float32 // the way there
	drained  []float32 // area in square metres, its own included
}

// place is where the point of a cell lies.
func (g *grid) place(cell int) point {
	x, y := cell%g.width, cell/g.width
	return point{
		(float64(x) + 0.5 + 0.7*(random(x, y, 7001)-0.5)) * g.cellMetres,
		(float64(y) + 0.5 + 0.7*(random(x, y, 7002)-0.5)) * g.cellMetres,
	}
}

// places holds the points of all cells, for the loops that ask again and again.
func (g *grid) places() []point {
	places := make([]point, len(g.values))
	parallelRows(g.height, func(y int) {
		for x := range g.width {
			places[y*g.width+x] = g.place(y*g.width + x)
		}
	})
	return places
}

// neighbours calls visit for the up to eight cells around one.
func (g *grid) neighbours(cell int, visit func(neighbour int)) {
	x, y := cell%g.width, cell/g.width
	for ny := max(y-1, 0); ny <= min(y+1, g.height-1); ny++ {
		for nx := max(x-1, 0); nx <= min(x+1, g.width-1); nx++ {
			if nx != x || ny != y {
				visit(ny*g.width + nx)
			}
		}
	}
}

// route fills the hollows of the terrain in place, so that all water reaches the sea, and finds its ways.
func route(height *grid, sea []bool, places []point) *flow {
	f := &flow{
		order:    fill(height, sea),
		receiver: make([]int32, len(height.values)),
		metres:   make([]float32, len(height.values)),
		drained:  make([]float32, len(height.values)),
	}
	parallelRows(height.height, func(y int) {
		for cell := y * height.width; cell < (y+1)*height.width; cell++ {
			f.descend(height, sea, places, cell)
		}
	})
	own := float32(height.cellMetres * height.cellMetres)
	for i := len(f.order) - 1; i >= 0; i-- {
		cell := f.order[i]
		f.drained[cell] += own
		if to := f.receiver[cell]; to != cell {
			f.drained[to] += f.drained[cell]
		}
	}
	return f
}

// descend picks the steepest way down from a cell.
func (f *flow) descend(height *grid, sea []bool, places []point, cell int) {
	f.receiver[cell] = int32(cell)
	if sea[cell] {
		return
	}
	steepest := float32(0)
	height.neighbours(cell, func(neighbour int) {
		metres := float32(places[cell].to(places[neighbour]))
		if slope := (height.values[cell] - height.values[neighbour]) / metres; slope > steepest {
			steepest = slope
			f.receiver[cell], f.metres[cell] = int32(neighbour), metres
		}
	})
}

// fill raises every hollow a little above its outlet and lists the cells from the sea upwards: the flood by priority.
func fill(height *grid, sea []bool) (order []int32) {
	const leastRise = 0.002 // metres from cell to cell, so that even plains drain
	var shore floodQueue
	reached := make([]bool, len(height.values))
	for cell, isSea := range sea {
		if isSea {
			reached[cell] = true
			order = append(order, int32(cell))
		}
	}
	for _, cell := range order {
		height.neighbours(int(cell), func(neighbour int) {
			if !reached[neighbour] {
				reached[neighbour] = true
				height.values[neighbour] = max(height.values[neighbour], leastRise)
				shore.push(flooded{height.values[neighbour], int32(neighbour)})
			}
		})
	}
	for len(shore) > 0 {
		lowest := shore.pop()
		order = append(order, lowest.cell)
		height.neighbours(int(lowest.cell), func(neighbour int) {
			if !reached[neighbour] {
				reached[neighbour] = true
				height.values[neighbour] = max(height.values[neighbour], lowest.height+leastRise)
				shore.push(flooded{height.values[neighbour], int32(neighbour)})
			}
		})
	}
	return order
}
