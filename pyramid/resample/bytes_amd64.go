//go:build !purego

package resample

import "tileserver/internal/cpu"

// interpolateNearUint8 interpolates eight pixels at a time, and loads 16 bytes of each row for them. It
// ends where the neighbors of eight pixels do not lie in these, and returns the number of pixels before.
//
//go:noescape
func interpolateNearUint8(target, top, bottom *uint8, at *int32, fx, fy *uint8, n int) (done int)

// loadedBytes is what interpolateNearUint8 loads of a row.
const loadedBytes = 16

// interpolateUint8 interpolates the first n pixels of a row, a multiple of four.
func interpolateUint8(target, source []uint8, stride int, r *Row, n int) {
	done, isNear := 0, cpu.Has.AVX2 && r.Highest+stride+loadedBytes <= len(source)
	for done < n {
		far := n - done
		if isNear {
			done += interpolateNearUint8(&target[done], &source[0], &source[stride], &r.At[done], &r.PhaseX[done], &r.PhaseY[done], n-done)
			far = min(n-done, 8)
		}
		if far > 0 {
			interpolateFoursUint8(&target[done], &source[0], &source[stride], &r.At[done], &r.PhaseX[done], &r.PhaseY[done], far)
		}
		done += far
	}
}
