package geotiff

import (
	"tileserver/encode/tag"
	"tileserver/geo"
)

// place adds the tags for the place of the pixels.
func (d *directory) place(p *Place) {
	t := geo.Affine(p.Transform)
	corner := geo.Point{X: t.C, Y: t.F}
	if scale, tiepoint, ok := tag.ScaleAndTiepoint(t, corner); ok {
		d.doubles(tag.PixelScale, scale[:])
		d.doubles(tag.Tiepoints, tiepoint[:])
	} else {
		matrix := tag.Matrix(t, corner)
		d.doubles(tag.Transformation, matrix[:])
	}
	if p.EPSG == 0 {
		keys := tag.UnnamedKeys()
		d.shorts(tag.GeoKeys, keys[:])
		return
	}
	keys := tag.RegisteredKeys(uint16(p.EPSG), p.Geographic)
	d.shorts(tag.GeoKeys, keys[:])
}
