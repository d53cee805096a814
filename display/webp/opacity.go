package webp

// collectOpacity writes how opaque the pixels are to e.opacity, and reports whether any is not wholly.
func (e *Encoder) collectOpacity(img *Image) bool {
	bytesPerPixel := img.Format.BytesPerPixel()
	switch img.Format {
	case GrayAlpha, RGBA:
	case Paletted:
		if !hasTransparentColour(img.Palette) {
			return false
		}
	default:
		return false
	}
	e.opacity = sized(e.opacity, img.Width*img.Height)
	least := uint8(255)
	for y := range img.Height {
		row, to := img.Row(y), e.opacity[y*img.Width:][:img.Width]
		if img.Format == Paletted {
			for x, index := range row {
				to[x] = img.Palette[index][3]
				least &= to[x]
			}
			continue
		}
		at := bytesPerPixel - 1
		for x := range to {
			to[x] = row[at]
			least &= to[x]
			at += bytesPerPixel
		}
	}
	return least < 255
}

func hasTransparentColour(palette [][4]uint8) bool {
	for _, colour := range palette {
		if colour[3] < 255 {
			return true
		}
	}
	return false
}

// plain returns an image of the same colours in one of the formats that the lossy encoder takes: with the opacity where
// there is any, so that it knows what nobody sees.
func (e *Encoder) plain(img *Image, transparent bool) *Image {
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

// converted makes an image of rows in another format.
func (e *Encoder) converted(img *Image, format Format, convert func(to, from []byte)) *Image {
	stride := img.Width * format.BytesPerPixel()
	e.pixels = sized(e.pixels, stride*img.Height)
	for y := range img.Height {
		convert(e.pixels[y*stride:][:stride], img.Row(y))
	}
	e.image = Image{Format: format, Width: img.Width, Height: img.Height, Stride: stride, Pix: e.pixels}
	return &e.image
}

// sized returns buffer with the given length, reallocated only where it is too short.
func sized(buffer []byte, length int) []byte {
	if cap(buffer) < length {
		return make([]byte, length)
	}
	return buffer[:length]
}
