package pyramid

import (
	"context"
	"fmt"
	"math"

	"tileserver/geo"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// warp finds the level pixels under lattice pixels. It projects the corners of lattice cells
// exactly and interpolates positions between them. A cell whose interpolation error exceeds the
// tolerance is split into four.
//
// Cells lie at fixed places of the lattice and positions are integers, so a lattice pixel has the
// same position in every view.
type warp struct {
	ctx        context.Context // planning a difficult view takes a while
	projection *projection
	lattice    geo.Lattice
	level      raster.Level
	tolerance  float64 // pixels of the level
	resampling resample.Method
	blockBytes int64 // size of a whole block of the level, in all bands that are read

	// scaleX and scaleY are the size of a lattice pixel in pixels of the level, for cells of a
	// single pixel.
	scaleX, scaleY float64

	across, down span // of the level

	footprint footprint   // cells outside of it are skipped
	landmarks []geo.Point // known places of the image, in columns and rows of the lattice
	splits    int         // number of cells split so far
}

const (
	// maxWarpError is the maximum interpolation error of a cell in pixels of the view. It is half
	// of the promised 1/8, since the error is checked at five points only.
	maxWarpError = 1.0 / 16

	// cellShift is the logarithm of the side of the initial cells. A row of a cell is placed in one
	// resample.Row.
	cellShift = 7

	// minTolerance is the rounding error of positions.
	minTolerance = 4.0 / onePixel

	// maxCells limits the cost of a plan. A view of the maximum size has a thousand cells, more if
	// a projection ends in it.
	maxCells = 1 << 17

	// positions are in units of 1/2^20 pixel of the level
	fractionBits = 20
	onePixel     = 1 << fractionBits

	// maxPosition slightly exceeds the side of any image. It keeps interpolation within 64 bits: 32
	// for pixels and sign, 20 for the fraction, 7 for the side of a cell.
	maxPosition = 1<<31 + 1<<20
)

// This does not compile if a row of a cell is longer than a resample.Row.
const _ = uint(resample.RowPixels - 1<<cellShift)

// node is the position under the center of a lattice pixel.
type node struct {
	u, v float64
	ok   bool
}

// exact computes the position under the center of a lattice pixel by projection.
func (w *warp) exact(x, y int) node {
	pixel := w.projection.toPixel(w.lattice.At(float64(x)+0.5, float64(y)+0.5))
	u, v := (pixel.X-w.level.OffsetX)/w.level.ScaleX, (pixel.Y-w.level.OffsetY)/w.level.ScaleY
	return node{u, v, math.Abs(u) < maxPosition && math.Abs(v) < maxPosition}
}

// cells returns cells that cover the part of rect that sees the image, and the window of the level
// that they see.
func (w *warp) cells(rect raster.Rect) (cells []cell, window raster.Rect, err error) {
	const size = 1 << cellShift
	firstX, firstY := rect.X0>>cellShift, rect.Y0>>cellShift
	columns, rows := (rect.X1-1)>>cellShift-firstX+1, (rect.Y1-1)>>cellShift-firstY+1
	nodes := w.nodes(firstX*size, firstY*size, 2*columns+1, 2*rows+1, size/2)
	c := cellCollector{warp: w, rect: rect}
	for row := range rows {
		for column := range columns {
			var nine [9]node
			for i := range nine {
				nine[i] = nodes[(2*row+i/3)*(2*columns+1)+2*column+i%3]
			}
			if err := c.collect((firstX+column)*size, (firstY+row)*size, cellShift, &nine); err != nil {
				return nil, raster.Rect{}, err
			}
		}
	}
	return c.cells, c.window, nil
}

// nodes returns the exact positions on a grid.
func (w *warp) nodes(x, y, columns, rows, step int) []node {
	nodes := make([]node, 0, columns*rows)
	for row := range rows {
		for column := range columns {
			nodes = append(nodes, w.exact(x+column*step, y+row*step))
		}
	}
	return nodes
}

// cellCollector collects cells and the window that they see.
type cellCollector struct {
	warp   *warp
	rect   raster.Rect
	cells  []cell
	window raster.Rect
}

// collect adds a cell, or its quarters. nine holds the positions at its corners, the midpoints of
// its sides and its center, row by row.
func (c *cellCollector) collect(x, y int, shift uint, nine *[9]node) error {
	size := 1 << shift
	whole := raster.Rect{X0: x, Y0: y, X1: x + size, Y1: y + size}
	rect := whole.Intersect(c.rect)
	if rect.Empty() || !c.warp.footprint.touches(rect) || noneProjects(nine) && !c.warp.hasLandmark(whole) {
		return nil
	}
	if shift == 0 {
		if nine[0].ok {
			k := cell{rect: rect, x: x, y: y, corners: corners{constant(nine[0].u), constant(nine[0].v)}, scaleX: c.warp.scaleX, scaleY: c.warp.scaleY}
			k.relief = c.warp.reliefOf(&k)
			c.add(k)
		}
		return nil
	}
	if c.warp.straight(nine) {
		k := newCell(rect, x, y, shift, nine)
		k.relief = c.warp.reliefOf(&k)
		c.add(k)
		return nil
	}
	if c.warp.splits++; c.warp.splits > maxCells {
		return fmt.Errorf("%w: the image is too distorted in it", ErrInvalidView)
	}
	if c.warp.ctx.Err() != nil {
		return context.Cause(c.warp.ctx)
	}
	half := size / 2
	for _, corner := range [...][2]int{{0, 0}, {half, 0}, {0, half}, {half, half}} {
		quarter := c.warp.nine(x+corner[0], y+corner[1], half)
		if err := c.collect(x+corner[0], y+corner[1], shift-1, &quarter); err != nil {
			return err
		}
	}
	return nil
}

// findLandmarks projects some points of the image to the lattice. They reveal an image that lies
// entirely between cell corners that do not project.
func (w *warp) findLandmarks(finest raster.Level) {
	for _, fy := range landmarkPlaces {
		for _, fx := range landmarkPlaces {
			place := w.projection.toPlace(geo.Point{X: fx * float64(finest.Width), Y: fy * float64(finest.Height)})
			w.landmarks = append(w.landmarks, geo.Point{
				X: (place.X - w.lattice.OriginX) / w.lattice.ResolutionX,
				Y: (w.lattice.OriginY - place.Y) / w.lattice.ResolutionY,
			})
		}
	}
}

// landmarkPlaces are the landmarks as fractions of the image's width and height.
var landmarkPlaces = [...]float64{0.01, 0.5, 0.99}

func (w *warp) hasLandmark(rect raster.Rect) bool {
	for _, p := range w.landmarks {
		if p.X >= float64(rect.X0) && p.Y >= float64(rect.Y0) && p.X < float64(rect.X1) && p.Y < float64(rect.Y1) {
			return true
		}
	}
	return false
}

// nine returns the nine positions that collect needs for a cell of the given side.
func (w *warp) nine(x, y, size int) (nine [9]node) {
	if size == 1 {
		nine[0] = w.exact(x, y)
		return nine
	}
	for i := range nine {
		nine[i] = w.exact(x+i%3*size/2, y+i/3*size/2)
	}
	return nine
}

func noneProjects(nine *[9]node) bool {
	for i := range nine {
		if nine[i].ok {
			return false
		}
	}
	return true
}

// straight reports whether interpolation between the corners is precise enough.
func (w *warp) straight(nine *[9]node) bool {
	for i := range nine {
		if !nine[i].ok {
			return false
		}
	}
	mean := func(i, j int) node {
		return node{u: (nine[i].u + nine[j].u) / 2, v: (nine[i].v + nine[j].v) / 2}
	}
	near := func(a, b node) bool {
		return math.Abs(a.u-b.u) <= w.tolerance && math.Abs(a.v-b.v) <= w.tolerance
	}
	top, bottom := mean(0, 2), mean(6, 8)
	middle := node{u: (top.u + bottom.u) / 2, v: (top.v + bottom.v) / 2}
	return near(top, nine[1]) && near(bottom, nine[7]) && near(mean(0, 6), nine[3]) &&
		near(mean(2, 8), nine[5]) && near(middle, nine[4])
}

// add adds a cell if it sees the image, and extends the window by what it sees.
func (c *cellCollector) add(k cell) {
	seen := c.warp.under(k.extent())
	if seen.Empty() {
		return
	}
	c.cells = append(c.cells, k)
	if len(c.cells) == 1 {
		c.window = seen
		return
	}
	c.window.X0, c.window.Y0 = min(c.window.X0, seen.X0), min(c.window.Y0, seen.Y0)
	c.window.X1, c.window.Y1 = max(c.window.X1, seen.X1), max(c.window.Y1, seen.Y1)
}
