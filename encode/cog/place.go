package cog

import "tileserver/geo"

// Keys of the GeoKeyDirectory, and their values.
const (
	keyModelType    = 1024
	keyRasterType   = 1025
	keyGeodeticCRS  = 2048
	keyProjectedCRS = 3072

	modelProjected   = 1
	modelGeographic  = 2
	rasterPixelArea  = 1
	rasterPixelPoint = 2
)

// RegisteredKeys returns the keys of a reference system of the EPSG registry.
func RegisteredKeys(code uint16, isGeographic bool) GeoKeys {
	model, key := uint16(modelProjected), uint16(keyProjectedCRS)
	if isGeographic {
		model, key = modelGeographic, keyGeodeticCRS
	}
	return GeoKeys{Directory: []uint16{
		1, 1, 0, 3,
		keyModelType, 0, 1, model,
		keyRasterType, 0, 1, rasterPixelArea,
		key, 0, 1, code,
	}}
}

// countFromCenters reports whether coordinates are those of centers of pixels.
func (k *GeoKeys) countFromCenters() bool {
	for at := 4; at+4 <= len(k.Directory); at += 4 {
		if key := k.Directory[at:]; key[0] == keyRasterType {
			return key[3] == rasterPixelPoint
		}
	}
	return false
}

// place adds the tags for the place of the pixels.
func (img *Image) place(d *directory) {
	p := img.Place
	if p == nil {
		return
	}
	shift := 0.0
	if p.Keys.countFromCenters() {
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
		d.doubles(tagModelTiepoint, values...)
	}
	if len(p.Keys.Directory) > 0 {
		d.shorts(tagGeoKeyDirectory, p.Keys.Directory...)
	}
	if len(p.Keys.Doubles) > 0 {
		d.doubles(tagGeoDoubleParams, p.Keys.Doubles...)
	}
	if p.Keys.ASCII != "" {
		d.text(tagGeoASCIIParams, p.Keys.ASCII)
	}
}

// placeByTransform writes the place of the point that lies shift pixels from the first corner.
func placeByTransform(d *directory, t *geo.Affine, shift float64) {
	origin := t.Apply(geo.Point{X: shift, Y: shift})
	if t.B == 0 && t.D == 0 && t.A > 0 && t.E < 0 {
		d.doubles(tagModelPixelScale, t.A, -t.E, 0)
		d.doubles(tagModelTiepoint, 0, 0, 0, origin.X, origin.Y, 0)
		return
	}
	d.doubles(tagModelTransformation,
		t.A, t.B, 0, origin.X,
		t.D, t.E, 0, origin.Y,
		0, 0, 0, 0,
		0, 0, 0, 1,
	)
}
