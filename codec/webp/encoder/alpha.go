package encoder

import "tileserver/internal/reuse"

// collectAlpha writes the alpha samples of img to e.alphaPlane. It reports whether any pixel is not
// fully opaque.
func (e *Encoder) collectAlpha(img *Image) bool {
	bytesPerPixel := img.Format.BytesPerPixel()
	switch img.Format {
	case GrayAlpha, RGBA:
	case Paletted:
		if !hasTransparentColor(img.Palette) {
			return false
		}
	default:
		return false
	}
	e.alphaPlane = reuse.Slice(e.alphaPlane, img.Width*img.Height)
	minAlpha := uint8(255)
	for y := range img.Height {
		row, to := img.Row(y), e.alphaPlane[y*img.Width:][:img.Width]
		if img.Format == Paletted {
			for x, index := range row {
				to[x] = img.Palette[index][3]
				minAlpha &= to[x]
			}
			continue
		}
		at := bytesPerPixel - 1
		for x := range to {
			to[x] = row[at]
			minAlpha &= to[x]
			at += bytesPerPixel
		}
	}
	return minAlpha < 255
}

func hasTransparentColor(palette [][4]uint8) bool {
	for _, color := range palette {
		if color[3] < 255 {
			return true
		}
	}
	return false
}

// toLossyFormat returns an image of the same colors in a format that the lossy encoder accepts. It
// includes alpha if the image has any, because the encoder simplifies invisible pixels.
func (e *Encoder) toLossyFormat(img *Image, transparent bool) *Image {
	switch {
	case img.Format == GrayAlpha && !transparent:
		return e.converted(img, Gray, func(to, from []byte) {
			for x := range to {
				to[x] = from[2*x]
			}
		})
	case img.Format == GrayAlpha:
		return e.converted(img, RGBA, func(to, from []byte) {
			for ; len(to) >= 4 && len(from) >= 2; to, from = to[4:], from[2:] {
				to[0], to[1], to[2], to[3] = from[0], from[0], from[0], from[1]
			}
		})
	case img.Format == Paletted:
		return e.converted(img, RGBA, func(to, from []byte) {
			for _, index := range from {
				copy(to[:4], img.Palette[index][:])
				to = to[4:]
			}
		})
	}
	return img
}

// converted converts img row by row to another format.
func (e *Encoder) converted(img *Image, format Format, convert func(to, from []byte)) *Image {
	stride := img.Width * format.BytesPerPixel()
	e.pixels = reuse.Slice(e.pixels, stride*img.Height)
	for y := range img.Height {
		convert(e.pixels[y*stride:][:stride], img.Row(y))
	}
	e.image = Image{Format: format, Width: img.Width, Height: img.Height, Stride: stride, Pix: e.pixels}
	return &e.image
}
