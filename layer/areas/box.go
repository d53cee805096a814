package areas

import (
	"tileserver/geo"
	"tileserver/layer/tilesets"
	"tileserver/raster"
)

// A Box is a rectangle of a CRS. If CRS is nil, the unit is a pixel of the image.
type Box struct {
	CRS           *geo.CRS
	Bounds        geo.Bounds
	Width, Height int // of the picture
}

// Resolve returns a lattice of the CRS, or of the image, and the rectangle of the picture.
func (a Box) Resolve(raster.Level, *tilesets.List) (geo.Lattice, raster.Rect, error) {
	b := a.Bounds
	if a.Width <= 0 || a.Height <= 0 || b.Empty() {
		return geo.Lattice{}, raster.Rect{}, &Error{Err: ErrEmptyBox}
	}
	lattice := geo.Lattice{
		CRS: a.CRS, OriginX: b.MinX, OriginY: b.MaxY,
		ResolutionX: b.Width() / float64(a.Width), ResolutionY: b.Height() / float64(a.Height),
	}
	if a.CRS == nil {
		lattice.OriginY, lattice.ResolutionY = b.MinY, -lattice.ResolutionY
	}
	return lattice, raster.Rect{X1: a.Width, Y1: a.Height}, nil
}
