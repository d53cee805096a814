package raster

import "slices"

// Info says what a provider holds. It is shared and never written.
type Info struct {
	Type   DataType
	Bands  []Band
	Levels []Level // from the finest; never empty

	// Pad is the sample of pixels that the source does not store: those past
	// its edge and those of missing blocks. They are never valid.
	Pad float64

	// Bits is how many bits of a sample are in use, where that is fewer than Type
	// has: 1 for a scan in black and white. 0 is all of them.
	Bits int

	// Magnitudes says that the samples are those of complex numbers.
	Magnitudes bool

	// Spread is how many steps of a sample one of the stored samples is, where these
	// are spread over the range of Type. 0 is that they are not.
	Spread float64

	// Premultiplied says that colors are stored multiplied by their opacity.
	Premultiplied bool

	// Masked says that a mask beside the samples tells which of them are data.
	Masked bool

	// Palette holds the colors that samples of a palette band stand for.
	Palette []RGBA

	// Colors says what the samples of the color bands mean, if they are neither
	// gray nor red, green and blue.
	Colors ColorModel

	// Orientation says which way up the image is to be shown, as TIFF and Exif
	// number it: 1 to 8. 0 and 1 are as stored.
	Orientation uint8

	// Inverted says that the lowest sample of gray bands is white.
	Inverted bool
}

// Band is one channel of an image.
type Band struct {
	Name  string
	Color Color

	// NoData is the sample that marks a pixel without data. Providers have
	// already put it, and NaN, into the validity of their tiles.
	NoData    float64
	HasNoData bool

	// Scale and Offset make a value of a sample: sample*Scale + Offset, in Unit.
	// A Scale of 0 says that the file names neither.
	Scale, Offset float64
	Unit          string

	// Wavelength is the middle of what the band has seen of light, in nanometres. 0 is
	// not known.
	Wavelength float64

	// Categories are the names of the samples 0, 1, 2 and so on, where these are names
	// and not amounts. Some may be empty.
	Categories []string

	// Stored is what the file tells of the samples, or nil. It may be of an older
	// state of the file, of a part of it, or wrong: only who asks for it by name is to
	// have it.
	Stored *StoredStatistics
}

// StoredStatistics are those that somebody has noted beside the samples of a band. All
// of them are finite.
type StoredStatistics struct{ Min, Max, Mean, StdDev float64 }

// Color says what a band means to a display.
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

// AllBands lists every band of i in order.
func (i *Info) AllBands() []int {
	bands := make([]int, len(i.Bands))
	for b := range bands {
		bands[b] = b
	}
	return bands
}

// IsClassified reports whether samples of any of some bands, nil being all, are names and
// not amounts: nothing lies between them, and so one of them is picked where amounts
// have a mean. Names are indices of a palette, with all bands beside it, and the
// integers of a band that has categories.
func (i *Info) IsClassified(bands []int) bool {
	if bands == nil {
		return i.HasPalette() || slices.ContainsFunc(i.Bands, i.hasCategories)
	}
	return i.HasPalette() || slices.ContainsFunc(bands, func(b int) bool { return i.hasCategories(i.Bands[b]) })
}

// HasPalette reports whether there is a band of indices of a palette.
func (i *Info) HasPalette() bool {
	return slices.ContainsFunc(i.Bands, func(b Band) bool { return b.Color == PaletteIndex })
}

func (i *Info) hasCategories(b Band) bool {
	return len(b.Categories) > 0 && !i.Type.IsFloat() && !i.Type.IsComplex()
}

// Alpha returns the index of the band that carries opacity, or -1.
func (i *Info) Alpha() int {
	for b, band := range i.Bands {
		if band.Color == Alpha {
			return b
		}
	}
	return -1
}
