package jp2k

import (
	"math"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// colors is what the colour channels of an image are.
type colors struct {
	count   int               // 1 of gray, 3 of colours, 0 of neither
	model   raster.ColorModel // where they are neither gray nor red, green and blue
	foreign string            // what they are, where no model is known

	inverted bool // the lowest gray is white
}

// colorsOf finds out what the boxes say, and guesses where they say nothing.
func colorsOf(container *boxes.Container, h *codestream.Header, channels []boxes.Channel) colors {
	spec, told := container.Color()
	depth := channels[0].Depth
	switch {
	case told && spec.Method == boxes.Enumerated && spec.Space == boxes.SRGB && looksLikeChroma(h):
		return colors{count: 3, model: yCbCr(depth)}
	case told && spec.Method == boxes.Enumerated:
		return enumerated(spec, depth)
	case told:
		return profiled(spec.Profile.Space, depth)
	case looksLikeChroma(h):
		return colors{count: 3, model: yCbCr(depth)}
	case len(channels) == 3 || len(channels) == 4:
		return colors{count: 3}
	case len(channels) <= 2:
		return colors{count: 1}
	}
	return colors{}
}

// looksLikeChroma says that two of three components are coarser than the first: nobody does
// that to colours, though some encoders call the result sRGB.
func looksLikeChroma(h *codestream.Header) bool {
	c := h.Components
	return len(c) == 3 && c[0].DX == c[0].DY && c[0].DX < c[1].DX && c[1].DX == c[2].DX && c[1].DY == c[2].DY
}

func enumerated(spec boxes.ColorSpec, depth boxes.BitDepth) colors {
	switch spec.Space {
	case boxes.SRGB, boxes.ESRGB, boxes.ROMMRGB:
		return colors{count: 3}
	case boxes.Gray, boxes.BiLevel2:
		return colors{count: 1}
	case boxes.BiLevel:
		return colors{count: 1, inverted: true}
	case boxes.SYCC, boxes.ESYCC, boxes.YCbCr1, boxes.YCbCr2, boxes.YCbCr3:
		return colors{count: 3, model: yCbCr(depth)}
	case boxes.CMYK:
		return colors{count: 4, model: raster.ColorModel{Space: raster.CMYK}}
	case boxes.Lab:
		return lab(spec.Lab, depth)
	}
	return colors{foreign: spec.Space.String()}
}

func profiled(space string, depth boxes.BitDepth) colors {
	switch space {
	case "RGB":
		return colors{count: 3}
	case "GRAY":
		return colors{count: 1}
	case "CMYK":
		return colors{count: 4, model: raster.ColorModel{Space: raster.CMYK}}
	case "YCbr":
		return colors{count: 3, model: yCbCr(depth)}
	case "Lab":
		return colors{count: 3, model: raster.ColorModel{Space: raster.ICCLab, White: white}}
	}
	return colors{foreign: space + " by a profile"}
}

// yCbCr is what sYCC is: luminance of the whole range, and chroma around the middle of it.
// Signed samples of chroma have that at zero.
func yCbCr(depth boxes.BitDepth) raster.ColorModel {
	most, half := math.Ldexp(1, depth.Bits)-1, math.Ldexp(1, depth.Bits-1)
	return raster.ColorModel{
		Space: raster.YCbCr, Luma: [3]float64{0.299, 0.587, 0.114}, Reference: [6]float64{0, most, half, most, half, most},
	}
}

// white is that of printing, D50.
var white = [3]float64{0.96425, 1, 0.82468}

// lab is CIELab in the ranges that hold where none are told. Others are not known to anybody
// who shows it.
func lab(told *boxes.LabRange, depth boxes.BitDepth) colors {
	usual := boxes.LabRange{
		Range: [3]uint32{100, 170, 200}, Offset: [3]uint32{0, 1 << (depth.Bits - 1), 3 << max(depth.Bits-3, 0)},
	}
	if told != nil && (told.Range != usual.Range || told.Offset != usual.Offset) {
		return colors{foreign: "CIELab in ranges of its own"}
	}
	return colors{count: 3, model: raster.ColorModel{Space: raster.ITULab, White: white}}
}
