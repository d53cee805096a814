package geotiff

// Keys of the GeoKeyDirectory, and their values.
const (
	keyModelType    = 1024
	keyRasterType   = 1025
	keyGeodeticCRS  = 2048
	keyProjectedCRS = 3072

	modelProjected  = 1
	modelGeographic = 2
	rasterPixelArea = 1
)

// place adds the tags for the place of the pixels.
func (d *directory) place(p *Place) {
	t := p.Transform
	if t.B == 0 && t.D == 0 && t.A > 0 && t.E < 0 {
		d.doubles(tagModelPixelScale, []float64{t.A, -t.E, 0})
		d.doubles(tagModelTiepoint, []float64{0, 0, 0, t.C, t.F, 0})
	} else {
		d.doubles(tagModelTransformation, []float64{
			t.A, t.B, 0, t.C,
			t.D, t.E, 0, t.F,
			0, 0, 0, 0,
			0, 0, 0, 1,
		})
	}
	switch {
	case p.EPSG == 0:
		d.geoKeys([][2]uint16{{keyRasterType, rasterPixelArea}})
	case p.Geographic:
		d.geoKeys([][2]uint16{
			{keyModelType, modelGeographic}, {keyRasterType, rasterPixelArea}, {keyGeodeticCRS, uint16(p.EPSG)},
		})
	default:
		d.geoKeys([][2]uint16{
			{keyModelType, modelProjected}, {keyRasterType, rasterPixelArea}, {keyProjectedCRS, uint16(p.EPSG)},
		})
	}
}

// geoKeys adds a directory of keys with one short value each, in ascending order.
func (d *directory) geoKeys(keys [][2]uint16) {
	const version, revision, minorRevision = 1, 1, 0
	const inPlace, count = 0, 1 // location and number of the values
	values := []uint16{version, revision, minorRevision, uint16(len(keys))}
	for _, key := range keys {
		values = append(values, key[0], inPlace, count, key[1])
	}
	d.shorts(tagGeoKeyDirectory, values)
}
