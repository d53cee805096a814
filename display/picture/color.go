package picture

import "tileserver/raster"

// Pack returns a color as four bytes. Red is the lowest byte.
func Pack(c raster.RGBA) uint32 {
	return uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
}

// Divide255 returns n/255, rounded, for n up to 255*255.
func Divide255(n uint32) uint32 {
	n += 128
	return (n + n>>8) >> 8
}
