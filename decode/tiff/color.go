package tiff

import (
	"math"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// colors says what the samples mean.
type colors struct {
	photometric photometric
	described   int      // samples of a pixel that photometric describes; those after them are extra
	extra       []uint64 // what they mean
	inks        int
	model       raster.ColorModel // unless the codec decodes to RGB
	palette     []raster.RGBA
	subsampling [2]uint64
}

func newColors(raw *ifd.Directory, s *samples) colors {
	c := colors{
		photometric: photometric(raw.Uint(tag.Photometric, uint64(minIsBlack))),
		inks:        int(min(raw.Uint(tag.NumberOfInks, 4), uint64(s.count))),
		subsampling: [2]uint64{2, 2},
	}
	c.described = c.describedOf(s.count)
	extra := raw.Entry(tag.ExtraSamples).Uints()
	c.extra = extra[:min(len(extra), max(s.count-c.described, 0))]
	if v := raw.Entry(tag.YCbCrSubsampling).Uints(); len(v) == 2 {
		c.subsampling = [2]uint64(v)
	}
	if c.photometric == palette {
		c.palette = readPalette(raw.Entry(tag.ColorMap), s.bits)
	}
	c.model = c.readModel(raw, s.bits)
	return c
}

// describedOf returns how many samples of a pixel the photometric interpretation describes. Three
// samples of a camera are already demosaiced to colors.
func (c *colors) describedOf(samples int) int {
	switch c.photometric {
	case rgb, yCbCr, cieLab, iccLab, ituLab:
		return 3
	case separated:
		return c.inks
	case linearRaw:
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
func (c *colors) isLinearRGB() bool { return c.photometric == linearRaw && c.described == 3 }

// decodesToRGB reports whether the first samples are RGB, as stored or after decoding.
func (d *directory) decodesToRGB() bool {
	return d.colors.photometric == rgb || d.coding.layout.JPEG.YCbCr || d.colors.isLinearRGB()
}

// The values of the tag ExtraSamples that mean alpha.
const (
	associatedAlpha   = 1
	unassociatedAlpha = 2
)

// isPremultiplied reports whether the colors are stored multiplied by the first alpha sample.
func (c *colors) isPremultiplied() bool {
	for _, extra := range c.extra {
		if extra == associatedAlpha || extra == unassociatedAlpha {
			return extra == associatedAlpha
		}
	}
	return false
}

// colorProblem says why the samples cannot be shown as gray, a palette or RGB. It returns "" if
// they can.
func (d *directory) colorProblem() string {
	switch d.colors.photometric {
	case minIsWhite, minIsBlack, rgb, maskBits, depth:
		return ""
	case palette:
		if d.colors.palette == nil {
			return "the samples are palette indices, but the file has no palette"
		}
		return ""
	case yCbCr:
		if d.decodesToRGB() {
			return ""
		}
		return "the samples are luminance and chroma"
	case separated:
		return "the samples are amounts of ink"
	case cieLab, iccLab, ituLab:
		return "the samples are lightness and color differences"
	case logL, logLuv:
		return "the samples are logarithms of luminance"
	case filterArray, linearRaw:
		if d.colors.isLinearRGB() {
			return ""
		}
		return "the samples are those of a camera's sensor"
	}
	return "the meaning of the samples is unknown"
}

// color returns the meaning of the i-th sample of a pixel.
func (d *directory) color(i int) raster.Color {
	if extra := i - d.colors.described; extra >= 0 {
		if extra < len(d.colors.extra) && (d.colors.extra[extra] == associatedAlpha || d.colors.extra[extra] == unassociatedAlpha) {
			return raster.Alpha
		}
		return raster.Undefined
	}
	switch {
	case d.decodesToRGB():
		return raster.Red + raster.Color(i)
	case d.colors.photometric == palette && d.colors.palette != nil:
		return raster.PaletteIndex
	case d.colors.photometric == minIsBlack || d.colors.photometric == minIsWhite:
		return raster.Gray
	}
	return raster.Undefined
}
