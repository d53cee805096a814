package pyramid

import (
	"math"

	"tileserver/raster"
)

// cell is a square of lattice pixels in which positions are interpolated.
type cell struct {
	rect  raster.Rect // the part that a view needs
	x, y  int         // its upper left pixel in the lattice
	shift uint        // its side is 2^shift pixels

	corners // the positions under them

	// scaleX and scaleY are the size of a lattice pixel here, in pixels of the level along its x
	// and y axes.
	scaleX, scaleY float64

	relief *relief // nil on level ground
}

// corners holds two numbers at the centers of the upper left pixel of a cell and of the first pixels
// of the cells to the right, below, and diagonally below.
type corners struct{ u, v [4]int64 }

// newCell returns a cell with positions interpolated between its corners.
func newCell(rect raster.Rect, x, y int, shift uint, nine *[9]node) cell {
	size := float64(int(1) << shift)
	right, below := nine[2], nine[6]
	return cell{
		rect: rect, x: x, y: y, shift: shift,
		corners: corners{
			u: fixed(nine[0].u, right.u, below.u, nine[8].u),
			v: fixed(nine[0].v, right.v, below.v, nine[8].v),
		},
		scaleX: math.Hypot(right.u-nine[0].u, below.u-nine[0].u) / size,
		scaleY: math.Hypot(right.v-nine[0].v, below.v-nine[0].v) / size,
	}
}

func fixed(a, b, c, d float64) [4]int64 {
	return [4]int64{toFixed(a), toFixed(b), toFixed(c), toFixed(d)}
}

func constant(a float64) [4]int64 { return [4]int64{toFixed(a)} }

func toFixed(a float64) int64 { return int64(math.Round(a * onePixel)) }

// positionSlack exceeds the rounding error of interpolation.
const positionSlack = onePixel >> 8

// extent returns the rectangle of level pixels under all pixels of k.
func (k *cell) extent() raster.Rect {
	r := raster.Rect{X0: math.MaxInt, Y0: math.MaxInt, X1: math.MinInt, Y1: math.MinInt}
	for _, y := range [...]int{k.rect.Y0, k.rect.Y1 - 1} {
		line := k.line(y)
		for _, x := range [...]int{k.rect.X0, k.rect.X1 - 1} {
			u, v := line.at(x - k.x)
			r.X0, r.X1 = min(r.X0, int((u-positionSlack)>>fractionBits)), max(r.X1, int((u+positionSlack)>>fractionBits)+1)
			r.Y0, r.Y1 = min(r.Y0, int((v-positionSlack)>>fractionBits)), max(r.Y1, int((v+positionSlack)>>fractionBits)+1)
		}
	}
	if k.relief != nil {
		r = k.relief.grow(r)
	}
	return r
}

// onGrid reports whether all positions are pixel centers, to the precision that kernels
// distinguish.
func onGrid(cells []cell) bool {
	for i := range cells {
		if !cells[i].onGrid() {
			return false
		}
	}
	return true
}

func (k *cell) onGrid() bool {
	if k.relief != nil {
		return false
	}
	if k.isSurelyOnGrid() {
		return true
	}
	for y := k.rect.Y0; y < k.rect.Y1; y++ {
		l := k.line(y)
		u, v := l.at(k.rect.X0 - k.x)
		n := int64(k.rect.Width())
		if offGrid(u-halfPixel)+n*offGrid(l.stepU) >= halfPhase || offGrid(v-halfPixel)+n*offGrid(l.stepV) >= halfPhase {
			return false
		}
	}
	return true
}

// isSurelyOnGrid is a fast test that recognizes most cells on the grid without a look at each row.
// It tests whether the first pixel, the steps across and down, and the twist of the cell are whole
// within the precision.
func (k *cell) isSurelyOnGrid() bool {
	first := k.line(k.rect.Y0)
	u, v := first.at(k.rect.X0 - k.x)
	width, height := int64(k.rect.Width()), int64(k.rect.Height())
	off := func(at, step int64, p *[4]int64) int64 {
		across := width * (offGrid(step) + 1)
		down := height * (offGrid((p[2]-p[0])>>k.shift) + 1)
		twist := p[3] - p[1] - (p[2] - p[0])
		return offGrid(at-halfPixel) + across + down + max(twist, -twist)
	}
	return off(u, first.stepU, &k.u) < halfPhase && off(v, first.stepV, &k.v) < halfPhase
}

// offGrid returns the distance of a position from a whole number of pixels.
func offGrid(position int64) int64 {
	behind := position & (onePixel - 1)
	return min(behind, onePixel-behind)
}

// line is a row of a cell. Numbers along it are a start plus a multiple of a step.
type line struct{ u, v, stepU, stepV int64 }

// line returns the positions of k at row y of the lattice.
func (k *cell) line(y int) line { return k.corners.line(y-k.y, k.shift) }

// line returns the numbers of a row, counted from the first one. The side of the cell is 2^shift.
func (c *corners) line(row int, shift uint) line {
	down := int64(row)
	left := func(p *[4]int64) int64 { return p[0] + ((p[2]-p[0])*down)>>shift }
	right := func(p *[4]int64) int64 { return p[1] + ((p[3]-p[1])*down)>>shift }
	u, v := left(&c.u), left(&c.v)
	if shift == 0 {
		return line{u: u, v: v}
	}
	return line{u, v, (right(&c.u) - u) >> shift, (right(&c.v) - v) >> shift}
}

// at returns the numbers of the pixel x columns right of the cell's first.
func (l line) at(x int) (u, v int64) { return l.u + l.stepU*int64(x), l.v + l.stepV*int64(x) }
