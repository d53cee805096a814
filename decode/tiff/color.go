package tiff

import (
	"math"

	"tileserver/raster"
)

func (p *page) readColors(r reading) error {
	p.photometric = photometric(r.uint(tagPhotometric, uint64(minIsBlack)))
	p.extraSamples = r.entries[tagExtraSamples].uints()
	p.extraSamples = p.extraSamples[:min(len(p.extraSamples), p.samples)]
	p.subsampling = [2]uint64{2, 2}
	if s := r.entries[tagYCbCrSubsampling].uints(); len(s) == 2 {
		p.subsampling = [2]uint64(s)
	}
	if p.photometric == palette {
		p.palette = readPalette(r.entries[tagColorMap], p.bits)
	}
	p.inks = int(min(r.uint(tagNumberOfInks, 4), uint64(p.samples)))
	p.readColorModel(r)
	return nil
}

// readPalette reads the reds, then the greens, then the blues of all samples.
// They are of 16 bits, but some writers fill the lower 8 only.
func readPalette(e *entry, bits int) []raster.RGBA {
	if e == nil || !e.kind.unsigned() || bits > 16 || e.count < 3<<bits {
		return nil
	}
	at := func(i int) uint64 { return uintAt(e.value, i, e.kind, e.order) }
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

// colorSamples is how many of a pixel's samples the photometric interpretation
// speaks of; those behind them are extra.
func (p *page) colorSamples() int {
	switch p.photometric {
	case rgb, yCbCr, cieLab, iccLab, ituLab:
		return 3
	case separated:
		return p.inks
	}
	if p.linearRGB() {
		return 3
	}
	return 1
}

// linearRGB tells whether the samples are a camera's, but put together to colours.
func (p *page) linearRGB() bool { return p.photometric == linearRaw && p.samples >= 3 }

// decodesToRGB tells whether the first samples are colours, as they are stored or
// because the codec makes them so.
func (p *page) decodesToRGB() bool {
	return p.photometric == rgb || p.layout.JPEG.YCbCr || p.linearRGB()
}

// The values of the tag ExtraSamples that speak of opacity.
const (
	associatedAlpha   = 1
	unassociatedAlpha = 2
)

// premultiplied tells whether the colours are stored multiplied by the first
// sample of opacity.
func (p *page) premultiplied() bool {
	extras := max(p.samples-p.colorSamples(), 0)
	for _, extra := range p.extraSamples[:min(extras, len(p.extraSamples))] {
		if extra == associatedAlpha || extra == unassociatedAlpha {
			return extra == associatedAlpha
		}
	}
	return false
}

// foreignColors says what the samples are, if they are neither gray nor red,
// green and blue, and are not made so by decoding.
func (p *page) foreignColors() string {
	switch p.photometric {
	case minIsWhite, minIsBlack, rgb, maskBits, depth:
		return ""
	case palette:
		if p.palette == nil {
			return "the samples stand for colours that the file does not hold"
		}
		return ""
	case yCbCr:
		if p.decodesToRGB() {
			return ""
		}
		return "the samples are luminance and chroma"
	case separated:
		return "the samples are amounts of ink"
	case cieLab, iccLab, ituLab:
		return "the samples are lightness and colour differences"
	case logL, logLuv:
		return "the samples are logarithms of luminance"
	case filterArray, linearRaw:
		if p.linearRGB() {
			return ""
		}
		return "the samples are those of a camera's sensor"
	}
	return "nobody knows what the samples are"
}

// color is what the i-th sample of a pixel means.
func (p *page) color(i int) raster.Color {
	if extra := i - p.colorSamples(); extra >= 0 {
		if extra < len(p.extraSamples) && (p.extraSamples[extra] == associatedAlpha || p.extraSamples[extra] == unassociatedAlpha) {
			return raster.Alpha
		}
		return raster.Undefined
	}
	switch {
	case p.decodesToRGB():
		return raster.Red + raster.Color(i)
	case p.photometric == palette && p.palette != nil:
		return raster.PaletteIndex
	case p.photometric == minIsBlack || p.photometric == minIsWhite:
		return raster.Gray
	}
	return raster.Undefined
}
