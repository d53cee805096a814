package main

import (
	"math"
	"runtime"
	"sync"
)

// point is a place on the ground, in metres right of and below the upper left corner of the picture.
type point struct{ x, y float64 }

func (p point) to(q point) float64 { return math.Hypot(q.x-p.x, q.y-p.y) }

// grid is a number for each of many square cells.
type grid struct {
	width, height int
	cellMetres    float64
	values        []float32
}

func newGrid(width int, ground extent) *grid {
	cell := ground.width / float64(width)
	height := int(math.Round(ground.height / cell))
	return &grid{width: width, height: height, cellMetres: cell, values: make([]float32, width*height)}
}

// filledGrid asks for the value at the centre of each cell.
func filledGrid(width int, ground extent, value func(p point) float64) *grid {
	g := newGrid(width, ground)
	parallelRows(g.height, func(y int) {
		for x := range g.width {
			g.values[y*g.width+x] = float32(value(g.centre(x, y)))
		}
	})
	return g
}

func (g *grid) centre(x, y int) point {
	return point{(float64(x) + 0.5) * g.cellMetres, (float64(y) + 0.5) * g.cellMetres}
}

// at is the value of a cell, or of the nearest one beyond the edge.
func (g *grid) at(x, y int) float64 {
	x, y = min(max(x, 0), g.width-1), min(max(y, 0), g.height-1)
	return float64(g.values[y*g.width+x])
}

// nearest is the index of the cell that a point lies in.
func (g *grid) nearest(p point) int {
	x, y := int(p.x/g.cellMetres), int(p.y/g.cellMetres)
	return min(max(y, 0), g.height-1)*g.width + min(max(x, 0), g.width-1)
}

// linear is the value at a point, between four cells.
func (g *grid) linear(p point) float64 {
	fx, fy := p.x/g.cellMetres-0.5, p.y/g.cellMetres-0.5
	x, y := int(math.Floor(fx)), int(math.Floor(fy))
	tx, ty := fx-float64(x), fy-float64(y)
	return lerp(lerp(g.at(x, y), g.at(x+1, y), tx), lerp(g.at(x, y+1), g.at(x+1, y+1), tx), ty)
}

// cubic is the value at a point, between sixteen cells by B-splines: it has no creases that light could show.
func (g *grid) cubic(p point) float64 {
	fx, fy := p.x/g.cellMetres-0.5, p.y/g.cellMetres-0.5
	x, y := int(math.Floor(fx)), int(math.Floor(fy))
	across, down := splineWeights(fx-float64(x)), splineWeights(fy-float64(y))
	sum := 0.0
	for j, weightDown := range down {
		row := 0.0
		for i, weightAcross := range across {
			row += weightAcross * g.at(x+i-1, y+j-1)
		}
		sum += weightDown * row
	}
	return sum
}

func splineWeights(t float64) [4]float64 {
	s := 1 - t
	return [4]float64{
		s * s * s / 6,
		(4 - 6*t*t + 3*t*t*t) / 6,
		(4 - 6*s*s + 3*s*s*s) / 6,
		t * t * t / 6,
	}
}

// blurred is the grid seen through a bell curve of the given standard deviation.
func (g *grid) blurred(metres float64) *grid {
	// Three boxes one after the other are close to a bell.
	radius := max(int(math.Round(metres/g.cellMetres)), 1)
	out := &grid{g.width, g.height, g.cellMetres, append([]float32(nil), g.values...)}
	for range 3 {
		parallelRows(g.height, func(y int) { boxBlur(out.values[y*g.width:], g.width, 1, radius) })
		parallelRows(g.width, func(x int) { boxBlur(out.values[x:], g.height, g.width, radius) })
	}
	return out
}

// boxBlur averages count values, stride apart, with radius neighbours on either side.
func boxBlur(values []float32, count, stride, radius int) {
	line := make([]float64, count)
	for i := range line {
		line[i] = float64(values[i*stride])
	}
	at := func(i int) float64 { return line[min(max(i, 0), count-1)] }
	sum := 0.0
	for i := -radius; i <= radius; i++ {
		sum += at(i)
	}
	for i := range line {
		values[i*stride] = float32(sum / float64(2*radius+1))
		sum += at(i+radius+1) - at(i-radius)
	}
}

// parallelRows calls work for each row on all cores. Rows do not see each other, so the order cannot matter.
func parallelRows(rows int, work func(y int)) {
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for worker := range workers {
		group.Go(func() {
			for y := worker; y < rows; y += workers {
				work(y)
			}
		})
	}
	group.Wait()
}
