package formula

import (
	"math"
	"sync"
)

// CIELAB measures light by its cube root, and near black by the line that touches it.
const (
	rootBound = 6. / 29 // the line ends here
	rootStart = 4. / 29 // and starts here
	rootRise  = 3 * rootBound * rootBound
)

// exactRoot is that of light from 0 to 1.
func exactRoot(light float64) float64 {
	if light > rootBound*rootBound*rootBound {
		return power(light, 1./3)
	}
	return light/rootRise + rootStart
}

// lightOf takes a root back. Roots below the line's are darker than black. Which of the two formulas holds is as good as
// random in a colourful picture, so that both are computed and one is chosen as an integer, without a branch.
func lightOf(root float32) float32 {
	light := math.Float32bits(float32(rootRise * (root - rootStart)))
	cube := math.Float32bits(float32(float32(root*root) * root))
	if int32(math.Float32bits(root)) > rootBoundBits {
		light = cube
	}
	return math.Float32frombits(light)
}

// rootBoundBits are those of rootBound as a float32. Floats have the order of their bits, as far as they are not below 0.
const rootBoundBits = 0x3E53DCB1

// rootSteps is how many straight pieces a table of roots has: they are off by less than 2e-5.
const rootSteps = 2048

// rootTable holds the line of each piece. It is longer than light is bright, so that no index has to be looked at.
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

// at takes light from 0 to 1, and a rounding above, in steps.
func (t *rootTable) at(steps float32) float32 {
	piece := &t[int32(steps)&(2*rootSteps-1)]
	return piece.start + float32(piece.rise*steps)
}
