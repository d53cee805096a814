package container

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/decode/rpc"
	"tileserver/geo"
	"tileserver/geo/sensor"
)

// Placing says how to place an image that has a camera model.
type Placing struct {
	// RequiresRPC places the image by its model, whatever its georeference says. An image without
	// a model that places it is refused.
	RequiresRPC bool

	// Height is the height of the ground in meters above the ellipsoid, if HasHeight. Otherwise that
	// of the model is used.
	Height    float64
	HasHeight bool
}

// Location is the place of an image on the earth.
type Location struct {
	CRS       *geo.CRS
	Placement geo.Placement // maps pixels to CRS
	Problem   error         // why the others are nil; else nil
	RPC       *rpc.Model    // of the placement; nil if that is the georeference
}

// Locate returns the location of an image by its georeference, or by its camera model if that does
// not place it. The precedence is GDAL's unless placing says otherwise. The error is that of a
// georeference which contradicts itself, that of a required model, or the cause of the end of ctx.
func Locate(ctx context.Context, m Image, placing Placing) (Location, error) {
	g := m.Georeference()
	stated, fatal := statedLocation(m, &g)
	if stated.Placement != nil && !placing.RequiresRPC && !isNoPlace(&g) {
		return stated, nil
	}
	model, err := m.RPC(ctx)
	if ctx.Err() != nil {
		return Location{}, context.Cause(ctx)
	}
	var placement *sensor.Placement
	if err == nil && model != nil {
		placement, err = placing.byModel(model)
	}
	switch {
	case placement != nil:
		return Location{CRS: geo.CRS84(), Placement: placement, RPC: model}, nil
	case placing.RequiresRPC:
		return Location{}, fmt.Errorf("it is to be placed by RPCs: %w", cmp.Or(err, errNoRPC))
	case stated.Placement != nil || fatal != nil:
		return stated, fatal
	}
	return Location{Problem: cmp.Or(err, stated.Problem)}, nil
}

// errNoRPC means that an image has no camera model.
var errNoRPC = errors.New("it has none")

// statedLocation returns the location that the georeference of an image states. The datum shift of
// its system is that of the place.
func statedLocation(m Image, g *georeference.Georeference) (Location, error) {
	placement, err := g.Placement()
	switch {
	case err == nil && placement != nil:
		finest := m.Info().Levels[0]
		return Location{CRS: g.CRS.WithShiftFor(placement.Bounds(finest.Width, finest.Height)), Placement: placement}, nil
	case err != nil && g.HasAffine && g.CRS != nil:
		return Location{}, err
	}
	return Location{Problem: cmp.Or(err, g.Missing())}, nil
}

// isNoPlace reports whether a georeference gives pixels their own columns and rows as coordinates.
// Programs write that for an image without a place, and GDAL ignores it if there is a camera model.
func isNoPlace(g *georeference.Georeference) bool {
	return g.HasAffine && (g.Affine == geo.Affine{A: 1, E: 1} || g.Affine == geo.Affine{A: 1, E: -1})
}

// byModel returns the placement by a camera model.
func (p *Placing) byModel(m *rpc.Model) (*sensor.Placement, error) {
	chip, height := sensor.Whole(), m.HeightOffset
	if m.Chip != nil {
		chip = *m.Chip
	}
	if p.HasHeight {
		height = p.Height
	}
	return sensor.NewPlacement(m.RPC, chip, height)
}
