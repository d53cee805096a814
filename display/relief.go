package display

import (
	"fmt"

	"tileserver/display/terrain"
	"tileserver/raster"
)

// GroundSpacing is the distance between neighboring pixels of a tile, in meters. It has one number
// for each row of the tile.
type GroundSpacing struct {
	StepX []float64 // to the pixel on the right
	StepY []float64 // to the pixel below
}

// reliefOf computes a relief from heights. The result is smaller by the halo. Heights that are to
// be encoded as colors are returned unchanged. If cased, the result has a second band with the
// casing of the lines.
func reliefOf(parameters *terrain.Parameters, heights raster.Tile, ground *GroundSpacing, cased bool) (raster.Tile, error) {
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
	b.MaskValue(0, 0, false) // flat ground has no aspect
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

// inner returns a plane of coverage without its halo of one pixel. Nil stays nil.
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

// reliefRange returns the default range of a relief.
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
	return byteRange
}
