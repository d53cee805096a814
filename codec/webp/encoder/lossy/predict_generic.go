//go:build !amd64 || purego

package lossy

import "tileserver/codec/webp/vp8"

// distances16 computes the sum of squared differences of luma for each mode.
func distances16(sums *[vp8.WholeModes]int32, n *neighbors, src []uint8, stride int) {
	distances16InGo(sums, n, src, stride)
}

func distances8(sums *[vp8.WholeModes]int32, u, v *neighbors, srcU, srcV []uint8, stride int) {
	distances8InGo(sums, u, v, srcU, srcV, stride)
}

// predict writes the prediction of a square.
func (n *neighbors) predict(dst []uint8, stride int, m vp8.Mode) { n.predictInGo(dst, stride, m) }
