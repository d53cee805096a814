package resample

import "tileserver/raster"

// HalveByAlpha halves t. It weighs colors by the opacity in band alpha, and halves that band
// unweighted. In bands of picks it picks a pixel that is visible.
func HalveByAlpha(t raster.Tile, alpha int, picks []bool) raster.Tile {
	opaque := straightOpacity(t, alpha)
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		planes[b] = opaque
		if validity := t.Validity(b); validity != nil {
			planes[b] = visibleProduct(opaque, validity)
		}
	}
	colors, plain := Halve(t.WithBandValidity(planes), picks), Halve(t, picks)
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
