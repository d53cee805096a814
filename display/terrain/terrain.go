// Package terrain turns heights into pictures and measures of the ground: shaded relief, slope, aspect, contour lines and
// heights coded as colours. It knows a grid of heights and nothing else: no file, no map, no colour map, no tile.
//
// What a pixel becomes follows from its own height, the eight around it and the distances of its row, so that tiles
// that are given a halo of one pixel join without a seam. The arithmetic is the same on every machine: products are
// rounded one by one, and sines and arctangents are the package's own.
//
// A height that is missing is replaced by the line from the opposite neighbour through the centre, and by the centre's
// own height where that neighbour is missing too. A plane thus has the same slope beside a hole as far from it. A pixel
// whose own height is missing is missing in the result.
package terrain

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// ErrGrid is in the chain of every error about heights or results that do not fit together.
var ErrGrid = errors.New("terrain: invalid grid")

// Grid is heights with a halo of one pixel on each side. What is made of it is two pixels narrower and lower. Nothing in
// it is kept or changed.
type Grid struct {
	Width, Height int // with the halo

	// Heights lie row by row without gaps. They are finite wherever they are covered.
	Heights []float32

	// Coverage is 0 where there is no height and 255 where all of it is there; nil is 255 everywhere. What lies between is
	// a height as good as any other.
	Coverage []uint8

	// StepX and StepY are the ground distances from a pixel to the next on its right and to the next below it, in the
	// unit of the heights: one for each row of the grid. Those of the halo are not looked at.
	StepX, StepY []float64
}

// inner is the size of what is made of the grid.
func (g *Grid) inner() (width, height int) { return g.Width - 2, g.Height - 2 }

func (g *Grid) validate(results int) error {
	if g.Width < 3 || g.Height < 3 || g.Width > math.MaxInt/g.Height {
		return fmt.Errorf("%w: %d x %d pixels with the halo", ErrGrid, g.Width, g.Height)
	}
	pixels := g.Width * g.Height
	if len(g.Heights) != pixels {
		return fmt.Errorf("%w: %d heights for %d x %d pixels", ErrGrid, len(g.Heights), g.Width, g.Height)
	}
	if g.Coverage != nil && len(g.Coverage) != pixels {
		return fmt.Errorf("%w: coverage of %d pixels for %d x %d", ErrGrid, len(g.Coverage), g.Width, g.Height)
	}
	if width, height := g.inner(); results != width*height {
		return fmt.Errorf("%w: room for %d results, not %d x %d", ErrGrid, results, width, height)
	}
	return g.validateSteps()
}

func (g *Grid) validateSteps() error {
	if len(g.StepX) != g.Height || len(g.StepY) != g.Height {
		return fmt.Errorf("%w: %d and %d distances for %d rows", ErrGrid, len(g.StepX), len(g.StepY), g.Height)
	}
	for y := 1; y < g.Height-1; y++ {
		if !isDistance(g.StepX[y]) || !isDistance(g.StepY[y]) {
			return fmt.Errorf("%w: distances %g and %g in row %d", ErrGrid, g.StepX[y], g.StepY[y], y)
		}
	}
	return nil
}

// The bounds keep a float32 of the inverse normal, also when it is exaggerated.
func isDistance(step float64) bool { return step >= 1e-12 && step <= 1e12 }

// eraseMissing writes over the results of pixels that have no height.
func eraseMissing[T uint8 | float32](dst []T, g *Grid, missing T) {
	if g.Coverage == nil {
		return
	}
	width, height := g.inner()
	for y := range height {
		coverage := g.Coverage[(y+1)*g.Width+1:][:width]
		row := dst[y*width:][:width]
		for x := 0; x < width; x++ {
			next := bytes.IndexByte(coverage[x:], 0)
			if next < 0 {
				break
			}
			x += next
			row[x] = missing
		}
	}
}
