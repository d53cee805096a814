package areas

import (
	"math"

	"tileserver/geo"
	"tileserver/layer/tilesets"
	"tileserver/raster"
)

// A Preview is the whole image, in the orientation of the file. The picture never has more
// pixels across or down than the image.
type Preview struct {
	MaxSize int // maximum length of the longer side

	// Width and Height are the size of the picture. Both are reduced by one factor if the picture
	// would be larger than the image or than MaxSize. If one is 0, the image keeps its aspect
	// ratio. If both are 0, MaxSize alone applies.
	Width, Height int
}

// Resolve returns a lattice of the image and the rectangle of the picture.
func (a Preview) Resolve(image raster.Level, sets *tilesets.List) (geo.Lattice, raster.Rect, error) {
	if a.MaxSize <= 0 || a.Width < 0 || a.Height < 0 {
		return geo.Lattice{}, raster.Rect{}, invalid("a preview needs a size")
	}
	if a.Width+a.Height > 0 {
		return a.box(image.Width, image.Height).Resolve(image, sets)
	}
	resolution := max(1, float64(max(image.Width, image.Height))/float64(a.MaxSize))
	width, resolutionX := previewSide(image.Width, resolution)
	height, resolutionY := previewSide(image.Height, resolution)
	return geo.Lattice{ResolutionX: resolutionX, ResolutionY: -resolutionY}, raster.Rect{X1: width, Y1: height}, nil
}

// previewSide returns the number of picture pixels for n pixels of the image, and the number of
// image pixels per picture pixel. A very thin image gives one pixel that stands for all n: the
// center of a pixel of the regular size would lie outside of the image.
func previewSide(n int, resolution float64) (pixels int, each float64) {
	if pixels = int(math.Round(float64(n) / resolution)); pixels < 1 {
		return 1, float64(n)
	}
	return pixels, resolution
}

// box returns the area of an image of this size as a box of the requested aspect ratio.
func (a Preview) box(width, height int) Box {
	box := Box{Bounds: geo.Bounds{MaxX: float64(width), MaxY: float64(height)}, Width: a.Width, Height: a.Height}
	switch aspect := float64(width) / float64(height); {
	case a.Width == 0:
		box.Width = wholeSide(float64(a.Height) * aspect)
	case a.Height == 0:
		box.Height = wholeSide(float64(a.Width) / aspect)
	}
	excess := max(float64(box.Width)/float64(min(width, a.MaxSize)), float64(box.Height)/float64(min(height, a.MaxSize)))
	if excess > 1 {
		box.Width, box.Height = wholeSide(float64(box.Width)/excess), wholeSide(float64(box.Height)/excess)
	}
	return box
}

// maxSide bounds a side that is derived from the other one.
const maxSide = 1 << 16

// wholeSide rounds a length to a valid number of pixels.
func wholeSide(pixels float64) int { return int(math.Round(min(max(pixels, 1), maxSide))) }
