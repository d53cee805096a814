package pixel

import (
	"math"
	"slices"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// Colors says what the samples mean.
type Colors struct {
	Photometric Photometric
	Model       raster.ColorModel // unless the codec decodes to RGB
	Palette     []raster.RGBA
	Subsampling [2]uint64

	// Converted says that the codec converts YCbCr to RGB. The owner sets it once it knows the codec.
	Converted bool

	described int      // samples of a pixel that Photometric describes; those after them are extra
	extra     []uint64 // what they mean
	inks      int
}

// NewColors reads the tags of a directory that has such samples.
func NewColors(raw *ifd.Directory, s *Samples) Colors {
	c := Colors{
		Photometric: photometricOf(raw, s.Count),
		inks:        int(min(raw.Uint(tag.NumberOfInks, 4), uint64(s.Count))),
		Subsampling: [2]uint64{2, 2},
	}
	c.described = c.describedOf(s.Count)
	extra := raw.Entry(tag.ExtraSamples).Uints()
	c.extra = extra[:min(len(extra), max(s.Count-c.described, 0))]
	if v := raw.Entry(tag.YCbCrSubsampling).Uints(); len(v) == 2 {
		c.Subsampling = [2]uint64(v)
	}
	if c.Photometric == Palette {
		c.Palette = readPalette(raw.Entry(tag.ColorMap), s.Bits)
	}
	c.Model = c.readModel(raw, s.Bits)
	return c
}

// describedOf returns how many samples of a pixel the photometric interpretation describes. Three
// samples of a camera are already demosaiced to colors.
func (c *Colors) describedOf(samples int) int {
	switch c.Photometric {
	case RGB, YCbCr, CIELab, ICCLab, ITULab:
		return 3
	case Separated:
		return c.inks
	case LinearRaw:
		if samples >= 3 {
			return 3
		}
	}
	return 1
}

// readPalette parses a color map: all reds, then all greens, then all blues. The numbers have 16
// bits, but some writers use only the lower 8.
func readPalette(e *ifd.Entry, bits int) []raster.RGBA {
	if e == nil || !e.Type.IsUnsigned() || bits > 16 || e.Count < 3<<bits {
		return nil
	}
	at := func(i int) uint64 { return e.Type.Uint(e.Value, i, e.Order) }
	n, shift := 1<<bits, 0
	for i := range 3 * n {
		if at(i) > math.MaxUint8 {
			shift = 8
		}
	}
	colors := make([]raster.RGBA, n)
	for i := range colors {
		colors[i] = raster.RGBA{
			R: uint8(at(i) >> shift), G: uint8(at(n+i) >> shift), B: uint8(at(2*n+i) >> shift), A: 255,
		}
	}
	return colors
}

// isLinearRGB reports whether the samples come from a camera but are already demosaiced to colors.
func (c *Colors) isLinearRGB() bool { return c.Photometric == LinearRaw && c.described == 3 }

// AreRGB reports whether the first samples are RGB, as stored or after decoding.
func (c *Colors) AreRGB() bool { return c.Photometric == RGB || c.Converted || c.isLinearRGB() }

// The values of the tag ExtraSamples that mean alpha.
const (
	associatedAlpha   = 1
	unassociatedAlpha = 2
)

// isAlpha reports whether an extra sample of such a meaning is alpha.
func isAlpha(extra uint64) bool { return extra == associatedAlpha || extra == unassociatedAlpha }

// ArePremultiplied reports whether the colors are stored multiplied by the first alpha sample.
func (c *Colors) ArePremultiplied() bool {
	first := slices.IndexFunc(c.extra, isAlpha)
	return first >= 0 && c.extra[first] == associatedAlpha
}

// Problem says why the samples cannot be shown as gray, a palette or RGB. It returns "" if they can.
func (c *Colors) Problem() string {
	switch c.Photometric {
	case MinIsWhite, MinIsBlack, RGB, MaskBits, Depth:
		return ""
	case Palette:
		if c.Palette == nil {
			return "the samples are palette indices, but the file has no palette"
		}
		return ""
	case YCbCr:
		if c.AreRGB() {
			return ""
		}
		return "the samples are luminance and chroma"
	case Separated:
		return "the samples are amounts of ink"
	case CIELab, ICCLab, ITULab:
		return "the samples are lightness and color differences"
	case LogL, LogLuv:
		return "the samples are logarithms of luminance"
	case FilterArray, LinearRaw:
		if c.isLinearRGB() {
			return ""
		}
		return "the samples are those of a camera's sensor"
	}
	return "the meaning of the samples is unknown"
}

// Sample returns the meaning of the i-th sample of a pixel.
func (c *Colors) Sample(i int) raster.Color {
	if extra := i - c.described; extra >= 0 {
		if extra < len(c.extra) && isAlpha(c.extra[extra]) {
			return raster.Alpha
		}
		return raster.Undefined
	}
	switch {
	case c.AreRGB():
		return raster.Red + raster.Color(i)
	case c.Photometric == Palette && c.Palette != nil:
		return raster.PaletteIndex
	case c.Photometric == MinIsBlack || c.Photometric == MinIsWhite:
		return raster.Gray
	}
	return raster.Undefined
}
