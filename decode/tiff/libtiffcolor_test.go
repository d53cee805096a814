package tiff

import "tileserver/raster"

// fixed returns a number with 16 binary places, rounded like libtiff does.
func fixed(v float64) int32 { return int32(min(max(v, 0), 2)*(1<<16) + 0.5) }

// asRGB converts planes of 8-bit YCbCr to RGB like libtiff: in integers, with each chroma sample
// repeated for all pixels that share it. The reference has no stored samples of subsampled images.
func asRGB(planes [][]byte, m raster.ColorModel) {
	const half = 1 << 15
	red, green, blue := m.Luma[0], m.Luma[1], m.Luma[2]
	toRed, toBlue := 2-2*red, 2-2*blue
	redOfCr, blueOfCb := fixed(toRed), fixed(toBlue)
	greenOfCr, greenOfCb := -fixed(red*toRed/green), -fixed(blue*toBlue/green)
	scaled := func(v int32, black, white, range_ float64) int32 {
		return int32(float32((float64(v)-float64(int32(black)))*range_) / float32(white-black))
	}
	clamped := func(v int32) byte { return byte(min(max(v, 0), 255)) }
	for i := range planes[0] {
		y := scaled(int32(planes[0][i]), m.Reference[0], m.Reference[1], 255)
		cb := scaled(int32(planes[1][i])-128, m.Reference[2]-128, m.Reference[3]-128, 127)
		cr := scaled(int32(planes[2][i])-128, m.Reference[4]-128, m.Reference[5]-128, 127)
		planes[0][i] = clamped(y + (redOfCr*cr+half)>>16)
		planes[1][i] = clamped(y + (greenOfCb*cb+half+greenOfCr*cr)>>16)
		planes[2][i] = clamped(y + (blueOfCb*cb+half)>>16)
	}
}
