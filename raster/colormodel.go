package raster

// ColorModel says what samples mean that are colors of another kind than red,
// green and blue. Its zero value is that they are not.
type ColorModel struct {
	Space ColorSpace

	// Luma are the parts of red, green and blue in the luminance of YCbCr.
	Luma [3]float64

	// Reference are the samples of no and of full intensity, for each of Y, Cb
	// and Cr.
	Reference [6]float64

	// White is the tristimulus of white, for Lab: X, Y and Z, where Y is 1.
	White [3]float64
}

// ColorSpace is a kind of color.
type ColorSpace uint8

// The kinds of colors that a file may hold. Samples are as they are stored.
const (
	RGB    ColorSpace = iota // or gray, or colors of a palette, as the bands say
	CMYK                     // amounts of ink: the highest sample is all of it
	YCbCr                    // luminance and chroma
	CIELab                   // lightness, and signed a and b
	ICCLab                   // lightness, and a and b from an offset of half the range
	ITULab                   // lightness, and a and b in ranges of fax
	LogL                     // the logarithm of luminance, as 16 bits of LogLuv
	LogLuv                   // the same, and u and v, as 32 bits in one sample
)

var colorSpaceNames = [...]string{"rgb", "cmyk", "ycbcr", "cielab", "icclab", "itulab", "logl", "logluv"}

// String returns the name of s in lower case.
func (s ColorSpace) String() string {
	if int(s) < len(colorSpaceNames) {
		return colorSpaceNames[s]
	}
	return "unknown"
}
