package raster

import "slices"

// Info describes the content of a provider. It is shared and must not be modified.
type Info struct {
	Type   DataType
	Bands  []Band
	Levels []Level // finest first; never empty

	// Pad is the sample of pixels that the source does not store: pixels beyond its edge and in
	// missing blocks. These pixels are never valid.
	Pad float64

	// Bits is the number of bits of a sample in use, if fewer than Type has: 1 for a black and
	// white scan. 0 means all.
	Bits int

	// Magnitudes means that the samples are magnitudes of complex numbers.
	Magnitudes bool

	// Spread is the step between neighboring stored samples, if they were scaled to the full range
	// of Type. 0 means that they were not.
	Spread float64

	// Premultiplied means that colors are stored multiplied by their opacity.
	Premultiplied bool

	// Masked means that a mask beside the samples marks nodata.
	Masked bool

	// Palette holds the colors of the samples of a palette band.
	Palette []RGBA

	// Colors describes the samples of color bands that are neither gray nor red, green and blue.
	Colors ColorModel

	// Orientation is the orientation of the image, 1 to 8, as numbered by TIFF and Exif. 0 and 1
	// mean as stored.
	Orientation uint8

	// Unrelated means that bands without a color are no picture together. By default, the first is
	// shown alone.
	Unrelated bool

	// Inverted means that the lowest sample of a gray band is white.
	Inverted bool
}

// Band is one channel of an image.
type Band struct {
	Name  string
	Color Color

	// NoData is the sample that marks a pixel without data. Providers have already marked it, and
	// NaN, as invalid in their tiles.
	NoData    float64
	HasNoData bool

	// Scale and Offset convert a sample to a value in Unit: sample*Scale + Offset. A Scale of 0
	// means that the file defines neither.
	Scale, Offset float64
	Unit          string

	// Wavelength is the center wavelength of the band in nanometers, or 0 if unknown.
	Wavelength float64

	// Categories holds the names of the samples 0, 1, 2 and so on, if samples are classes rather
	// than amounts. A name may be empty.
	Categories []string

	// Stored holds the statistics stored in the file, or nil. They may describe an older state or a
	// part of the file, or be wrong. Use them only where a request asks for them by name.
	Stored *StoredStatistics
}

// StoredStatistics holds the statistics stored with the samples of a band. All are finite.
type StoredStatistics struct{ Min, Max, Mean, StdDev float64 }

// Color is the meaning of a band for display.
type Color uint8

// The meanings of bands.
const (
	Undefined Color = iota
	Gray
	PaletteIndex
	Red
	Green
	Blue
	Alpha
)

var colorNames = [...]string{"undefined", "gray", "palette", "red", "green", "blue", "alpha"}

// String returns the name of c in lower case.
func (c Color) String() string {
	if int(c) < len(colorNames) {
		return colorNames[c]
	}
	return "undefined"
}

// RGBA is a color that is not premultiplied by its alpha.
type RGBA struct{ R, G, B, A uint8 }

// AllBands lists the indices of all bands.
func (i *Info) AllBands() []int {
	bands := make([]int, len(i.Bands))
	for b := range bands {
		bands[b] = b
	}
	return bands
}

// NilIfAll returns nil for a list of all bands in order, and any other list unchanged. So both ways
// to request all bands are one.
func (i *Info) NilIfAll(bands []int) []int {
	if len(bands) != len(i.Bands) {
		return bands
	}
	for at, b := range bands {
		if b != at {
			return bands
		}
	}
	return nil
}

// IsClassified reports whether samples of any of the given bands, or of all if nil, are classes
// rather than amounts. Classes must not be interpolated, so resampling picks one sample instead of
// computing a mean. Classes are palette indices, with all bands beside them, and the integers of a
// band with categories.
func (i *Info) IsClassified(bands []int) bool {
	if bands == nil {
		return i.HasPalette() || slices.ContainsFunc(i.Bands, i.hasCategories)
	}
	return i.HasPalette() || slices.ContainsFunc(bands, func(b int) bool { return i.hasCategories(i.Bands[b]) })
}

// HasPalette reports whether a band holds palette indices.
func (i *Info) HasPalette() bool {
	return slices.ContainsFunc(i.Bands, func(b Band) bool { return b.Color == PaletteIndex })
}

func (i *Info) hasCategories(b Band) bool {
	return len(b.Categories) > 0 && !i.Type.IsFloat() && !i.Type.IsComplex()
}

// Alpha returns the index of the opacity band, or -1.
func (i *Info) Alpha() int {
	for b, band := range i.Bands {
		if band.Color == Alpha {
			return b
		}
	}
	return -1
}
