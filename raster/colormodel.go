package raster

// ColorModel describes samples whose colors are not red, green and blue. The zero value means RGB.
type ColorModel struct {
	Space ColorSpace

	// Luma holds the weights of red, green and blue in the luminance of YCbCr.
	Luma [3]float64

	// Reference holds the samples of zero and full intensity, for each of Y, Cb and Cr.
	Reference [6]float64

	// LabRange holds the range and the offset of each of L, a and b in ITULab, as JPEG 2000 has them:
	// sample s means (s - offset) * range / (2^bits - 1). The zero value means the ranges of fax.
	LabRange [6]float64

	// White is the tristimulus value of white for Lab: X, Y and Z, with Y = 1.
	White [3]float64
}

// ColorSpace is a kind of color.
type ColorSpace uint8

// The color spaces that a file may use. Samples are kept as stored.
const (
	RGB    ColorSpace = iota // or gray, or palette colors, depending on the bands
	CMYK                     // amounts of ink; the highest sample is full ink
	YCbCr                    // luminance and chroma
	CIELab                   // lightness, and signed a and b
	ICCLab                   // lightness, and a and b with an offset of half the range
	ITULab                   // lightness, and a and b with the ranges of fax
	LogL                     // 16-bit logarithm of luminance, as in LogLuv
	LogLuv                   // 32 bits in one sample: logarithm of luminance, u and v
)

var colorSpaceNames = [...]string{"rgb", "cmyk", "ycbcr", "cielab", "icclab", "itulab", "logl", "logluv"}

// String returns the name of s in lower case.
func (s ColorSpace) String() string {
	if int(s) < len(colorSpaceNames) {
		return colorSpaceNames[s]
	}
	return "unknown"
}
