package decode

// rgbRow turns a row of YCbCr into red, green and blue, with the weights of
// JFIF in 16 binary places, rounded.
func rgbRow(r, g, b, luma, cb, cr []byte) {
	n := len(r)
	g, b, luma, cb, cr = g[:n], b[:n], luma[:n], cb[:n], cr[:n]
	const half = 1 << 15
	for x := rgbRowStart(r, g, b, luma, cb, cr); x < n; x++ {
		y := int32(luma[x])<<16 + half
		u, v := int32(cb[x])-128, int32(cr[x])-128
		r[x] = clampByte(y + 91881*v)
		g[x] = clampByte(y - 22554*u - 46802*v)
		b[x] = clampByte(y + 116130*u)
	}
}

// clampByte is the whole part of a number with 16 binary places, within a byte.
func clampByte(v int32) byte {
	if uint32(v) < 1<<24 {
		return byte(v >> 16)
	}
	return byte(^(v >> 31)) // 0 below, 255 above
}
