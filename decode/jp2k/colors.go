package jp2k

import (
	"math"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// colors describes the color channels of an image.
type colors struct {
	count   int               // 1 for gray, 3 for colors, 0 if unknown
	model   raster.ColorModel // unless the colors are gray or red, green and blue
	foreign string            // name of a color space without a model

	inverted bool // the lowest gray is white
}

// colorsOf returns the colors that the boxes define, and guesses if they define none.
func colorsOf(container *boxes.Container, h *codestream.Header, channels []boxes.Channel) colors {
	spec, isSpecified := container.Color()
	depth := channels[0].Depth
	switch {
	case isSpecified && spec.Method == boxes.Enumerated && spec.Space == boxes.SRGB && looksLikeChroma(h):
		return colors{count: 3, model: yCbCr(depth)}
	case isSpecified && spec.Method == boxes.Enumerated:
		return enumerated(spec, depth)
	case isSpecified:
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

// looksLikeChroma reports whether two of three components are coarser than the first. Only chroma
// is subsampled, though some encoders call the result sRGB.
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

// yCbCr returns the model of sYCC: luminance of the full range, and chroma around the middle of the
// range. The middle is zero for signed chroma.
func yCbCr(depth boxes.BitDepth) raster.ColorModel {
	highest, half := math.Ldexp(1, depth.Bits)-1, math.Ldexp(1, depth.Bits-1)
	return raster.ColorModel{
		Space: raster.YCbCr, Luma: [3]float64{0.299, 0.587, 0.114}, Reference: [6]float64{0, highest, half, highest, half, highest},
	}
}

// white is the white point of printing, D50.
var white = [3]float64{0.96425, 1, 0.82468}

// lab returns the model of CIELab, in the ranges that the file has, or else the default ones.
func lab(stored *boxes.LabRange, depth boxes.BitDepth) colors {
	model := raster.ColorModel{Space: raster.ITULab, White: white}
	defaults := boxes.LabRange{
		Range: [3]uint32{100, 170, 200}, Offset: [3]uint32{0, 1 << (depth.Bits - 1), 3 << max(depth.Bits-3, 0)},
	}
	if stored == nil || stored.Range == defaults.Range && stored.Offset == defaults.Offset {
		return colors{count: 3, model: model}
	}
	for i := range stored.Range {
		if stored.Range[i] == 0 {
			return colors{foreign: "CIELab in an empty range"}
		}
		model.LabRange[2*i], model.LabRange[2*i+1] = float64(stored.Range[i]), float64(stored.Offset[i])
	}
	return colors{count: 3, model: model}
}
