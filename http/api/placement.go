package api

import (
	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/layer"
)

// placementDocument says how the pixels of a layer are placed, if not by an affine transform.
type placementDocument struct {
	By string `json:"by"` // gcps or rpc

	DEM      string  `json:"dem,omitempty"`      // the layer with the heights of the ground that RPCs are placed on
	Height   *number `json:"height,omitempty"`   // of the ground that RPCs assume elsewhere, in meters
	Error    number  `json:"error,omitempty"`    // of RPCs on the ground, in meters, as the file states it
	Residual *number `json:"residual,omitempty"` // of control points, in pixels

	VerticalDatum string `json:"vertical_datum,omitempty"` // of the heights
}

// ellipsoid is the vertical datum of all heights. Those of a DEM are taken as heights above the
// ellipsoid of WGS 84, whatever its file says.
const ellipsoid = "ellipsoid"

// placementDocumentOf returns nil for an affine transform and for a layer without a place.
func placementDocumentOf(d *layer.Description) *placementDocument {
	switch p := d.Placement.(type) {
	case *sensor.Placement:
		height := number(p.Height())
		document := &placementDocument{By: "rpc", Height: &height, Error: number(d.GroundError), VerticalDatum: ellipsoid}
		if terrain := p.Terrain(); terrain != nil {
			document.DEM = terrain.Name
		}
		return document
	case *geo.ControlPointPlacement:
		residual := number(p.Residual())
		return &placementDocument{By: "gcps", Residual: &residual}
	}
	return nil
}
