package resample

import "tileserver/raster"

// ShareValidity marks an integer pixel valid in all bands if it is valid in one. The other samples
// of such a color are data too, even if one happens to equal the nodata value. Float bands keep
// their own validity, since single bands may be NaN.
func ShareValidity(t raster.Tile) raster.Tile {
	if !t.HasOwnValidity() || t.Type().IsFloat() {
		return t
	}
	plane := make([]uint8, t.Width()*t.Height())
	for b := range t.Bands() {
		validity := t.Validity(b)
		if validity == nil {
			return t.WithValidity(nil)
		}
		for i, v := range validity {
			plane[i] = max(plane[i], v)
		}
	}
	return t.WithValidity(plane)
}

// FoldAlpha multiplies the coverage of all bands by the last band, an opacity. It divides
// premultiplied colors by their opacity, because resampling weighs by coverage.
func FoldAlpha(t raster.Tile, premultiplied bool) raster.Tile {
	alpha := t.Bands() - 1
	plane := straightOpacity(t, alpha)
	if premultiplied {
		plane = opacity(t, alpha)
		t = unpremultiplied(t, plane)
	}
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		planes[b] = plane
		if validity := t.Validity(b); validity != nil {
			planes[b] = product(plane, validity)
		}
	}
	return t.WithBandValidity(planes)
}

// unpremultiplied returns t with all bands but the last divided by their opacity.
func unpremultiplied(t raster.Tile, opacity []uint8) raster.Tile {
	b := raster.NewBuffer(t.Type(), t.Width(), t.Height(), t.Bands())
	b.InheritDamage(t)
	switch t.Type() {
	case raster.Uint8:
		divide[uint8](b, t, opacity)
	case raster.Uint16:
		divide[uint16](b, t, opacity)
	case raster.Float32:
		divide[float32](b, t, opacity)
	default:
		return t // colors of other types are never stored premultiplied
	}
	planes := make([][]uint8, t.Bands())
	for band := range planes {
		planes[band] = t.Validity(band)
	}
	return b.Freeze().WithBandValidity(planes)
}

// divide divides by the opacity samples as stored: an 8-bit coverage would lose precision of wider
// samples.
func divide[T raster.Sample](to *raster.Buffer, t raster.Tile, opacity []uint8) {
	alpha := t.Bands() - 1
	copy(to.Plane(alpha), t.Plane(alpha))
	round, opaque := rounderOf[T](), opaqueSample(t.Type())
	stored := raster.Samples[T](t, alpha)
	for band := range alpha {
		target, source := raster.Writable[T](to, band), raster.Samples[T](t, band)
		for i, o := range opacity {
			if o > 0 {
				target[i] = round.to(float64(float64(source[i])*opaque) / float64(stored[i]))
			}
		}
	}
}
