package pyramid

import "tileserver/raster"

// shareValidity marks an integer pixel valid in all bands if it is valid in one. The other samples
// of such a color are data too, even if one happens to equal the nodata value. Float bands keep
// their own validity, since single bands may be NaN.
func shareValidity(t raster.Tile) raster.Tile {
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

// foldAlpha multiplies the coverage of all bands by the last band, an opacity. It divides
// premultiplied colors by their opacity, because resampling weighs by coverage.
func foldAlpha(t raster.Tile, premultiplied bool) raster.Tile {
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

// product multiplies two coverages.
func product(a, b []uint8) []uint8 {
	both := make([]uint8, len(a))
	for i := range both {
		both[i] = uint8((uint32(a[i])*uint32(b[i]) + raster.Valid/2) / raster.Valid)
	}
	return both
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

// opaqueSample returns the sample of full opacity: the largest integer, or 1 for floats.
func opaqueSample(t raster.DataType) float64 {
	if t.IsFloat() {
		return 1
	}
	_, high := t.Limits()
	return high
}

// straightOpacity converts a band of opacity to coverage, for colors that are not premultiplied.
// Integers wider than eight bits count as opaque from 255 up: many programs write 255 whatever the
// type. A soft 16-bit edge that becomes hard is better than a picture that vanishes. Floats are
// opaque at 1; larger ones are taken as 0 to 255.
func straightOpacity(t raster.Tile, band int) []uint8 {
	switch t.Type() {
	case raster.Uint16:
		return capped(raster.Samples[uint16](t, band))
	case raster.Int16:
		return capped(raster.Samples[int16](t, band))
	case raster.Uint32:
		return capped(raster.Samples[uint32](t, band))
	case raster.Int32:
		return capped(raster.Samples[int32](t, band))
	case raster.Uint64:
		return capped(raster.Samples[uint64](t, band))
	case raster.Int64:
		return capped(raster.Samples[int64](t, band))
	case raster.Float32:
		return cappedFloats(raster.Samples[float32](t, band))
	case raster.Float64:
		return cappedFloats(raster.Samples[float64](t, band))
	}
	return opacity(t, band)
}

func cappedFloats[T float32 | float64](samples []T) []uint8 {
	plane := make([]uint8, len(samples))
	for i, s := range samples {
		if s <= 1 {
			s *= raster.Valid
		}
		plane[i] = raster.Clamp[uint8](float64(s))
	}
	return plane
}

func capped[T raster.Sample](samples []T) []uint8 {
	plane := make([]uint8, len(samples))
	for i, s := range samples {
		plane[i] = raster.Clamp[uint8](float64(s))
	}
	return plane
}

// opacity scales the samples of a band to coverage.
func opacity(t raster.Tile, band int) []uint8 {
	opaque := opaqueSample(t.Type())
	switch t.Type() {
	case raster.Uint8:
		return append([]uint8(nil), raster.Samples[uint8](t, band)...)
	case raster.Int8:
		return scaled(raster.Samples[int8](t, band), opaque)
	case raster.Uint16:
		return scaled(raster.Samples[uint16](t, band), opaque)
	case raster.Int16:
		return scaled(raster.Samples[int16](t, band), opaque)
	case raster.Float32:
		return scaled(raster.Samples[float32](t, band), opaque)
	case raster.Float64:
		return scaled(raster.Samples[float64](t, band), opaque)
	case raster.Uint32:
		return scaled(raster.Samples[uint32](t, band), opaque)
	case raster.Int32:
		return scaled(raster.Samples[int32](t, band), opaque)
	case raster.Uint64:
		return scaled(raster.Samples[uint64](t, band), opaque)
	default:
		return scaled(raster.Samples[int64](t, band), opaque)
	}
}

func scaled[T raster.Sample](samples []T, opaque float64) []uint8 {
	plane := make([]uint8, len(samples))
	for i, s := range samples {
		plane[i] = raster.Clamp[uint8](float64(s) / opaque * raster.Valid)
	}
	return plane
}

// visibleProduct multiplies two coverages. The result is at least 1 where both are positive,
// because a visible pixel must have a color.
func visibleProduct(a, b []uint8) []uint8 {
	both := product(a, b)
	for i, w := range both {
		if w == 0 && a[i] != 0 && b[i] != 0 {
			both[i] = 1
		}
	}
	return both
}

// halveByAlpha halves t. It weighs colors by the opacity in band alpha, and halves that band
// unweighted. In bands of picks it picks a pixel that is visible.
func halveByAlpha(t raster.Tile, alpha int, picks []bool) raster.Tile {
	opaque := straightOpacity(t, alpha)
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		planes[b] = opaque
		if validity := t.Validity(b); validity != nil {
			planes[b] = visibleProduct(opaque, validity)
		}
	}
	colors, plain := halve(t.WithBandValidity(planes), picks), halve(t, picks)
	half := raster.NewBuffer(t.Type(), plain.Width(), plain.Height(), t.Bands())
	half.InheritDamage(t)
	validity := make([][]uint8, t.Bands())
	for b := range validity {
		from := colors
		if b == alpha {
			from = plain
		}
		copy(half.Plane(b), from.Plane(b))
		validity[b] = plain.Validity(b)
	}
	return half.Freeze().WithBandValidity(validity)
}
