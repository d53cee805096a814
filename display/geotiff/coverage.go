package geotiff

import "bytes"

// A coverageEncoding is how a file stores the coverage of its image. It has neither alpha nor masks
// if all pixels are covered, or if nodata marks the others.
type coverageEncoding struct {
	hasAlpha bool
	alpha    []uint8 // nil if all pixels are fully covered

	// masks is empty without a mask image. A nil plane is fully covered.
	masks [][]uint8
}

// encodeCoverage chooses how to store coverage. It may use merged for the coverage of all bands
// together, and returns it for reuse.
func (img *Image) encodeCoverage(merged []uint8) (encoding coverageEncoding, scratch []uint8) {
	switch {
	case img.NoData != nil:
		return coverageEncoding{}, merged
	case img.Masking == AlphaBand && !img.sharesCoverage():
		merged = img.mergedCoverage(merged[:0])
		return coverageEncoding{hasAlpha: true, alpha: merged}, merged
	case img.Masking == AlphaBand:
		return coverageEncoding{hasAlpha: true, alpha: img.coverage(0)}, merged
	case img.Masking == MaskAuto && img.isAlphaReadAsMask() && img.sharesCoverage():
		return coverageEncoding{hasAlpha: !isFullyCovered(img.coverage(0)), alpha: img.coverage(0)}, merged
	case !img.hasUncovered():
		return coverageEncoding{}, merged
	case img.sharesCoverage():
		return coverageEncoding{masks: img.Coverage[:1]}, merged
	}
	return coverageEncoding{masks: img.Coverage}, merged
}

// isAlphaReadAsMask reports whether readers take an alpha band beside these bands for their mask.
func (img *Image) isAlphaReadAsMask() bool {
	return img.Type.hasAlpha() && (len(img.Bands) == 1 || len(img.Bands) == 3)
}

// sharesCoverage reports whether all bands have the same coverage.
func (img *Image) sharesCoverage() bool {
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

// mergedCoverage appends the greatest coverage of each pixel over all bands. It returns nil if a
// band is fully covered.
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

// isFullyCovered reports whether all pixels are fully covered.
func isFullyCovered(plane []uint8) bool {
	for _, covered := range plane {
		if covered != 255 {
			return false
		}
	}
	return true
}
