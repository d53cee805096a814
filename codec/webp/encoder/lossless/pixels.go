package lossless

import "encoding/binary"

// pixel holds alpha in its highest byte, then red, green and blue.
type pixel = uint32

const (
	opaque     pixel = 0xff000000
	alphaGreen pixel = 0xff00ff00
	redBlue    pixel = 0x00ff00ff
)

func gray(level uint8) pixel { return pixel(level) * 0x010101 }

func color(c [4]uint8) pixel {
	return pixel(c[3])<<24 | pixel(c[0])<<16 | pixel(c[1])<<8 | pixel(c[2])
}

// load converts the pixels of an image, row by row without gaps.
func load(pixels []pixel, img *Image) {
	var table [256]pixel
	if img.Format == Paletted {
		for i, c := range img.Palette {
			table[i] = color(c)
		}
	}
	bytesPerPixel := img.Format.BytesPerPixel()
	for y := range img.Height {
		samples := img.Pix[y*img.Stride:][:img.Width*bytesPerPixel]
		loadRow(pixels[y*img.Width:][:img.Width], samples, img.Format, &table)
	}
}

func loadRow(row []pixel, samples []byte, format Format, table *[256]pixel) {
	switch format {
	case Gray:
		for x := range row {
			row[x] = opaque | gray(samples[x])
		}
	case GrayAlpha:
		for x := range row {
			row[x] = pixel(samples[2*x+1])<<24 | gray(samples[2*x])
		}
	case RGB:
		for x := range row {
			s := samples[3*x:][:3]
			row[x] = opaque | pixel(s[0])<<16 | pixel(s[1])<<8 | pixel(s[2])
		}
	case RGBA:
		for x := range row {
			p := binary.BigEndian.Uint32(samples[4*x:])
			row[x] = p>>8 | p<<24
		}
	case Paletted:
		for x := range row {
			row[x] = table[samples[x]]
		}
	}
}

// hasTransparency reports whether any pixel is not opaque.
func hasTransparency(pixels []pixel) bool {
	all := opaque
	for _, p := range pixels {
		all &= p
	}
	return all < opaque
}

// subtractGreen subtracts green from red and blue, which usually correlate with it.
func subtractGreen(pixels []pixel) {
	for i, p := range pixels {
		pixels[i] = withoutGreen(p)
	}
}

func withoutGreen(p pixel) pixel {
	green := p >> 8 & 0xff
	return p&alphaGreen | (p&redBlue+alphaGreen-green*0x00010001)&redBlue
}

// subtract returns the differences of all four samples, modulo 256. The gaps between the samples
// are set, so that each gap absorbs the borrow of its neighbor.
func subtract(p, q pixel) pixel {
	return (p&alphaGreen+redBlue-q&alphaGreen)&alphaGreen | (p&redBlue+alphaGreen-q&redBlue)&redBlue
}

// average returns the averages of all four samples, rounded down.
func average(p, q pixel) pixel { return p&q + (p^q)&0xfefefefe>>1 }
