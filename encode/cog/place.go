package cog

import (
	"tileserver/encode/tag"
	"tileserver/geo"
)

// RegisteredKeys returns the keys of a reference system of the EPSG registry.
func RegisteredKeys(code uint16, isGeographic bool) GeoKeys {
	keys := tag.RegisteredKeys(code, isGeographic)
	return GeoKeys{Directory: keys[:]}
}

// place adds the tags for the place of the pixels.
func (img *Image) place(d *directory) {
	p := img.Place
	if p == nil {
		return
	}
	shift := 0.0
	if tag.CountFromCenters(p.Keys.Directory) {
		shift = 0.5
	}
	switch {
	case p.Transform != nil:
		placeByTransform(d, p.Transform, shift)
	case len(p.Points) > 0:
		var values []float64
		for _, point := range p.Points {
			values = append(values, point.Pixel.X-shift, point.Pixel.Y-shift, 0, point.Place.X, point.Place.Y, 0)
		}
		d.doubles(tag.Tiepoints, values...)
	}
	if len(p.Keys.Directory) > 0 {
		d.shorts(tag.GeoKeys, p.Keys.Directory...)
	}
	if len(p.Keys.Doubles) > 0 {
		d.doubles(tag.GeoDoubles, p.Keys.Doubles...)
	}
	if p.Keys.ASCII != "" {
		d.text(tag.GeoASCII, p.Keys.ASCII)
	}
}

// placeByTransform writes the place of the point that lies shift pixels from the first corner.
func placeByTransform(d *directory, t *geo.Affine, shift float64) {
	origin := t.Apply(geo.Point{X: shift, Y: shift})
	if scale, tiepoint, ok := tag.ScaleAndTiepoint(*t, origin); ok {
		d.doubles(tag.PixelScale, scale[:]...)
		d.doubles(tag.Tiepoints, tiepoint[:]...)
		return
	}
	matrix := tag.Matrix(*t, origin)
	d.doubles(tag.Transformation, matrix[:]...)
}
