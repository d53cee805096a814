package resample

import "tileserver/raster"

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

// opaqueSample returns the sample of full opacity: the largest integer, or 1 for floats.
func opaqueSample(t raster.DataType) float64 {
	if t.IsFloat() {
		return 1
	}
	_, high := t.Limits()
	return high
}

// product multiplies two coverages.
func product(a, b []uint8) []uint8 {
	both := make([]uint8, len(a))
	for i := range both {
		both[i] = uint8((uint32(a[i])*uint32(b[i]) + raster.Valid/2) / raster.Valid)
	}
	return both
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
