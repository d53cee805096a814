package tiff

import (
	"math"

	"tileserver/raster"
)

func (p *page) readColors(r reading) error {
	p.photometric = photometric(r.uint(tagPhotometric, uint64(minIsBlack)))
	p.extraSamples = r.entries[tagExtraSamples].uints()
	p.subsampling = [2]uint64{2, 2}
	if s := r.entries[tagYCbCrSubsampling].uints(); len(s) == 2 {
		p.subsampling = [2]uint64(s)
	}
	if p.photometric == palette {
		p.palette = readPalette(r.entries[tagColorMap].uints(), p.bits)
	}
	return nil
}

// readPalette reads the reds, then the greens, then the blues of all samples.
// They are of 16 bits, but some writers fill the lower 8 only.
func readPalette(values []uint64, bits int) []raster.RGBA {
	if bits > 16 || len(values) < 3<<bits {
		return nil
	}
	n, shift := 1<<bits, 0
	for _, v := range values {
		if v > math.MaxUint8 {
			shift = 8
		}
	}
	colors := make([]raster.RGBA, n)
	for i := range colors {
		colors[i] = raster.RGBA{
			R: uint8(values[i] >> shift), G: uint8(values[n+i] >> shift), B: uint8(values[2*n+i] >> shift), A: 255,
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
		return 4
	}
	return 1
}

// decodesToRGB tells whether the first samples are colours, as they are stored or
// because the codec makes them so.
func (p *page) decodesToRGB() bool { return p.photometric == rgb || p.layout.JPEG.YCbCr }

// color is what the i-th sample of a pixel means.
func (p *page) color(i int) raster.Color {
	const associatedAlpha, unassociatedAlpha = 1, 2
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
