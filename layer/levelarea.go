package layer

import (
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// LevelArea is a rectangle of pixels of the image halved so many times, whatever levels the
// file has. What is left over of a pixel at the right and lower edge is one, and shows what
// the image has there.
type LevelArea struct{ Halvings, X, Y, Width, Height int }

// maxHalvings leaves one pixel of any image.
const maxHalvings = 31

func (a LevelArea) resolve(*pyramid.Pyramid, tileSets) (geo.Lattice, raster.Rect, error) {
	if a.Halvings < 0 || a.Halvings > maxHalvings || a.X < 0 || a.Y < 0 || a.Width <= 0 || a.Height <= 0 {
		return geo.Lattice{}, raster.Rect{}, invalid("no pixels in %dx%d at %d,%d of the image halved %d times", a.Width, a.Height, a.X, a.Y, a.Halvings)
	}
	span := float64(int64(1) << a.Halvings)
	return geo.Lattice{ResolutionX: span, ResolutionY: -span}, raster.Rect{X0: a.X, Y0: a.Y, X1: a.X + a.Width, Y1: a.Y + a.Height}, nil
}

// isWhole tells whether the pixels of an area are shown wholly where only a part of them is
// in the image. It is false where that makes no difference, so that such a picture is the
// same as in other ways to ask for it.
func isWhole(area Area, finest raster.Level) bool {
	a, ok := area.(LevelArea)
	return ok && (lastPixelCenter(a.X+a.Width, a.Halvings) >= float64(finest.Width) || lastPixelCenter(a.Y+a.Height, a.Halvings) >= float64(finest.Height))
}

// middleOfLast is where, in pixels of the image, the last of so many pixels has its middle.
func lastPixelCenter(pixels, halvings int) float64 {
	return (float64(pixels) - 0.5) * float64(int64(1)<<halvings)
}
