package tiff

import (
	"math"

	"tileserver/decode/tiff/ifd"
	"tileserver/raster"
)

func (d *directory) readColors(r tagReader) error {
	d.photometric = photometric(r.Uint(tagPhotometric, uint64(minIsBlack)))
	d.extraSamples = r.Entry(tagExtraSamples).Uints()
	d.extraSamples = d.extraSamples[:min(len(d.extraSamples), d.samples)]
	d.subsampling = [2]uint64{2, 2}
	if s := r.Entry(tagYCbCrSubsampling).Uints(); len(s) == 2 {
		d.subsampling = [2]uint64(s)
	}
	if d.photometric == palette {
		d.palette = readPalette(r.Entry(tagColorMap), d.bits)
	}
	d.inks = int(min(r.Uint(tagNumberOfInks, 4), uint64(d.samples)))
	d.readColorModel(r)
	return nil
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

// colorSamples returns how many samples of a pixel the photometric interpretation describes. The
// samples after them are extra.
func (d *directory) colorSamples() int {
	switch d.photometric {
	case rgb, yCbCr, cieLab, iccLab, ituLab:
		return 3
	case separated:
		return d.inks
	}
	if d.isLinearRGB() {
		return 3
	}
	return 1
}

// isLinearRGB reports whether the samples come from a camera but are already demosaiced to colors.
func (d *directory) isLinearRGB() bool { return d.photometric == linearRaw && d.samples >= 3 }

// decodesToRGB reports whether the first samples are RGB, as stored or after decoding.
func (d *directory) decodesToRGB() bool {
	return d.photometric == rgb || d.layout.JPEG.YCbCr || d.isLinearRGB()
}

// The values of the tag ExtraSamples that mean alpha.
const (
	associatedAlpha   = 1
	unassociatedAlpha = 2
)

// isPremultiplied reports whether the colors are stored multiplied by the first alpha sample.
func (d *directory) isPremultiplied() bool {
	extras := max(d.samples-d.colorSamples(), 0)
	for _, extra := range d.extraSamples[:min(extras, len(d.extraSamples))] {
		if extra == associatedAlpha || extra == unassociatedAlpha {
			return extra == associatedAlpha
		}
	}
	return false
}

// colorProblem says why the samples cannot be shown as gray, a palette or RGB. It returns "" if
// they can.
func (d *directory) colorProblem() string {
	switch d.photometric {
	case minIsWhite, minIsBlack, rgb, maskBits, depth:
		return ""
	case palette:
		if d.palette == nil {
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
		if d.isLinearRGB() {
			return ""
		}
		return "the samples are those of a camera's sensor"
	}
	return "the meaning of the samples is unknown"
}

// color returns the meaning of the i-th sample of a pixel.
func (d *directory) color(i int) raster.Color {
	if extra := i - d.colorSamples(); extra >= 0 {
		if extra < len(d.extraSamples) && (d.extraSamples[extra] == associatedAlpha || d.extraSamples[extra] == unassociatedAlpha) {
			return raster.Alpha
		}
		return raster.Undefined
	}
	switch {
	case d.decodesToRGB():
		return raster.Red + raster.Color(i)
	case d.photometric == palette && d.palette != nil:
		return raster.PaletteIndex
	case d.photometric == minIsBlack || d.photometric == minIsWhite:
		return raster.Gray
	}
	return raster.Undefined
}
