package tiff

import (
	"math"

	"tileserver/raster"
)

// readColorModel finds what the samples mean that are neither gray nor red, green
// and blue. Tags that contradict themselves count as missing.
func (p *page) readColorModel(r reading) {
	switch p.photometric {
	case separated:
		if p.isCMYK() {
			p.colors.Space = raster.CMYK
		}
	case yCbCr:
		p.colors = raster.ColorModel{Space: raster.YCbCr, Luma: r.luma(), Reference: r.referenceBlackWhite(p.bits)}
	case cieLab:
		p.colors = raster.ColorModel{Space: raster.CIELab, White: r.white()}
	case iccLab:
		p.colors = raster.ColorModel{Space: raster.ICCLab, White: r.white()}
	case ituLab:
		p.colors = raster.ColorModel{Space: raster.ITULab, White: r.white()}
	case logL:
		p.colors.Space = raster.LogL
	case logLuv:
		p.colors.Space = raster.LogLuv
	}
}

// isCMYK tells whether the inks are the four of process printing. Four are, also
// where the tag InkSet says otherwise: some writers put a wrong number there.
func (p *page) isCMYK() bool {
	const inksOfCMYK = 4
	return p.inks == inksOfCMYK && p.samples >= inksOfCMYK
}

// luma are the parts of red, green and blue in luminance: unless the file says
// otherwise, those of television with 625 lines.
func (r reading) luma() [3]float64 {
	if v := r.entries[tagYCbCrCoefficients].floats(); len(v) == 3 && allBetween(v, 0, 1) && v[1] > 0 {
		return [3]float64(v)
	}
	return [3]float64{0.299, 0.587, 0.114}
}

// referenceBlackWhite are the samples of no and of full intensity of Y, Cb and
// Cr. Without the tag they take the whole range, and the middle of it.
func (r reading) referenceBlackWhite(bits int) [6]float64 {
	v := r.entries[tagReferenceBlackWhite].floats()
	if len(v) == 6 && allBetween(v, -math.MaxFloat32, math.MaxFloat32) && v[0] != v[1] && v[2] != v[3] && v[4] != v[5] {
		return [6]float64(v)
	}
	most := math.Ldexp(1, bits) - 1
	half := math.Ldexp(1, bits-1)
	return [6]float64{0, most, half, most, half, most}
}

// white is the tristimulus of white. The specification names none for files that
// do not; who writes them means the one of printing, D50.
func (r reading) white() [3]float64 {
	if v := r.entries[tagWhitePoint].floats(); len(v) == 2 && allBetween(v, 0, 1) && v[1] > 0 {
		x, y := v[0], v[1]
		return [3]float64{x / y, 1, (1 - x - y) / y}
	}
	return [3]float64{0.96425, 1, 0.82468}
}

// allBetween is false where a value is not a number.
func allBetween(values []float64, least, most float64) bool {
	for _, v := range values {
		if !(v >= least && v <= most) {
			return false
		}
	}
	return true
}
