package pyramid

import (
	"fmt"
	"slices"
	"strings"

	"tileserver/geo"
	"tileserver/raster"
)

// View is a rectangle of lattice pixels to be filled from an image.
type View struct {
	// Lattice locates the pixels. A nil CRS means pixels of level 0 of the image: x to the right, y
	// (with a negative ResolutionY) downwards.
	Lattice geo.Lattice

	Rect       raster.Rect // in columns and rows of the lattice
	Resampling Resampling

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

// readBands returns all bands that a view reads, including alpha.
func (v *View) readBands(info *raster.Info) []int {
	bands := v.Bands
	if bands == nil {
		bands = info.AllBands()
	}
	if v.Alpha >= 0 {
		bands = append(slices.Clone(bands), v.Alpha)
	}
	return bands
}

// Resampling is the method of computing view pixels from level pixels.
type Resampling uint8

// The resampling methods. They weigh by coverage, so that nodata never bleeds into its neighbors.
const (
	Bilinear Resampling = iota
	Nearest
	Cubic
	Lanczos
	Average
)

var resamplingNames = [...]string{Bilinear: "bilinear", Nearest: "nearest", Cubic: "cubic", Lanczos: "lanczos", Average: "average"}

// String returns the name that ParseResampling accepts.
func (r Resampling) String() string { return resamplingNames[r] }

// ParseResampling returns the Resampling with this name.
func ParseResampling(name string) (Resampling, error) {
	for r, n := range resamplingNames {
		if n == name {
			return Resampling(r), nil
		}
	}
	return 0, fmt.Errorf("unknown method %q; use %s", name, strings.Join(resamplingNames[:], ", "))
}
