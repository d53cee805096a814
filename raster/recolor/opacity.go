package recolor

import (
	"slices"

	"tileserver/raster"
)

// unpremultiplied returns a tile with its premultiplied components divided by opacity. This is
// necessary for conversions that do not commute with the multiplication: zero ink is white, not
// transparent.
func (p *Provider) unpremultiplied(t raster.Tile, needed []int) raster.Tile {
	if p.opacity < 0 {
		return t
	}
	at := slices.Index(needed, p.opacity)
	b := raster.NewBuffer(t.Type(), t.Width(), t.Height(), t.Bands())
	b.InheritDamage(t)
	maxSample := maxSampleOf(p.Provider.Info())
	for band, part := range needed {
		switch {
		case part >= p.conversion.components:
		case t.Type() == raster.Uint16:
			divide(raster.Writable[uint16](b, band), raster.Samples[uint16](t, band), raster.Samples[uint16](t, at), maxSample)
		default:
			divide(raster.Writable[uint8](b, band), raster.Samples[uint8](t, band), raster.Samples[uint8](t, at), maxSample)
		}
	}
	return b.Freeze()
}

// divide copies fully transparent pixels unchanged.
func divide[T depth](to, from, opacity []T, maxSample uint32) {
	for i, v := range from {
		o := uint32(opacity[i])
		if o == 0 || o >= maxSample {
			to[i] = v
			continue
		}
		to[i] = T(min((uint64(v)*uint64(maxSample)+uint64(o/2))/uint64(o), uint64(maxSample)))
	}
}
