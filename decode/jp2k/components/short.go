package components

import (
	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
)

// isShort reports whether int16 holds all numbers of a reversible tile window, from coefficients to
// samples. Those of 8 bits nearly always fit, far below what their bit-planes would allow. Damage may
// make coefficients larger, so their true magnitudes count.
func (j *assembleJob) isShort(p *tileWindow) bool {
	var magnitudes [3]int
	for i := range p.components {
		magnitudes[i] = j.magnitudeOf(&p.components[i])
		if magnitudes[i] > wavelet.MaxShort {
			return false
		}
	}
	return !p.transformed || samples.FitsShort(magnitudes[0], magnitudes[1], magnitudes[2])
}

// magnitudeOf returns the maximum magnitude that the samples of a component can have, or more than
// wavelet.MaxShort.
func (j *assembleJob) magnitudeOf(w *componentWindow) int {
	magnitude := j.magnitudeIn(&w.resolutions[0].bands[0])
	for i := 1; i < len(w.resolutions) && magnitude <= wavelet.MaxShort; i++ {
		of := [4]int{wavelet.LL: magnitude}
		for b := range w.resolutions[i].bands {
			band := &w.resolutions[i].bands[b]
			of[band.Orientation] = j.magnitudeIn(band)
		}
		magnitude = wavelet.MaxOf53(of)
	}
	return magnitude
}

// magnitudeIn returns the maximum magnitude of the coefficients of a band.
func (j *assembleJob) magnitudeIn(b *bandWindow) (magnitude int) {
	for _, member := range b.blocks {
		if member != noBlock {
			magnitude = max(magnitude, j.value(member).magnitude)
		}
	}
	return magnitude
}
