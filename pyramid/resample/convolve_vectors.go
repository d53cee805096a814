//go:build (amd64 || arm64) && !purego

package resample

import (
	"tileserver/internal/cpu"
	"tileserver/raster"
)

//go:noescape
func convolveUint8(sums *float64, source *uint8, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)

//go:noescape
func convolveUint16(sums *float64, source *uint16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)

//go:noescape
func convolveInt16(sums *float64, source *int16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)

//go:noescape
func convolveFloat32(sums *float64, source *float32, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)

// convolveRowFast is convolveRow in assembly. It returns false, without doing anything, if no
// assembly applies. The assembly checks no bounds, so this function does. If the bounds are wrong
// it returns false, and the Go code panics as usual.
func convolveRowFast[T raster.Sample](c *convolution, source []T, r *Row, sums []float64) bool {
	corner := c.corner()
	last := r.Highest - corner + (c.y.taps-1)*c.stride + c.x.taps - 1
	if !cpu.Has.Vectors() || c.x.taps < 4 || len(sums) == 0 || len(sums) > len(r.At) ||
		c.stride < 0 || r.Lowest < corner || last >= len(source) {
		return false
	}
	at, fx, fy, x, y := &r.At[0], &r.PhaseX[0], &r.PhaseY[0], &c.x.table[0], &c.y.table[0]
	switch source := any(source).(type) {
	case []uint8:
		convolveUint8(&sums[0], &source[0], at, fx, fy, len(sums), corner, c.stride, x, c.x.taps, y, c.y.taps)
	case []uint16:
		convolveUint16(&sums[0], &source[0], at, fx, fy, len(sums), corner, c.stride, x, c.x.taps, y, c.y.taps)
	case []int16:
		convolveInt16(&sums[0], &source[0], at, fx, fy, len(sums), corner, c.stride, x, c.x.taps, y, c.y.taps)
	case []float32:
		convolveFloat32(&sums[0], &source[0], at, fx, fy, len(sums), corner, c.stride, x, c.x.taps, y, c.y.taps)
	default:
		return false
	}
	return true
}
