package resample

import (
	"encoding/binary"

	"tileserver/raster"
)

// interpolate resamples a row segment bilinearly.
func (s *sampler[T]) interpolate(r *Row, to int, coverage []uint8) {
	fillValid(coverage)
	if s.coverage != nil {
		s.partial.findUnderFour(r, s.coverage, s.stride)
	}
	if s.partial.count < r.N {
		for _, p := range s.planes {
			interpolateValid(p.source, s.stride, r, p.target[to:to+r.N], s.round)
		}
	}
	for _, i := range s.partial.index[:s.partial.count] {
		coverage[i] = s.interpolatePartial(r, int(i), to)
	}
}

// interpolateValid interpolates a row as if all pixels were valid.
func interpolateValid[T raster.Sample](source []T, stride int, r *Row, target []T, round rounder[T]) {
	done := interpolateFours(source, stride, r, target)
	if target, ok := any(target).([]uint8); ok {
		interpolateBytes(done, any(source).([]uint8), stride, r, target)
		return
	}
	interpolateFrom(done, source, stride, r, target, round)
}

// interpolateFrom interpolates a row from index from on. For integers of up to 32 bits it is exact
// and rounds once. Conversions around products prevent fused multiply-add, so that all machines
// compute the same.
func interpolateFrom[T raster.Sample](from int, source []T, stride int, r *Row, target []T, round rounder[T]) {
	at, fx, fy := r.At[from:len(target)], r.PhaseX[from:len(target)], r.PhaseY[from:len(target)]
	target = target[from:]
	for i := range target {
		top := source[at[i]:][:2]
		bottom := source[int(at[i])+stride:][:2]
		x, y := float64(fx[i])/phases, float64(fy[i])/phases
		a := float64(top[0]) + float64((float64(top[1])-float64(top[0]))*x)
		b := float64(bottom[0]) + float64((float64(bottom[1])-float64(bottom[0]))*x)
		target[i] = round.to(a + float64((b-a)*y))
	}
}

// interpolateBytes is interpolateFrom for bytes. It loads two neighbors at once and weighs them in
// the two halves of a word.
func interpolateBytes(from int, source []uint8, stride int, r *Row, target []uint8) {
	at, fx, fy := r.At[from:len(target)], r.PhaseX[from:len(target)], r.PhaseY[from:len(target)]
	target = target[from:]
	for i := range target {
		top := uint64(binary.LittleEndian.Uint16(source[at[i]:]))
		bottom := uint64(binary.LittleEndian.Uint16(source[int(at[i])+stride:]))
		y := uint64(fy[i])
		both := spread(top)*(phases-y) + spread(bottom)*y
		x := uint32(fx[i])
		target[i] = uint8((uint32(both)*(phases-x) + uint32(both>>32)*x + 1<<15) >> 16)
	}
}

// spread moves the second of two bytes into the upper half of a word.
func spread(two uint64) uint64 { return (two | two<<24) & 0xff_000000ff }
