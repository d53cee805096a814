package npy

// appendMask appends the coverage as a plane of samples.
func appendMask(dst []byte, a *Array) []byte {
	samples, size := a.Type.maskSamples(), a.Type.Size()
	for pixel := range a.Width * a.Height {
		sample := &samples[a.maxCoverage(pixel)]
		dst = append(dst, sample[:size]...)
	}
	return dst
}

// maxCoverage returns the greatest coverage of a pixel over all bands.
func (a *Array) maxCoverage(pixel int) (coverage uint8) {
	if len(a.Coverage) == 0 {
		return 255
	}
	for _, plane := range a.Coverage {
		if plane == nil {
			return 255
		}
		coverage = max(coverage, plane[pixel])
	}
	return coverage
}

// maskSamples returns the sample for each coverage.
func (t Type) maskSamples() (samples [256][16]byte) {
	for coverage := range samples {
		value := coverage
		if t == Int8 {
			value = min((coverage+1)/2, 127)
		}
		samples[coverage] = t.sample(float64(value))
	}
	return samples
}
