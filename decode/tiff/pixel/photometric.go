package pixel

import (
	"fmt"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
)

// Photometric is the value of the tag PhotometricInterpretation.
type Photometric uint16

const (
	MinIsWhite  Photometric = 0
	MinIsBlack  Photometric = 1
	RGB         Photometric = 2
	Palette     Photometric = 3
	MaskBits    Photometric = 4
	Separated   Photometric = 5
	YCbCr       Photometric = 6
	CIELab      Photometric = 8
	ICCLab      Photometric = 9
	ITULab      Photometric = 10
	FilterArray Photometric = 32803
	LogL        Photometric = 32844
	LogLuv      Photometric = 32845
	LinearRaw   Photometric = 34892
	Depth       Photometric = 51177
)

// photometricOf returns the photometric interpretation of a directory. Two compressions of Aperio's
// slides name the colors of their codestreams, which the tag contradicts in some slides.
func photometricOf(raw *ifd.Directory, samples int) Photometric {
	const aperioYCbCr, aperioRGB, colors = 33003, 33005, 3
	switch compression := raw.Uint(tag.Compression, 1); {
	case compression == aperioYCbCr && samples == colors:
		return YCbCr
	case compression == aperioRGB && samples == colors:
		return RGB
	}
	return Photometric(raw.Uint(tag.Photometric, uint64(MinIsBlack)))
}

// String returns the name of p in lower case, or its number.
func (p Photometric) String() string {
	switch p {
	case MinIsWhite:
		return "miniswhite"
	case MinIsBlack:
		return "minisblack"
	case RGB:
		return "rgb"
	case Palette:
		return "palette"
	case MaskBits:
		return "mask"
	case Separated:
		return "cmyk"
	case YCbCr:
		return "ycbcr"
	case CIELab:
		return "cielab"
	case ICCLab:
		return "icclab"
	case ITULab:
		return "itulab"
	case FilterArray:
		return "cfa"
	case LogL:
		return "logl"
	case LogLuv:
		return "logluv"
	case LinearRaw:
		return "linearraw"
	case Depth:
		return "depth"
	}
	return fmt.Sprintf("%d", uint16(p))
}
