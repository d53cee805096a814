// Package terrain computes pictures and measures from heights: hillshade, slope, aspect, contour
// lines and heights encoded as colors. Packages display, layer and http call it. It knows a grid of
// heights. It must never know a file, a map, a color map or a tile.
//
// A result depends on the height of the pixel, its eight neighbors and the distances in its row. So
// tiles with a halo of one pixel join without a seam. Results are equal on every machine: products
// are rounded one by one, and sines and arctangents are the package's own.
//
// A missing neighbor is extrapolated from the opposite neighbor through the center. If that is
// missing too, the height of the center replaces it. Thus the slope of a plane is the same beside a
// hole as elsewhere. A pixel without height has no result.
package terrain

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// ErrGrid matches every error about heights or results of inconsistent sizes.
var ErrGrid = errors.New("terrain: invalid grid")

// A Grid holds heights with a halo of one pixel on each side. Results are two pixels narrower and
// lower. The package does not modify a Grid and keeps no reference to it.
type Grid struct {
	Width, Height int // including the halo

	// Heights are stored row by row without gaps. Covered heights must be finite.
	Heights []float32

	// Coverage is 0 for pixels without height. All other values count as covered. Nil means that
	// all pixels have a height.
	Coverage []uint8

	// StepX and StepY are the ground distances from a pixel to the next on the right and the next
	// below, in the unit of the heights: one for each row. Those of the halo are ignored.
	StepX, StepY []float64
}

// inner returns the size of the results.
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

// isDistance reports whether the inverse of a step fits a float32, even exaggerated.
func isDistance(step float64) bool { return step >= 1e-12 && step <= 1e12 }

// eraseMissing overwrites the results of pixels without height.
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
