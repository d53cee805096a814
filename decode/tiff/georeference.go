package tiff

import (
	"cmp"

	"tileserver/decode/pam"
	"tileserver/geo"
)

// location is the tags that say where on earth an image is.
type location struct {
	scale, tiepoints, matrix []float64
	keys                     []uint16
	doubles                  []float64
	text                     string
	rpc                      []float64
}

func newLocation(d *directory) location {
	l := location{
		scale:     d.entries[tagPixelScale].floats(),
		tiepoints: d.entries[tagTiepoints].floats(),
		matrix:    d.entries[tagTransformation].floats(),
		doubles:   d.entries[tagGeoDoubles].floats(),
		rpc:       d.entries[tagRPC].floats(),
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

	// ControlPoints are pixels whose place is known. An affine mapping, where there is
	// one, goes before them.
	ControlPoints []ControlPoint

	// CRS is nil where the file names none or one that is not known; CRSError
	// then says why.
	CRS      *geo.CRS
	CRSError error
}

// ControlPoint is a pixel whose place is known. Columns and rows count from the outer
// corner of the first pixel.
type ControlPoint = pam.ControlPoint

// Georeference reads the GeoTIFF tags of the image and what lies beside it. As GDAL
// has it, the side file with notes goes before the tags, and they before a world file.
func (m *Image) Georeference() Georeference {
	var g Georeference
	g.Affine, g.HasAffine = m.family.affine()
	g.CRS, g.CRSError = m.levels[0].location.crs()
	noted := m.family.beside
	switch {
	case noted != nil && len(noted.ControlPoints) > 0:
		g.ControlPoints = noted.ControlPoints
	default:
		g.ControlPoints = m.levels[0].location.controlPoints()
	}
	if noted == nil {
		return g
	}
	if text := cmp.Or(noted.CRS, noted.ControlPointCRS); text != "" {
		g.CRS, g.CRSError = geo.FromWKT(text)
	}
	return g
}

// affine is the mapping that goes before all others, if there is any.
func (fam *family) affine() (geo.Affine, bool) {
	if fam.beside != nil && fam.beside.GeoTransform != nil {
		t := fam.beside.GeoTransform
		a := geo.Affine{C: t[0], A: t[1], B: t[2], F: t[3], D: t[4], E: t[5]}
		if _, ok := a.Invert(); ok {
			return a, true
		}
	}
	l := fam.full.location
	if a, ok := geo.GeoreferenceFromTags(l.scale, l.tiepoints, l.matrix, l.pixelIsPoint()); ok {
		return a, true
	}
	if fam.world != nil {
		return *fam.world, true
	}
	return geo.Affine{}, false
}

func (l *location) crs() (*geo.CRS, error) {
	keys, err := geo.ParseGeoKeys(l.keys, l.doubles, l.text)
	if err != nil {
		return nil, err
	}
	return keys.CRS()
}

func (l *location) pixelIsPoint() bool {
	keys, err := geo.ParseGeoKeys(l.keys, l.doubles, l.text)
	return err == nil && keys.PixelIsPoint()
}

// controlPoints are the tie points, where they are not those of a scale.
func (l *location) controlPoints() []ControlPoint {
	const numbers = 6
	if len(l.scale) >= 2 && l.scale[0] != 0 && l.scale[1] != 0 || len(l.matrix) >= 16 {
		return nil
	}
	half := 0.0
	if l.pixelIsPoint() {
		half = 0.5
	}
	var points []ControlPoint
	for t := l.tiepoints; len(t) >= numbers; t = t[numbers:] {
		points = append(points, ControlPoint{Column: t[0] + half, Row: t[1] + half, X: t[3], Y: t[4], Z: t[5]})
	}
	return points
}
