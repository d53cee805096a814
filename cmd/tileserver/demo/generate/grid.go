package main

import (
	"math"
	"runtime"
	"sync"
)

// point is a point on the ground, in meters right of and below the upper left corner of the
// picture.
type point struct{ x, y float64 }

func (p point) to(q point) float64 { return math.Hypot(q.x-p.x, q.y-p.y) }

// grid holds a value for each of many square cells.
type grid struct {
	width, height int
	metersPerCell float64
	values        []float32
}

func newGrid(width int, ground extent) *grid {
	cell := ground.width / float64(width)
	height := int(math.Round(ground.height / cell))
	return &grid{width: width, height: height, metersPerCell: cell, values: make([]float32, width*height)}
}

// filledGrid returns a grid with the value at the center of each cell.
func filledGrid(width int, ground extent, value func(p point) float64) *grid {
	g := newGrid(width, ground)
	parallelRows(g.height, func(y int) {
		for x := range g.width {
			g.values[y*g.width+x] = float32(value(g.center(x, y)))
		}
	})
	return g
}

func (g *grid) center(x, y int) point {
	return point{(float64(x) + 0.5) * g.metersPerCell, (float64(y) + 0.5) * g.metersPerCell}
}

// at returns the value of a cell, or of the nearest cell if it is outside.
func (g *grid) at(x, y int) float64 {
	x, y = min(max(x, 0), g.width-1), min(max(y, 0), g.height-1)
	return float64(g.values[y*g.width+x])
}

// nearest returns the index of the cell that contains a point.
func (g *grid) nearest(p point) int {
	x, y := int(p.x/g.metersPerCell), int(p.y/g.metersPerCell)
	return min(max(y, 0), g.height-1)*g.width + min(max(x, 0), g.width-1)
}

// linear returns the value at a point by bilinear interpolation.
func (g *grid) linear(p point) float64 {
	fx, fy := p.x/g.metersPerCell-0.5, p.y/g.metersPerCell-0.5
	x, y := int(math.Floor(fx)), int(math.Floor(fy))
	tx, ty := fx-float64(x), fy-float64(y)
	return lerp(lerp(g.at(x, y), g.at(x+1, y), tx), lerp(g.at(x, y+1), g.at(x+1, y+1), tx), ty)
}

// cubic returns the value at a point by cubic B-spline interpolation. The result has no creases
// that hill shading could show.
func (g *grid) cubic(p point) float64 {
	fx, fy := p.x/g.metersPerCell-0.5, p.y/g.metersPerCell-0.5
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

// blurred returns the grid after a Gaussian blur of the given standard deviation.
func (g *grid) blurred(meters float64) *grid {
	// Three successive box blurs approximate a Gaussian.
	radius := max(int(math.Round(meters/g.metersPerCell)), 1)
	out := &grid{g.width, g.height, g.metersPerCell, append([]float32(nil), g.values...)}
	for range 3 {
		parallelRows(g.height, func(y int) { boxBlur(out.values[y*g.width:], g.width, 1, radius) })
		parallelRows(g.width, func(x int) { boxBlur(out.values[x:], g.height, g.width, radius) })
	}
	return out
}

// boxBlur averages each of count values, stride apart, with radius neighbors on either side.
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

// parallelRows calls work for each row on all cores. Rows are independent, so their order has no
// effect.
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
