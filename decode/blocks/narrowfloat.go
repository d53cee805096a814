package blocks

import (
	"math/bits"

	"tileserver/raster"
)

// isNarrowFloat reports whether samples are floats of 16 or 24 bits. They are widened to float32,
// which holds all of their values exactly.
func (l *Layout) isNarrowFloat() bool {
	return l.Type == raster.Float32 && (l.Bits == 16 || l.Bits == 24) && l.Fields == nil
}

// unpackNarrowFloats widens floats of 16 or 24 bits that are in the machine's byte order.
func unpackNarrowFloats(rows []byte, job *Job) {
	l, width := job.Layout, job.Target.Width()
	size := l.Bits / 8
	planes := targetPlanes[uint32](job)
	for y := range job.Target.Height() {
		row := rows[y*l.RowBytes():][:l.RowBytes()]
		for i, s := range job.Samples {
			plane := planes[i][y*width:][:width]
			for x := range plane {
				sample := row[(x*l.Samples+s)*size:][:size]
				if size == 2 {
					plane[x] = widenFloat(uint32(asWords[uint16](sample)[0]), 5, 10)
				} else {
					plane[x] = widenFloat(threeBytes(sample), 7, 16)
				}
			}
		}
	}
}

func threeBytes(b []byte) uint32 {
	if machineIsBigEndian() {
		return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
	}
	return uint32(b[2])<<16 | uint32(b[1])<<8 | uint32(b[0])
}

// widenFloat converts a float with one sign bit and the given numbers of exponent and fraction bits
// to the bits of a float32.
func widenFloat(v uint32, exponentBits, fractionBits int) uint32 {
	const float32Bias, float32FractionBits = 127, 23
	bias := 1<<(exponentBits-1) - 1
	sign := v >> (exponentBits + fractionBits) << 31
	exponent := int(v >> fractionBits & (1<<exponentBits - 1))
	fraction := v & (1<<fractionBits - 1)
	shift := float32FractionBits - fractionBits
	switch {
	case exponent == 1<<exponentBits-1: // infinite or not a number
		return sign | 0xff<<float32FractionBits | fraction<<shift
	case exponent == 0 && fraction == 0:
		return sign
	case exponent == 0: // subnormal, but normal as a float32
		up := fractionBits + 1 - bits.Len32(fraction)
		fraction = fraction << up & (1<<fractionBits - 1)
		exponent = 1 - up
	}
	return sign | uint32(exponent-bias+float32Bias)<<float32FractionBits | fraction<<shift
}
