package wmts100

import "tileserver/geo"

// TileRequest is a parsed GetTile request. Format is a media type of pictures.
type TileRequest struct {
	Layer, Style, Format      string
	TileMatrixSet, TileMatrix string
	Row, Column               int
}

// InfoRequest is a parsed GetFeatureInfo request. InfoFormat is a media type of documents.
type InfoRequest struct {
	TileRequest
	InfoFormat string
	I, J       int // column and row of the pixel
}

// Tile parses a GetTile query. An empty style is the default, which many clients send; a missing
// one is an error.
func (q Query) Tile() (TileRequest, error) {
	from := reader{query: q}
	r := from.tile()
	return r, from.err
}

// Info parses a GetFeatureInfo query.
func (q Query) Info() (InfoRequest, error) {
	from := reader{query: q}
	r := InfoRequest{TileRequest: from.tile(), J: from.integer("J"), I: from.integer("I"), InfoFormat: from.required("InfoFormat")}
	return r, from.err
}

func (r *reader) tile() TileRequest {
	if version := r.required("version"); version != Version {
		r.reject(Invalid("version", "the version is %s, not %q", Version, version))
	}
	return TileRequest{
		Layer: r.required("layer"), Style: r.present("style"), Format: r.required("format"),
		TileMatrixSet: r.required("TileMatrixSet"), TileMatrix: r.required("TileMatrix"),
		Row: r.integer("TileRow"), Column: r.integer("TileCol"),
	}
}

// Matrix returns the level of a set with the requested name.
func (r *TileRequest) Matrix(set *geo.TileMatrixSet) (z int, err error) {
	for z := range set.Matrices {
		if set.Matrices[z].ID == r.TileMatrix {
			return z, nil
		}
	}
	return 0, Invalid("TileMatrix", "%s has no tile matrix %q", set.ID, r.TileMatrix)
}

// Limits are the first and last column and row of a layer in a tile matrix.
type Limits struct{ MinColumn, MinRow, MaxColumn, MaxRow int }

// LimitsOf returns the limits of a whole matrix.
func LimitsOf(m *geo.TileMatrix) Limits { return Limits{MaxColumn: m.Columns - 1, MaxRow: m.Rows - 1} }

// Check rejects a tile outside the limits.
func (r *TileRequest) Check(within Limits) error {
	if r.Row < within.MinRow || r.Row > within.MaxRow {
		return reportOf(TileOutOfRange, "TileRow", "the layer has rows from %d to %d in this tile matrix, not %d", within.MinRow, within.MaxRow, r.Row)
	}
	if r.Column < within.MinColumn || r.Column > within.MaxColumn {
		return reportOf(TileOutOfRange, "TileCol", "the layer has columns from %d to %d in this tile matrix, not %d", within.MinColumn, within.MaxColumn, r.Column)
	}
	return nil
}

// Check rejects a pixel outside the tile, and an unsupported type.
func (r *InfoRequest) Check(m *geo.TileMatrix) error {
	if r.J < 0 || r.J >= m.TileHeight {
		return outsideOfTile("J", m.TileHeight, r.J)
	}
	if r.I < 0 || r.I >= m.TileWidth {
		return outsideOfTile("I", m.TileWidth, r.I)
	}
	for _, format := range InfoFormats() {
		if format.MIME == r.InfoFormat {
			return nil
		}
	}
	return Invalid("InfoFormat", "GetFeatureInfo has no format %q", r.InfoFormat)
}

// outsideOfTile returns two exceptions: the standard's code, and the one that its test suite
// expects.
func outsideOfTile(locator string, side, v int) Report {
	report := reportOf(PointIJOutOfRange, locator, "%s is from 0 to %d, not %d", locator, side-1, v)
	return append(report, Exception{TileOutOfRange, locator, report[0].Text})
}
