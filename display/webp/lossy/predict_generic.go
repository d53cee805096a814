//go:build !amd64 || purego

package lossy

// distances16 and distances8 are the sums of squared differences of luma, and of both planes of chroma, by modes.
func distances16(sums *[wholeModes]int32, n *neighbours, src []uint8, stride int) {
	distances16InGo(sums, n, src, stride)
}

func distances8(sums *[wholeModes]int32, u, v *neighbours, srcU, srcV []uint8, stride int) {
	distances8InGo(sums, u, v, srcU, srcV, stride)
}

// predict writes the prediction of a square.
func (n *neighbours) predict(dst []uint8, stride int, m mode) { n.predictInGo(dst, stride, m) }
