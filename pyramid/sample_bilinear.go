package pyramid

import (
	"encoding/binary"

	"tileserver/raster"
)

// interpolate is bilinear.
func (s *sampler[T]) interpolate(g *geometry, to int, coverage []uint8) {
	fillValid(coverage)
	if s.coverage != nil {
		s.findHoles(g)
	}
	if s.holes.count < g.n {
		for _, p := range s.planes {
			interpolateValid(p.source, s.stride, g, p.target[to:to+g.n], s.round)
		}
	}
	for _, i := range s.holes.index[:s.holes.count] {
		s.interpolateHole(g, int(i), to, coverage)
	}
}

// findHoles looks at the four neighbours of each position.
func (s *sampler[T]) findHoles(g *geometry) {
	s.holes.count = 0
	for i, at := range g.at[:g.n] {
		above := binary.LittleEndian.Uint16(s.coverage[at:])
		below := binary.LittleEndian.Uint16(s.coverage[int(at)+s.stride:])
		if above&below != raster.Valid<<8|raster.Valid {
			s.holes.add(i)
		}
	}
}

// interpolateHole weights the neighbours by coverage.
func (s *sampler[T]) interpolateHole(g *geometry, i, to int, coverage []uint8) {
	above, below := int(g.at[i]), int(g.at[i])+s.stride
	x, y := uint32(g.fx[i]), uint32(g.fy[i])
	weights := [4]uint32{
		(phases - x) * (phases - y) * uint32(s.coverage[above]),
		x * (phases - y) * uint32(s.coverage[above+1]),
		(phases - x) * y * uint32(s.coverage[below]),
		x * y * uint32(s.coverage[below+1]),
	}
	sum := weights[0] + weights[1] + weights[2] + weights[3]
	coverage[i] = uint8((sum + 1<<15) >> 16)
	for _, p := range s.planes {
		if coverage[i] == raster.Invalid {
			p.target[to+i] = 0
			continue
		}
		taps := [4]T{p.source[above], p.source[above+1], p.source[below], p.source[below+1]}
		var value float64
		for j, weight := range weights {
			// A sample without coverage may be NaN: it must not be multiplied.
			if weight > 0 {
				value += float64(float64(weight) * float64(taps[j]))
			}
		}
		p.target[to+i] = s.round.to(value / float64(sum))
	}
}

// interpolateValid interpolates as if all were valid. It is exact, rounded once,
// for integers of up to 32 bits.
func interpolateValid[T raster.Sample](source []T, stride int, g *geometry, target []T, round rounder[T]) {
	switch target := any(target).(type) {
	case []uint8:
		interpolateBytes(any(source).([]uint8), stride, g, target)
	case []int8:
		interpolateWhole(any(source).([]int8), stride, g, target, 0)
	case []uint16:
		interpolateWhole(any(source).([]uint16), stride, g, target, 0)
	case []int16:
		interpolateWhole(any(source).([]int16), stride, g, target, 0)
	case []uint32:
		interpolateWhole(any(source).([]uint32), stride, g, target, 0)
	case []int32:
		interpolateWhole(any(source).([]int32), stride, g, target, 0)
	default:
		interpolateReal(source, stride, g, any(target).([]T), round)
	}
}

// interpolateBytes is interpolateWhole for bytes.
func interpolateBytes(source []uint8, stride int, g *geometry, target []uint8) {
	done := interpolateBytesStart(source, stride, g, target)
	interpolateWhole(source, stride, g, target, done)
}

// interpolateWhole interpolates from the given pixel of a row on.
func interpolateWhole[T uint8 | int8 | uint16 | int16 | uint32 | int32](source []T, stride int, g *geometry, target []T, from int) {
	at, fx, fy := g.at[from:len(target)], g.fx[from:len(target)], g.fy[from:len(target)]
	target = target[from:]
	for i := range target {
		top := source[at[i]:][:2]
		bottom := source[int(at[i])+stride:][:2]
		x, y := int64(fx[i]), int64(fy[i])
		a := int64(top[0])*phases + (int64(top[1])-int64(top[0]))*x
		b := int64(bottom[0])*phases + (int64(bottom[1])-int64(bottom[0]))*x
		target[i] = T((a*phases + (b-a)*y + phases*phases/2) >> (2 * phaseBits))
	}
}

// interpolateReal is for floats, and for integers that take more than a float.
// Products are converted so that no machine adds to them before they are rounded.
func interpolateReal[T raster.Sample](source []T, stride int, g *geometry, target []T, round rounder[T]) {
	at, fx, fy := g.at[:len(target)], g.fx[:len(target)], g.fy[:len(target)]
	for i := range target {
		top := source[at[i]:][:2]
		bottom := source[int(at[i])+stride:][:2]
		x, y := float64(fx[i])/phases, float64(fy[i])/phases
		a := float64(top[0]) + float64((float64(top[1])-float64(top[0]))*x)
		b := float64(bottom[0]) + float64((float64(bottom[1])-float64(bottom[0]))*x)
		target[i] = round.to(a + float64((b-a)*y))
	}
}
