package pyramid

import (
	"fmt"
	"strings"

	"tileserver/geo"
	"tileserver/raster"
)

// View is a rectangle of pixels of a lattice, to be filled from an image.
type View struct {
	// Lattice says where pixels lie. A nil CRS means the image's own pixels of
	// level 0: x to the right, y (with a negative ResolutionY) downwards.
	Lattice geo.Lattice

	Rect       raster.Rect // in columns and rows of the lattice
	Resampling Resampling

	Bands []int // of the image; nil is all of them

	// Alpha is the band that weights the others and becomes their coverage, or
	// -1. It is not one of Bands.
	Alpha int

	// Whole shows pixels wholly that the image covers in part at its right and lower
	// edge, also those whose middle lies beyond it. It is for lattices of the image's own
	// pixels, whose edges lie on theirs.
	Whole bool
}

// Grown is v with n more pixels on each side, for a step that looks at
// neighbors.
func (v View) Grown(n int) View {
	v.Rect.X0 -= n
	v.Rect.Y0 -= n
	v.Rect.X1 += n
	v.Rect.Y1 += n
	return v
}

// Resampling is how the pixels of a level become those of a view.
type Resampling uint8

// The ways to resample. Weights are by coverage, so that pixels without data
// never show in those beside them.
const (
	Bilinear Resampling = iota
	Nearest
	Cubic
	Lanczos
	Average
)

var resamplingNames = [...]string{Bilinear: "bilinear", Nearest: "nearest", Cubic: "cubic", Lanczos: "lanczos", Average: "average"}

// String returns the name that ParseResampling takes.
func (r Resampling) String() string { return resamplingNames[r] }

// ParseResampling finds a Resampling by its name.
func ParseResampling(name string) (Resampling, error) {
	for r, n := range resamplingNames {
		if n == name {
			return Resampling(r), nil
		}
	}
	return 0, fmt.Errorf("unknown method %q; use %s", name, strings.Join(resamplingNames[:], ", "))
}
