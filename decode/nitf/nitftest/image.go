package nitftest

import (
	"fmt"
	"strings"
)

// Image describes an image segment. Texts and numbers of zero value have the default that is named.
type Image struct {
	Name          string // IID1: "IMAGE001", by the number of the image
	Width, Height int    // 7 x 5
	// BlockWidth and BlockHeight are those of the image, unless they are set. A whole image with
	// sides above 8192 is one block of size 0, as the standard has it.
	BlockWidth, BlockHeight int

	Mode           string // IMODE: "B"
	Compression    string // IC: "NC"
	Rate           string // COMRAT: "00.0"
	Representation string // IREP: "MONO"
	Category       string // ICAT: "VIS"
	ValueType      string // PVTYPE: "INT"
	Bits           int    // NBPP: 8
	ActualBits     int    // ABPP: Bits
	LeftJustified  bool   // PJUST

	Bands []Band // one band
	// Value returns the sample of a band at a pixel. Integers are rounded and clamped to their
	// range. For JPEG of representation "YCbCr601" they are red, green and blue, which the stream
	// has converted. Nil means samples that differ from their neighbors.
	Value func(x, y, band int) float64
	// Imaginary returns the imaginary part of complex samples. Nil means 0.
	Imaginary func(x, y, band int) float64

	// Missing reports blocks that are not stored. The band is 0 unless bands are stored one after
	// the other (mode "S"). It needs a compression with masks, such as "NM".
	Missing func(column, row, band int) bool
	// Pad is the bit pattern of samples that are not valid, and of those beyond the image, if
	// Invalid is set. It needs a compression with masks. Invalid reports the pixels.
	Pad     uint64
	Invalid func(x, y int) bool

	// Stored returns a block as stored, for compressions that this package cannot write. The band
	// is 0 unless the mode is "S".
	Stored func(column, row, band int) []byte
	// Data replaces all blocks: a codestream, for example. Length is that of the data with its masks,
	// if it is more than what is given; zeros follow.
	Data   []byte
	Length int

	Lossless Lossless // how "C5" and "M5" are written
	// HalfChroma gives chroma half the width and height in JPEG of representation "YCbCr601" and
	// mode "P".
	HalfChroma bool

	DisplayLevel    int    // IDLVL: the number of the image
	AttachmentLevel int    // IALVL
	Row, Column     int    // ILOC
	Magnification   string // IMAG: "1.0"
	Comments        []string

	// Coordinates is the notation of Corners: "D" for degrees, "G" for degrees, minutes and
	// seconds. Others need a field IGEOLO. Corners are latitude and longitude of the upper left,
	// upper right, lower right and lower left corner.
	Coordinates string // ICORDS
	Corners     [4][2]float64

	UserTREs     []TRE // in UDID
	TREs         []TRE // in IXSHD
	UserOverflow []TRE // continue UDID in an extension segment
	Overflow     []TRE // continue IXSHD in an extension segment

	Fields Fields // of the subheader
}

// Band describes a band.
type Band struct {
	Representation string   // IREPBAND: "M" of one band, or "R", "G", "B"
	Subcategory    string   // ISUBCAT
	LUTs           [][]byte // tables of equal length
}

// withDefaults fills fields of zero value. number is that of the image, from 1.
func (m Image) withDefaults(number int) Image {
	replaceZero(&m.Name, fmt.Sprintf("IMAGE%03d", number))
	replaceZero(&m.Width, 7)
	replaceZero(&m.Height, 5)
	replaceZero(&m.BlockWidth, m.Width)
	replaceZero(&m.BlockHeight, m.Height)
	replaceZero(&m.Mode, "B")
	replaceZero(&m.Compression, "NC")
	replaceZero(&m.Rate, "00.0")
	replaceZero(&m.Representation, "MONO")
	replaceZero(&m.Category, "VIS")
	replaceZero(&m.ValueType, "INT")
	replaceZero(&m.Bits, 8)
	replaceZero(&m.ActualBits, m.Bits)
	replaceZero(&m.DisplayLevel, number)
	replaceZero(&m.Magnification, "1.0")
	if m.Bands == nil {
		m.Bands = []Band{{Representation: "M"}}
	}
	if m.Value == nil {
		m.Value = m.pattern
	}
	if m.masked() && m.Missing == nil && m.Invalid == nil {
		m.Missing = func(int, int, int) bool { return false }
	}
	return m
}

func replaceZero[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// pattern returns samples that differ from their neighbors.
func (m *Image) pattern(x, y, band int) float64 {
	const levels = 128
	return float64((3*x + 5*y + 7*band) % min(levels, 1<<min(m.ActualBits, 8)))
}

// masked reports whether the compression has masks.
func (m *Image) masked() bool {
	return m.Compression == "NM" || strings.HasPrefix(m.Compression, "M")
}

// compressed reports whether the subheader has a rate of compression.
func (m *Image) compressed() bool { return m.Compression != "NC" && m.Compression != "NM" }

// columns and rows return the number of blocks.
func (m *Image) columns() int { return (m.Width + m.BlockWidth - 1) / m.BlockWidth }
func (m *Image) rows() int    { return (m.Height + m.BlockHeight - 1) / m.BlockHeight }
