package tiff

import "tileserver/geo"

// location is the tags that say where on earth an image is.
type location struct {
	scale, tiepoints, matrix []float64
	keys                     []uint16
	doubles                  []float64
	text                     string
}

func newLocation(d *directory) location {
	l := location{
		scale:     d.entries[tagPixelScale].floats(),
		tiepoints: d.entries[tagTiepoints].floats(),
		matrix:    d.entries[tagTransformation].floats(),
		doubles:   d.entries[tagGeoDoubles].floats(),
	}
	if e := d.entries[tagGeoASCII]; e != nil {
		l.text = string(e.value) // which keys cut up by place, zeros and all
	}
	for _, key := range d.entries[tagGeoKeys].uints() {
		l.keys = append(l.keys, uint16(key))
	}
	return l
}

// Georeference says where on earth an image lies.
type Georeference struct {
	Affine    geo.Affine // from columns and rows of level 0 to the CRS
	HasAffine bool

	// CRS is nil where the file names none or one that is not known; CRSError
	// then says why.
	CRS      *geo.CRS
	CRSError error
}

// Georeference reads the GeoTIFF tags of the image.
func (m *Image) Georeference() Georeference {
	l := m.levels[0].location
	var g Georeference
	keys, err := geo.ParseGeoKeys(l.keys, l.doubles, l.text)
	if err != nil {
		g.CRSError = err
	} else {
		g.CRS, g.CRSError = keys.CRS()
	}
	g.Affine, g.HasAffine = geo.GeoreferenceFromTags(l.scale, l.tiepoints, l.matrix, err == nil && keys.PixelIsPoint())
	return g
}
