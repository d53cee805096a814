package areas

import (
	"tileserver/geo"
	"tileserver/layer/tilesets"
	"tileserver/raster"
)

// A Level is a rectangle of pixels of the image halved Halvings times, independent of the levels of
// the file. A partial pixel at the right or lower edge counts as a pixel and shows the part inside
// the image.
type Level struct{ Halvings, X, Y, Width, Height int }

// maxHalvings reduces any image to one pixel.
const maxHalvings = 31

// Resolve returns the lattice of the halved image and the rectangle.
func (a Level) Resolve(raster.Level, *tilesets.List) (geo.Lattice, raster.Rect, error) {
	if a.Halvings < 0 || a.Halvings > maxHalvings || a.X < 0 || a.Y < 0 || a.Width <= 0 || a.Height <= 0 {
		return geo.Lattice{}, raster.Rect{}, invalid("no pixels in %dx%d at %d,%d of the image halved %d times", a.Width, a.Height, a.X, a.Y, a.Halvings)
	}
	span := float64(int64(1) << a.Halvings)
	return geo.Lattice{ResolutionX: span, ResolutionY: -span}, raster.Rect{X0: a.X, Y0: a.Y, X1: a.X + a.Width, Y1: a.Y + a.Height}, nil
}

// IsWhole reports whether partial pixels at the edges of the image must be shown as whole ones. It
// is false if the area has none that would differ, so that equal pictures have equal keys.
func IsWhole(area Area, finest raster.Level) bool {
	a, ok := area.(Level)
	return ok && (lastPixelCenter(a.X+a.Width, a.Halvings) >= float64(finest.Width) || lastPixelCenter(a.Y+a.Height, a.Halvings) >= float64(finest.Height))
}

// lastPixelCenter returns the center of the last of a row of halved pixels, in pixels of the image.
func lastPixelCenter(pixels, halvings int) float64 {
	return (float64(pixels) - 0.5) * float64(int64(1)<<halvings)
}
