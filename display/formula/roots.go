package formula

import (
	"math"
	"sync"
)

// CIELAB measures light by its cube root. Near black it uses the tangent of the cube root.
const (
	rootBound = 6. / 29 // end of the tangent
	rootStart = 4. / 29 // start of the tangent
	rootRise  = 3 * rootBound * rootBound
)

// exactRoot returns the root of light from 0 to 1.
func exactRoot(light float64) float64 {
	if light > rootBound*rootBound*rootBound {
		return power(light, 1./3)
	}
	return light/rootRise + rootStart
}

// lightOf is the inverse of exactRoot. Roots below the start of the tangent give negative light.
// Which of the two formulas applies is unpredictable in a colorful picture. So both are computed,
// and one is selected as an integer, without a branch.
func lightOf(root float32) float32 {
	light := math.Float32bits(float32(rootRise * (root - rootStart)))
	cube := math.Float32bits(float32(float32(root*root) * root))
	if int32(math.Float32bits(root)) > rootBoundBits {
		light = cube
	}
	return math.Float32frombits(light)
}

// rootBoundBits is the bit pattern of rootBound as a float32. Floats that are not negative have the
// order of their bits.
const rootBoundBits = 0x3E53DCB1

// rootSteps is the number of linear pieces of the root table. Their error is below 2e-5.
const rootSteps = 2048

// A rootTable holds the line of each piece. It is longer than light requires, so that masked
// indices are always in range.
type rootTable [2 * rootSteps]struct{ start, rise float32 }

var cubeRoots = sync.OnceValue(func() *rootTable {
	table := &rootTable{}
	next := exactRoot(0)
	for i := range rootSteps + 1 {
		start := next
		next = exactRoot(float64(i+1) / rootSteps)
		rise := next - start
		table[i].start, table[i].rise = float32(start-float64(rise*float64(i))), float32(rise)
	}
	return table
})

// at returns the root of light, given in steps of the table. Light may exceed 1 by rounding.
func (t *rootTable) at(steps float32) float32 {
	piece := &t[int32(steps)&(2*rootSteps-1)]
	return piece.start + float32(piece.rise*steps)
}
