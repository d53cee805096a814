// Package georeference determines where on earth an image lies: from GeoTIFF tags, from world
// files, and from GDAL's metadata in side files. Packages decode/tiff and decode/jp2k call it. It
// must never know how an image is stored or who requests it.
package georeference

import (
	"cmp"
	"errors"

	"tileserver/decode/pam"
	"tileserver/geo"
)

// Georeference says where on earth an image lies.
type Georeference struct {
	Affine    geo.Affine // from columns and rows of level 0 to the CRS
	HasAffine bool

	// ControlPoints are pixels with known coordinates. Affine takes precedence if both are set.
	ControlPoints []ControlPoint

	// CRS is nil if the file names none or an unknown one; CRSError then says why.
	CRS      *geo.CRS
	CRSError error

	// Tags have the keys that CRS or CRSError is from. They are nil if it is from elsewhere.
	Tags *GeoTIFF
}

// ControlPoint is a pixel with known coordinates. Columns and rows count from the outer corner of
// the first pixel.
type ControlPoint struct {
	Name, Info  string
	Column, Row float64
	X, Y, Z     float64
}

// HasPlaces reports whether the coordinates of pixels are known, in a known CRS or not.
func (g *Georeference) HasPlaces() bool { return g.HasAffine || len(g.ControlPoints) > 0 }

// Missing says what the georeference lacks for a placement, or returns nil. A lack is not an error
// of the file.
func (g *Georeference) Missing() error {
	switch {
	case g.CRS == nil && !g.HasPlaces():
		return errors.New("no georeference found in the file or beside it")
	case g.CRS == nil:
		return errors.New("no coordinate system found in the file or beside it, only coordinates of pixels")
	case !g.HasPlaces():
		return errors.New("no coordinates of pixels found in the file or beside it, only a coordinate system")
	}
	return nil
}

// Placement returns where the pixels of the image lie. It returns nil without an error if the file
// does not say.
func (g *Georeference) Placement() (geo.Placement, error) {
	switch {
	case !g.HasPlaces():
		return nil, nil
	case g.CRS == nil:
		return nil, g.CRSError
	case g.HasAffine:
		return geo.NewAffinePlacement(g.Affine)
	}
	points := make([]geo.ControlPoint, len(g.ControlPoints))
	for i, p := range g.ControlPoints {
		points[i] = geo.ControlPoint{Pixel: geo.Point{X: p.Column, Y: p.Row}, Place: geo.Point{X: p.X, Y: p.Y}}
	}
	placement, err := geo.FitControlPoints(points, g.CRS)
	if err != nil {
		return nil, err
	}
	return placement, nil
}

// Sources holds everything that may say where an image lies.
type Sources struct {
	PAM      *pam.Document // from NAME.aux.xml, or nil
	Embedded Georeference  // from the file itself
	World    *geo.Affine   // from a world file, or nil
}

// Join merges the sources. The order of precedence is GDAL's: NAME.aux.xml, then the file itself,
// then the world file.
func (s Sources) Join() Georeference {
	g := s.Embedded
	if !g.HasAffine && s.World != nil {
		g.Affine, g.HasAffine = *s.World, true
	}
	if s.PAM == nil {
		return g
	}
	if a, ok := affineOf(s.PAM.GeoTransform); ok {
		g.Affine, g.HasAffine = a, true
	}
	if noted := s.PAM.ControlPoints; len(noted) > 0 {
		g.ControlPoints = make([]ControlPoint, len(noted))
		for i, p := range noted {
			g.ControlPoints[i] = ControlPoint(p)
		}
	}
	if text := cmp.Or(s.PAM.CRS, s.PAM.ControlPointCRS); text != "" {
		g.CRS, g.CRSError = geo.FromWKT(text)
		g.Tags = nil
	}
	return g
}

// affineOf converts numbers in GDAL's order, or returns false if the mapping has no inverse.
func affineOf(t *[6]float64) (geo.Affine, bool) {
	if t == nil {
		return geo.Affine{}, false
	}
	a := geo.Affine{C: t[0], A: t[1], B: t[2], F: t[3], D: t[4], E: t[5]}
	_, ok := a.Invert()
	return a, ok
}
