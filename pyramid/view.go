package pyramid

import (
	"tileserver/geo"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// View is a rectangle of lattice pixels to be filled from an image.
type View struct {
	// Lattice locates the pixels. A nil CRS means pixels of level 0 of the image: x to the right, y
	// (with a negative ResolutionY) downwards.
	Lattice geo.Lattice

	Rect       raster.Rect // in columns and rows of the lattice
	Resampling resample.Method

	Bands []int // of the image; nil means all

	// Alpha is the band that weighs the others and becomes their coverage, or -1. It is not one of
	// Bands.
	Alpha int

	// Whole shows pixels completely that the image covers in part at its right and lower edge, even
	// if their center lies beyond it. It is for lattices in pixels of the image.
	Whole bool
}

// Grown returns v with n more pixels on each side, for a step that needs neighbors.
func (v View) Grown(n int) View {
	v.Rect.X0 -= n
	v.Rect.Y0 -= n
	v.Rect.X1 += n
	v.Rect.Y1 += n
	return v
}
