package geo

import (
	"encoding/json"
	"fmt"
)

// setDocument is a set in the JSON of the OGC standard Two Dimensional Tile Matrix Set 2.0.
type setDocument struct {
	ID                string          `json:"id"`
	Title             string          `json:"title,omitempty"`
	URI               string          `json:"uri,omitempty"`
	CRS               json.RawMessage `json:"crs"`
	OrderedAxes       []string        `json:"orderedAxes,omitempty"`
	WellKnownScaleSet string          `json:"wellKnownScaleSet,omitempty"`
	TileMatrices      matrixDocuments `json:"tileMatrices"`
}

type matrixDocument struct {
	ID               string          `json:"id"`
	ScaleDenominator float64         `json:"scaleDenominator"`
	CellSize         float64         `json:"cellSize"`
	CornerOfOrigin   string          `json:"cornerOfOrigin,omitempty"`
	PointOfOrigin    []float64       `json:"pointOfOrigin"`
	TileWidth        int             `json:"tileWidth"`
	TileHeight       int             `json:"tileHeight"`
	MatrixWidth      int             `json:"matrixWidth"`
	MatrixHeight     int             `json:"matrixHeight"`
	VariableWidths   json.RawMessage `json:"variableMatrixWidths,omitempty"`
}

const topLeft = "topLeft"

// MarshalJSON returns the set in the JSON of the OGC standard Two Dimensional Tile Matrix Set 2.0.
// It fails for a set whose reference system has no public name.
func (s *TileMatrixSet) MarshalJSON() ([]byte, error) {
	if s.CRS == nil || s.CRS.URI() == "" {
		return nil, fmt.Errorf("%w: %s has no reference system that can be named", ErrTileMatrixSet, s.ID)
	}
	crs, err := json.Marshal(s.CRS.URI())
	if err != nil {
		return nil, err
	}
	first, second := s.CRS.AxisAbbreviations()
	document := setDocument{
		ID: s.ID, Title: s.Title, URI: s.URI, CRS: crs, OrderedAxes: []string{first, second},
		WellKnownScaleSet: s.WellKnownScaleSet, TileMatrices: make(matrixDocuments, len(s.Matrices)),
	}
	for z := range s.Matrices {
		m := &s.Matrices[z]
		first, second := s.CRS.Ordered(Point{m.OriginX, m.OriginY})
		document.TileMatrices[z] = matrixDocument{
			ID: m.ID, ScaleDenominator: m.ScaleDenominator, CellSize: m.Resolution,
			CornerOfOrigin: topLeft, PointOfOrigin: []float64{first, second},
			TileWidth: m.TileWidth, TileHeight: m.TileHeight, MatrixWidth: m.Columns, MatrixHeight: m.Rows,
		}
	}
	return json.Marshal(document)
}
