//go:build (amd64 || arm64) && !purego

package resample

import (
	"tileserver/internal/cpu"
	"tileserver/raster"
)

// The assembly interpolates four pixels at a time: bytes on every machine, other types only with
// AVX2 or NEON.

//go:noescape
func interpolateFoursUint8(target, top, bottom *uint8, at *int32, fx, fy *uint8, n int)

//go:noescape
func interpolateFoursUint16(target, top, bottom *uint16, at *int32, fx, fy *uint8, n int)

//go:noescape
func interpolateFoursInt16(target, top, bottom *int16, at *int32, fx, fy *uint8, n int)

//go:noescape
func interpolateFoursFloat32(target, top, bottom *float32, at *int32, fx, fy *uint8, n int)

// interpolateFours interpolates the first pixels of a row and returns their number. The assembly
// checks no bounds, so this function does. If the bounds are wrong it returns 0, and the Go code
// panics as usual.
func interpolateFours[T raster.Sample](source []T, stride int, r *Row, target []T) int {
	n := min(len(target), len(r.At)) &^ 3
	if n == 0 || stride < 0 || r.Lowest < 0 || r.Highest+stride+2 > len(source) {
		return 0
	}
	at, fx, fy := &r.At[0], &r.PhaseX[0], &r.PhaseY[0]
	if target, ok := any(target).([]uint8); ok {
		interpolateUint8(target, any(source).([]uint8), stride, r, n)
		return n
	}
	if !cpu.Has.Vectors() {
		return 0
	}
	switch target := any(target).(type) {
	case []uint16:
		source := any(source).([]uint16)
		interpolateFoursUint16(&target[0], &source[0], &source[stride], at, fx, fy, n)
	case []int16:
		source := any(source).([]int16)
		interpolateFoursInt16(&target[0], &source[0], &source[stride], at, fx, fy, n)
	case []float32:
		source := any(source).([]float32)
		interpolateFoursFloat32(&target[0], &source[0], &source[stride], at, fx, fy, n)
	default:
		return 0
	}
	return n
}
