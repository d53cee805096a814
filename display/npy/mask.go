package npy

// appendMask appends the coverage as one more plane of samples.
func appendMask(dst []byte, a *Array) []byte {
	samples, size := a.Type.maskSamples(), a.Type.Size()
	for pixel := range a.Width * a.Height {
		sample := &samples[a.covered(pixel)]
		dst = append(dst, sample[:size]...)
	}
	return dst
}

// covered is the coverage of a pixel in the band that covers most of it.
func (a *Array) covered(pixel int) (most uint8) {
	if len(a.Coverage) == 0 {
		return 255
	}
	for _, plane := range a.Coverage {
		if plane == nil {
			return 255
		}
		most = max(most, plane[pixel])
	}
	return most
}

// maskSamples are the samples that stand for each coverage.
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
