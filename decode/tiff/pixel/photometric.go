package pixel

import "fmt"

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
