package container

import (
	"cmp"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/geo"
)

// ControlPoint is a pixel with a known location.
type ControlPoint struct {
	Name   string  `json:"name,omitempty"`
	Info   string  `json:"info,omitempty"`
	Column float64 `json:"column"`
	Row    float64 `json:"row"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Z      float64 `json:"z"`
}

// addPlacement adds where the image lies, or why that is not known. The facts must have the size of
// the image.
func (f *Facts) addPlacement(g georeference.Georeference) {
	if g.HasAffine {
		a := g.Affine
		f.Transform = &[6]float64{a.C, a.A, a.B, a.F, a.D, a.E}
	}
	for _, p := range g.ControlPoints {
		f.ControlPoints = append(f.ControlPoints, ControlPoint{p.Name, p.Info, p.Column, p.Row, p.X, p.Y, p.Z})
	}
	if g.CRS == nil {
		problem := g.Missing()
		if g.HasPlaces() {
			problem = cmp.Or(g.CRSError, problem)
		}
		if code, ok := geo.UnsupportedCode(g.CRSError); ok {
			f.EPSG = &code
		}
		f.CRSProblem = problem.Error()
		return
	}
	f.CRS = g.CRS.Name()
	var code int
	if _, err := fmt.Sscanf(g.CRS.Code(), "EPSG:%d", &code); err == nil {
		f.EPSG = &code
	}
	placement, err := g.Placement()
	if err != nil {
		f.PlaceProblem = err.Error()
		return
	}
	if placement == nil {
		f.PlaceProblem = g.Missing().Error()
		return
	}
	if fitted, ok := placement.(*geo.ControlPointPlacement); ok {
		f.Placement = "by " + fitted.String()
	}
	footprint := geo.NewImageFootprint(g.CRS, placement, f.Width, f.Height)
	if b := footprint.In(geo.WorldCRS84Quad().CRS); !b.Empty() {
		f.Bounds = &[4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}
	}
}
