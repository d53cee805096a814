package main

import (
	"math"

	"tileserver/decode/tiff/tifftest"
)

// elevation is the height of the ground in meters, on land and under the sea.
type elevation struct{ grid }

// elevation returns the elevation of the scene on a grid of the given width.
func (s *scene) elevation(width int) elevation {
	return elevation{filledGrid(width, ground, s.heightAt).rounded()}
}

// rounded returns the heights without digits that have no visible effect.
func (g *grid) rounded() grid {
	r := grid{g.width, g.height, g.metersPerCell, make([]float32, len(g.values))}
	parallelRows(g.height, func(y int) {
		for x := range g.width {
			step := stepOf(slopeOf(g, x, y))
			r.values[y*g.width+x] = float32(math.Round(g.at(x, y)/step) * step)
		}
	})
	return r
}

// stepOf returns the step to which heights are rounded: fine on plains, where light would show
// steps, and coarse on slopes. Steps are powers of two, which compress well.
func stepOf(slope float64) float64 {
	switch {
	case slope < 0.02:
		return 0.5
	case slope < 0.08:
		return 1
	}
	return 2
}

// heightAt returns the height of the ground or of the sea floor at a point.
func (s *scene) heightAt(p point) float64 {
	shore := s.shore.cubic(p)
	const beachMeters = 60
	land := max(detailed(s.terrain, p), 0)
	seaward := step(beachMeters, -beachMeters, shore) * step(60, 15, land) // not in hollows of the mountains
	if seaward == 0 {
		return land
	}
	return lerp(land, s.seaFloor(p, shore), seaward)
}

// seaFloor returns the depth of the sea as a negative height. It falls from the shore to the open
// sea, over the banks that are visible through the water of the picture.
func (s *scene) seaFloor(p point, shore float64) float64 {
	const deepest, falling = 260, 6.5
	depth := deepest * math.Exp(-falling*max(s.shallowness(p), 0))
	return -1 - depth*step(20, -900, shore)
}

func (e elevation) size() (width, height int) { return e.width, e.height }

// halved returns the heights on cells of twice the size.
func (e elevation) halved() elevation {
	half := grid{(e.width + 1) / 2, (e.height + 1) / 2, 2 * e.metersPerCell, nil}
	half.values = make([]float32, half.width*half.height)
	for y := range half.height {
		for x := range half.width {
			sum := e.at(2*x, 2*y) + e.at(2*x+1, 2*y) + e.at(2*x, 2*y+1) + e.at(2*x+1, 2*y+1)
			half.values[y*half.width+x] = float32(sum / 4)
		}
	}
	return elevation{half.rounded()}
}

// file returns the heights as a TIFF.
func (e elevation) file() ([]byte, error) {
	return cog(e, metadata([]item{{0, "DESCRIPTION", "description", "elevation"}, {0, "UNITTYPE", "unittype", "m"}}))
}

func (e elevation) image() tifftest.Image {
	return tifftest.Image{
		Width: e.width, Height: e.height,
		Value:   func(x, y, _ int) float64 { return e.at(x, y) },
		Samples: 1, Bits: 32, Format: tifftest.Float,
		Tiled: true, BlockWidth: tileSize, BlockHeight: tileSize,
		Compression: tifftest.Deflate, Predictor: 3,
	}
}
