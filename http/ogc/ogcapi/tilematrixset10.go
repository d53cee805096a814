package ogcapi

import "tileserver/geo"

// TileMatrixSet10 is a tile matrix set in version 1.0 of the standard. Clients that predate version
// 2.0, such as GDAL up to 3.6, read nothing else.
type TileMatrixSet10 struct {
	Type              string         `json:"type"`
	Title             string         `json:"title,omitempty"`
	Identifier        string         `json:"identifier"`
	SupportedCRS      string         `json:"supportedCRS"`
	WellKnownScaleSet string         `json:"wellKnownScaleSet,omitempty"`
	TileMatrix        []TileMatrix10 `json:"tileMatrix"`
}

// TileMatrix10 is a matrix of a TileMatrixSet10.
type TileMatrix10 struct {
	Type             string     `json:"type"`
	Identifier       string     `json:"identifier"`
	ScaleDenominator float64    `json:"scaleDenominator"`
	TopLeftCorner    [2]float64 `json:"topLeftCorner"`
	TileWidth        int        `json:"tileWidth"`
	TileHeight       int        `json:"tileHeight"`
	MatrixWidth      int        `json:"matrixWidth"`
	MatrixHeight     int        `json:"matrixHeight"`
}

// version10Query requests version 1.0 of a tile matrix set.
const version10Query = "version=1.0"

// NewTileMatrixSet10 converts a set to version 1.0 of the standard.
func NewTileMatrixSet10(set *geo.TileMatrixSet) TileMatrixSet10 {
	document := TileMatrixSet10{
		Type: "TileMatrixSetType", Title: set.Title, Identifier: set.ID,
		SupportedCRS: set.CRS.URI(), WellKnownScaleSet: set.WellKnownScaleSet,
	}
	for i := range set.Matrices {
		m := &set.Matrices[i]
		first, second := set.CRS.Ordered(geo.Point{X: m.OriginX, Y: m.OriginY})
		document.TileMatrix = append(document.TileMatrix, TileMatrix10{
			Type: "TileMatrixType", Identifier: m.ID, ScaleDenominator: m.ScaleDenominator, TopLeftCorner: [2]float64{first, second},
			TileWidth: m.TileWidth, TileHeight: m.TileHeight, MatrixWidth: m.Columns, MatrixHeight: m.Rows,
		})
	}
	return document
}
