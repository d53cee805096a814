//go:build !purego

package resample

// interpolateUint8 interpolates the first n pixels of a row, a multiple of four.
func interpolateUint8(target, source []uint8, stride int, r *Row, n int) {
	interpolateFoursUint8(&target[0], &source[0], &source[stride], &r.At[0], &r.PhaseX[0], &r.PhaseY[0], n)
}
