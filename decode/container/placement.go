package container

import (
	"cmp"
	"context"
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
func (f *Facts) addPlacement(ctx context.Context, m Image, grids *geo.Grids) error {
	g := m.Georeference()
	if g.HasAffine {
		a := g.Affine
		f.Transform = &[6]float64{a.C, a.A, a.B, a.F, a.D, a.E}
	}
	for _, p := range g.ControlPoints {
		f.ControlPoints = append(f.ControlPoints, ControlPoint{p.Name, p.Info, p.Column, p.Row, p.X, p.Y, p.Z})
	}
	location, err := Locate(ctx, m, Placing{})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		location.Problem = err
	}
	f.addCRS(&g, location.CRS)
	if location.Placement == nil {
		if f.CRSProblem == "" {
			f.PlaceProblem = location.Problem.Error()
		}
		return nil
	}
	if described, ok := location.Placement.(fmt.Stringer); ok {
		f.Placement = "by " + described.String()
	}
	if location.RPC != nil && location.RPC.GroundError() > 0 {
		f.Placement += fmt.Sprintf(", with a standard error of %.3g m", location.RPC.GroundError())
	}
	footprint := geo.NewImageFootprint(location.CRS.WithGrids(grids), location.Placement, f.Width, f.Height)
	if b := footprint.In(geo.WorldCRS84Quad().CRS); !b.Empty() {
		f.Bounds = &[4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}
	}
	return nil
}

// addCRS adds the CRS of the placement, or else that of the georeference, or why there is none.
func (f *Facts) addCRS(g *georeference.Georeference, placed *geo.CRS) {
	crs := cmp.Or(placed, g.CRS)
	if crs == nil {
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
	f.CRS = crs.Name()
	var code int
	if _, err := fmt.Sscanf(crs.Code(), "EPSG:%d", &code); err == nil {
		f.EPSG = &code
	}
}

// addRPC adds the camera model. One that cannot be read is reported as a problem, since the image
// can be shown without it.
func (f *Facts) addRPC(ctx context.Context, m Image) error {
	model, err := m.RPC(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		f.RPCProblem = err.Error()
	}
	f.RPC = model
	return nil
}
