package display

import (
	"fmt"

	"tileserver/display/terrain"
	"tileserver/raster"
)

// Ground is how far the pixels of a tile are from each other, in metres: one number for each
// of its rows.
type Ground struct {
	StepX []float64 // to the pixel on the right
	StepY []float64 // to the pixel below
}

// reliefOf makes of heights what is asked for. It is smaller than they are by the halo. Of
// heights that are to be coded as colours it returns themselves. Lines that are cased have a
// second band, which is the casing.
func reliefOf(parameters *terrain.Parameters, heights raster.Tile, ground *Ground, cased bool) (raster.Tile, error) {
	if parameters.Mode.Output() == terrain.OutputColor {
		return heights, nil
	}
	if ground == nil || heights.Width() < 3 || heights.Height() < 3 {
		return raster.Tile{}, fmt.Errorf("%v of %dx%d pixels: %w", parameters.Mode, heights.Width(), heights.Height(), ErrMismatch)
	}
	grid := terrain.Grid{
		Width: heights.Width(), Height: heights.Height(), Heights: raster.Samples[float32](heights, 0),
		Coverage: heights.Validity(0), StepX: ground.StepX, StepY: ground.StepY,
	}
	b, err := reliefIn(parameters, &grid, cased)
	if err != nil {
		return raster.Tile{}, err
	}
	b.SetValidity(inner(grid.Coverage, grid.Width, grid.Height))
	b.MaskValue(0, 0, false) // an aspect of flat ground is no number
	return b.Freeze(), nil
}

func reliefIn(parameters *terrain.Parameters, grid *terrain.Grid, cased bool) (b *raster.Buffer, err error) {
	width, height := grid.Width-2, grid.Height-2
	switch {
	case cased:
		b = raster.NewBuffer(raster.Uint8, width, height, 2)
		err = terrain.CasedContours(b.Plane(0), b.Plane(1), grid, parameters.Lines)
	case parameters.Mode.Output() == terrain.OutputGray:
		b = raster.NewBuffer(raster.Uint8, width, height, 1)
		err = parameters.Gray(b.Plane(0), grid)
	default:
		b = raster.NewBuffer(raster.Float32, width, height, 1)
		err = parameters.Values(raster.Writable[float32](b, 0), grid)
	}
	return b, err
}

// inner is a plane of coverage without a halo of one pixel; nil stays nil.
func inner(coverage []uint8, width, height int) []uint8 {
	if coverage == nil {
		return nil
	}
	own := make([]uint8, 0, (width-2)*(height-2))
	for y := 1; y < height-1; y++ {
		own = append(own, coverage[y*width+1:][:width-2]...)
	}
	return own
}

// reliefRange is what is black and white in what is made of heights if nothing is said.
func reliefRange(parameters *terrain.Parameters) Range {
	switch parameters.Mode {
	case terrain.ModeSlope:
		if parameters.Steepness.Unit == terrain.Percent {
			return Range{0, 100}
		}
		return Range{0, 90}
	case terrain.ModeAspect:
		return Range{0, 360}
	}
	return asStored
}
