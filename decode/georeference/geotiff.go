package georeference

import "tileserver/geo"

// GeoTIFF holds the tags of a TIFF that say where its image lies. Missing tags are nil.
type GeoTIFF struct {
	Scale, Tiepoints, Matrix []float64

	Keys    []uint16
	Doubles []float64
	Text    string // keys refer to ranges of it, so it keeps its zeros
}

// Georeference returns what the tags say.
func (t *GeoTIFF) Georeference() Georeference {
	var g Georeference
	if len(t.Keys) > 0 {
		g.Tags = t
	}
	keys, err := geo.ParseGeoKeys(t.Keys, t.Doubles, t.Text)
	isPoint := err == nil && keys.PixelIsPoint()
	g.Affine, g.HasAffine = geo.GeoreferenceFromTags(t.Scale, t.Tiepoints, t.Matrix, isPoint)
	if !g.HasAffine {
		g.Affine = geo.Affine{}
	}
	g.ControlPoints = t.controlPoints(isPoint)
	if err != nil {
		g.CRSError = err
		return g
	}
	g.CRS, g.CRSError = keys.CRS()
	return g
}

// controlPoints returns the tie points as control points, unless they belong to a scale or a
// matrix.
func (t *GeoTIFF) controlPoints(isPoint bool) []ControlPoint {
	const numbers = 6
	if len(t.Scale) >= 2 && t.Scale[0] != 0 && t.Scale[1] != 0 || len(t.Matrix) >= 16 {
		return nil
	}
	half := 0.0
	if isPoint {
		half = 0.5
	}
	var points []ControlPoint
	for p := t.Tiepoints; len(p) >= numbers; p = p[numbers:] {
		points = append(points, ControlPoint{Column: p[0] + half, Row: p[1] + half, X: p[3], Y: p[4], Z: p[5]})
	}
	return points
}
