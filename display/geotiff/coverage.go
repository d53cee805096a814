package geotiff

import "bytes"

// telling is how a file tells the coverage of its image. With neither an alpha nor a mask it need not, or no-data does.
type telling struct {
	hasAlpha bool
	alpha    []uint8 // nil where all of every pixel is there

	// masks is empty where there is no mask page. A nil plane is one that is covered everywhere.
	masks [][]uint8
}

// tell decides on a telling. It may use and return merged for the coverage of all bands together.
func (img *Image) tell(merged []uint8) (t telling, scratch []uint8) {
	switch {
	case img.NoData != nil:
		return telling{}, merged
	case img.Masking == AlphaBand && !img.hasOneCoverage():
		merged = img.mergedCoverage(merged[:0])
		return telling{hasAlpha: true, alpha: merged}, merged
	case img.Masking == AlphaBand:
		return telling{hasAlpha: true, alpha: img.coverage(0)}, merged
	case img.Masking == MaskAuto && img.alphaIsMask() && img.hasOneCoverage():
		return telling{hasAlpha: !isWhole(img.coverage(0)), alpha: img.coverage(0)}, merged
	case !img.hasUncovered():
		return telling{}, merged
	case img.hasOneCoverage():
		return telling{masks: img.Coverage[:1]}, merged
	}
	return telling{masks: img.Coverage}, merged
}

// alphaIsMask tells whether readers take an alpha beside these bands for the mask of them.
func (img *Image) alphaIsMask() bool {
	return img.Type.hasAlpha() && (len(img.Bands) == 1 || len(img.Bands) == 3)
}

// hasOneCoverage tells whether the coverage of the first band is that of all.
func (img *Image) hasOneCoverage() bool {
	for _, plane := range img.Coverage {
		if (plane == nil) != (img.Coverage[0] == nil) || !bytes.Equal(plane, img.Coverage[0]) {
			return false
		}
	}
	return true
}

func (img *Image) hasUncovered() bool {
	for _, plane := range img.Coverage {
		if bytes.IndexByte(plane, 0) >= 0 {
			return true
		}
	}
	return false
}

// mergedCoverage appends, for every pixel, the coverage of the band that covers most of it.
func (img *Image) mergedCoverage(merged []uint8) []uint8 {
	merged = append(merged, img.Coverage[0]...)
	for _, plane := range img.Coverage {
		if plane == nil {
			return nil
		}
		for i, covered := range plane {
			merged[i] = max(merged[i], covered)
		}
	}
	return merged
}

// isWhole tells whether all of every pixel is there.
func isWhole(plane []uint8) bool {
	for _, covered := range plane {
		if covered != 255 {
			return false
		}
	}
	return true
}
