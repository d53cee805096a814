package codestream

import (
	"fmt"
	"math"

	"tileserver/decode/jp2k/wavelet"
)

// quantization is the quantization of a component: a QCD or QCC marker.
type quantization struct {
	guardBits int
	derived   bool     // the steps of all bands are derived from the first
	steps     []uint16 // by band: 5 bits of exponent, 11 bits of mantissa
}

// The values of Sqcd.
const (
	notQuantized = iota
	scalarDerived
	scalarExpounded
)

// parseQuantization parses the body of a QCD marker, or of a QCC marker after the number of the
// component.
func parseQuantization(f *fields) (*quantization, error) {
	style := f.byte()
	q := &quantization{guardBits: style >> 5, derived: style&31 == scalarDerived}
	switch style & 31 {
	case notQuantized:
		for !f.done() && len(q.steps) <= 3*maxLevels {
			q.steps = append(q.steps, uint16(f.byte()>>3)<<11)
		}
	case scalarDerived:
		q.steps = append(q.steps, uint16(f.two()))
	case scalarExpounded:
		for len(f.rest) > 1 && len(q.steps) <= 3*maxLevels {
			q.steps = append(q.steps, uint16(f.two()))
		}
	default:
		return nil, fmt.Errorf("%w: quantization %d, which is not of Part 1", ErrUnsupported, style&31)
	}
	if f.short || len(q.steps) == 0 {
		return nil, fmt.Errorf("%w: quantization without a step", ErrCorrupt)
	}
	return q, nil
}

// covers reports whether each of the bands has a step.
func (q *quantization) covers(bands int) bool { return q.derived || len(q.steps) >= bands }

// step returns the exponent and mantissa of a band. Bands are numbered from LL, three for each
// resolution.
func (q *quantization) step(band int) (exponent, mantissa int) {
	if !q.derived {
		return int(q.steps[band] >> 11), int(q.steps[band] & 2047)
	}
	exponent = int(q.steps[0] >> 11)
	if band > 0 {
		exponent = max(exponent-(band-1)/3, 0)
	}
	return exponent, int(q.steps[0] & 2047)
}

// bitPlanes returns the maximum number of bit-planes of a band's magnitudes.
func (q *quantization) bitPlanes(band int) int {
	exponent, _ := q.step(band)
	return max(q.guardBits+exponent-1, 0)
}

// stepSize returns the value of magnitude 1 in a band, after the 9-7 wavelet. bits is the depth of
// the component. If only exponents are stored, the mantissa is 0, as in other decoders.
func (q *quantization) stepSize(band int, o wavelet.Orientation, bits int) float32 {
	exponent, mantissa := q.step(band)
	gain := [...]int{wavelet.LL: 0, wavelet.HL: 1, wavelet.LH: 1, wavelet.HH: 2}[o]
	return float32(math.Ldexp(1+float64(mantissa)/2048, bits+gain-exponent))
}
