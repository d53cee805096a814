package pyramid

import "tileserver/raster"

// shareValidity makes a pixel of integers valid in all bands if it is in one: what
// a colour has stored in the others is a part of it, also where it happens to be
// the sample that means no data. Floats may be NaN there, and stay apart.
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

// foldAlpha makes the last band, an opacity, part of the coverage of the others.
// Colours that are stored multiplied by it are divided again, since resampling
// weighs by coverage.
func foldAlpha(t raster.Tile, premultiplied bool) raster.Tile {
	alpha := t.Bands() - 1
	plane := opacity(t, alpha)
	if premultiplied {
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

// product is two coverages at once.
func product(a, b []uint8) []uint8 {
	both := make([]uint8, len(a))
	for i := range both {
		both[i] = uint8((uint32(a[i])*uint32(b[i]) + raster.Valid/2) / raster.Valid)
	}
	return both
}

// unpremultiplied is t with all bands but the last divided by their opacity.
func unpremultiplied(t raster.Tile, opacity []uint8) raster.Tile {
	b := raster.NewBuffer(t.Type(), t.Width(), t.Height(), t.Bands())
	switch t.Type() {
	case raster.Uint8:
		divide[uint8](b, t, opacity)
	case raster.Uint16:
		divide[uint16](b, t, opacity)
	case raster.Float32:
		divide[float32](b, t, opacity)
	default:
		return t // nobody stores colours of other types multiplied
	}
	planes := make([][]uint8, t.Bands())
	for band := range planes {
		planes[band] = t.Validity(band)
	}
	return b.Freeze().WithBandValidity(planes)
}

func divide[T raster.Sample](to *raster.Buffer, t raster.Tile, opacity []uint8) {
	alpha := t.Bands() - 1
	copy(to.Plane(alpha), t.Plane(alpha))
	round := rounderOf[T]()
	for band := range alpha {
		target, source := raster.Writable[T](to, band), raster.Samples[T](t, band)
		for i, o := range opacity {
			if o > 0 {
				target[i] = round.to(float64(source[i]) * raster.Valid / float64(o))
			}
		}
	}
}

// opacity scales a band to coverage, after its type: the largest integer, or a
// float of 1, is opaque.
func opacity(t raster.Tile, band int) []uint8 {
	switch t.Type() {
	case raster.Uint8:
		return append([]uint8(nil), raster.Samples[uint8](t, band)...)
	case raster.Int8:
		return scaled(raster.Samples[int8](t, band), 127)
	case raster.Uint16:
		return scaled(raster.Samples[uint16](t, band), 65535)
	case raster.Int16:
		return scaled(raster.Samples[int16](t, band), 32767)
	case raster.Float32:
		return scaled(raster.Samples[float32](t, band), 1)
	case raster.Float64:
		return scaled(raster.Samples[float64](t, band), 1)
	case raster.Uint32:
		_, high := t.Type().Limits()
		return scaled(raster.Samples[uint32](t, band), high)
	case raster.Int32:
		_, high := t.Type().Limits()
		return scaled(raster.Samples[int32](t, band), high)
	case raster.Uint64:
		_, high := t.Type().Limits()
		return scaled(raster.Samples[uint64](t, band), high)
	default:
		_, high := t.Type().Limits()
		return scaled(raster.Samples[int64](t, band), high)
	}
}

func scaled[T raster.Sample](samples []T, opaque float64) []uint8 {
	plane := make([]uint8, len(samples))
	for i, s := range samples {
		plane[i] = raster.Clamp[uint8](float64(s) / opaque * raster.Valid)
	}
	return plane
}

// halveByAlpha halves t: colours weighed by the opacity in band alpha, and that one
// by itself.
func halveByAlpha(t raster.Tile, alpha int) raster.Tile {
	opaque := opacity(t, alpha)
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		planes[b] = opaque
		if validity := t.Validity(b); validity != nil {
			planes[b] = product(opaque, validity)
		}
	}
	colors, plain := halve(t.WithBandValidity(planes), false), halve(t, false)
	half := raster.NewBuffer(t.Type(), plain.Width(), plain.Height(), t.Bands())
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
