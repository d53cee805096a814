package pixel

import (
	"math"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// readModel returns the color model of samples that are neither gray nor RGB. It ignores tags that
// contradict themselves.
func (c *Colors) readModel(raw *ifd.Directory, bits int) (m raster.ColorModel) {
	switch c.Photometric {
	case Separated:
		if c.isCMYK() {
			m.Space = raster.CMYK
		}
	case YCbCr:
		m = raster.ColorModel{Space: raster.YCbCr, Luma: lumaOf(raw), Reference: referenceBlackWhite(raw, bits)}
	case CIELab:
		m = raster.ColorModel{Space: raster.CIELab, White: whiteOf(raw)}
	case ICCLab:
		m = raster.ColorModel{Space: raster.ICCLab, White: whiteOf(raw)}
	case ITULab:
		m = raster.ColorModel{Space: raster.ITULab, White: whiteOf(raw)}
	case LogL:
		m.Space = raster.LogL
	case LogLuv:
		m.Space = raster.LogLuv
	}
	return m
}

// isCMYK reports whether the inks are the four of process printing. It takes any four inks for
// these and ignores the tag InkSet, in which some writers put a wrong number.
func (c *Colors) isCMYK() bool {
	const inksOfCMYK = 4
	return c.inks == inksOfCMYK
}

// lumaOf returns the weights of red, green and blue in luma. The default is that of television with
// 625 lines (ITU-R BT.601).
func lumaOf(raw *ifd.Directory) [3]float64 {
	if v := raw.Entry(tag.YCbCrCoefficients).Floats(); len(v) == 3 && allBetween(v, 0, 1) && v[1] > 0 {
		return [3]float64(v)
	}
	return [3]float64{0.299, 0.587, 0.114}
}

// referenceBlackWhite returns the samples of zero and of full intensity of Y, Cb and Cr. By default
// they span the whole range, with the zero of chroma in its middle.
func referenceBlackWhite(raw *ifd.Directory, bits int) [6]float64 {
	v := raw.Entry(tag.ReferenceBlackWhite).Floats()
	if len(v) == 6 && allBetween(v, -math.MaxFloat32, math.MaxFloat32) && v[0] != v[1] && v[2] != v[3] && v[4] != v[5] {
		return [6]float64(v)
	}
	maxValue := math.Ldexp(1, bits) - 1
	half := math.Ldexp(1, bits-1)
	return [6]float64{0, maxValue, half, maxValue, half, maxValue}
}

// whiteOf returns the tristimulus values of the white point. The specification gives no default;
// writers that omit the tag mean D50, the white of printing.
func whiteOf(raw *ifd.Directory) [3]float64 {
	if v := raw.Entry(tag.WhitePoint).Floats(); len(v) == 2 && allBetween(v, 0, 1) && v[1] > 0 {
		x, y := v[0], v[1]
		return [3]float64{x / y, 1, (1 - x - y) / y}
	}
	return [3]float64{0.96425, 1, 0.82468}
}

// allBetween reports whether all values are in the range. It returns false for NaN.
func allBetween(values []float64, low, high float64) bool {
	for _, v := range values {
		if !(v >= low && v <= high) {
			return false
		}
	}
	return true
}
