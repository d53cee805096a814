// Package georeference finds out where on earth an image lies: from the tags of GeoTIFF, from world files, and from what
// others have noted beside a file. It must never know how an image is stored, nor who asks.
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

	// ControlPoints are pixels whose place is known. An affine mapping, where there is one, goes before them.
	ControlPoints []ControlPoint

	// CRS is nil where the file names none or one that is not known; CRSError then says why.
	CRS      *geo.CRS
	CRSError error
}

// ControlPoint is a pixel whose place is known. Columns and rows count from the outer corner of the first pixel.
type ControlPoint struct {
	Name, Info  string
	Column, Row float64
	X, Y, Z     float64
}

// HasPlaces tells whether anything says where pixels lie, be it in a known CRS or not.
func (g *Georeference) HasPlaces() bool { return g.HasAffine || len(g.ControlPoints) > 0 }

// Missing says what is not there of what places an image; nil: nothing. It is no mistake of the file.
func (g *Georeference) Missing() error {
	switch {
	case g.CRS == nil && !g.HasPlaces():
		return errors.New("no georeference found in the file or beside it")
	case g.CRS == nil:
		return errors.New("no coordinate system found in the file or beside it, only where pixels lie in one")
	case !g.HasPlaces():
		return errors.New("no place of any pixel found in the file or beside it, only a coordinate system")
	}
	return nil
}

// Placement is where the pixels of an image lie. Where nothing says that, there is no placement, nor an error.
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

// Sources are what may say where an image lies.
type Sources struct {
	Noted    *pam.Document // beside the file, or nil
	Embedded Georeference  // what the file itself says
	World    *geo.Affine   // of a world file, or nil
}

// Join brings the sources together. As GDAL has it, what is noted beside a file goes before what the file itself says, and
// that before a world file.
func (s Sources) Join() Georeference {
	g := s.Embedded
	if !g.HasAffine && s.World != nil {
		g.Affine, g.HasAffine = *s.World, true
	}
	if s.Noted == nil {
		return g
	}
	if a, ok := affineOf(s.Noted.GeoTransform); ok {
		g.Affine, g.HasAffine = a, true
	}
	if noted := s.Noted.ControlPoints; len(noted) > 0 {
		g.ControlPoints = make([]ControlPoint, len(noted))
		for i, p := range noted {
			g.ControlPoints[i] = ControlPoint(p)
		}
	}
	if text := cmp.Or(s.Noted.CRS, s.Noted.ControlPointCRS); text != "" {
		g.CRS, g.CRSError = geo.FromWKT(text)
	}
	return g
}

// affineOf is a mapping in the order in which GDAL writes its numbers, if it has an inverse.
func affineOf(t *[6]float64) (geo.Affine, bool) {
	if t == nil {
		return geo.Affine{}, false
	}
	a := geo.Affine{C: t[0], A: t[1], B: t[2], F: t[3], D: t[4], E: t[5]}
	_, ok := a.Invert()
	return a, ok
}
