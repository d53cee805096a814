package wmts

import "tileserver/geo"

// TileRequest asks for a tile. Format is a type of pictures.
type TileRequest struct {
	Layer, Style, Format      string
	TileMatrixSet, TileMatrix string
	Row, Column               int
}

// InfoRequest asks what lies at a pixel of a tile. Format is a type of documents.
type InfoRequest struct {
	TileRequest
	InfoFormat string
	I, J       int // column and row of the pixel
}

// Tile reads the parameters of GetTile. An empty style is the one that a layer has by itself, as many clients have it; one
// that is not there at all is a mistake.
func (q Query) Tile() (TileRequest, error) {
	from := reader{query: q}
	r := from.tile()
	return r, from.err
}

// Info reads the parameters of GetFeatureInfo.
func (q Query) Info() (InfoRequest, error) {
	from := reader{query: q}
	r := InfoRequest{TileRequest: from.tile(), J: from.integer("J"), I: from.integer("I"), InfoFormat: from.needed("InfoFormat")}
	return r, from.err
}

func (r *reader) tile() TileRequest {
	if version := r.needed("version"); version != Version {
		r.refuse(Invalid("version", "the version is %s, not %q", Version, version))
	}
	return TileRequest{
		Layer: r.needed("layer"), Style: r.present("style"), Format: r.needed("format"),
		TileMatrixSet: r.needed("TileMatrixSet"), TileMatrix: r.needed("TileMatrix"),
		Row: r.integer("TileRow"), Column: r.integer("TileCol"),
	}
}

// Matrix finds the level of a set by its name.
func (r *TileRequest) Matrix(set *geo.TileMatrixSet) (z int, err error) {
	for z := range set.Matrices {
		if set.Matrices[z].ID == r.TileMatrix {
			return z, nil
		}
	}
	return 0, Invalid("TileMatrix", "%s has no tile matrix %q", set.ID, r.TileMatrix)
}

// Limits are the first and the last column and row of a layer in a tile matrix.
type Limits struct{ MinColumn, MinRow, MaxColumn, MaxRow int }

// LimitsOf are those of a whole matrix.
func LimitsOf(m *geo.TileMatrix) Limits { return Limits{MaxColumn: m.Columns - 1, MaxRow: m.Rows - 1} }

// Check refuses a tile outside of limits.
func (r *TileRequest) Check(within Limits) error {
	if r.Row < within.MinRow || r.Row > within.MaxRow {
		return reportOf(TileOutOfRange, "TileRow", "the layer has rows from %d to %d in this tile matrix, not %d", within.MinRow, within.MaxRow, r.Row)
	}
	if r.Column < within.MinColumn || r.Column > within.MaxColumn {
		return reportOf(TileOutOfRange, "TileCol", "the layer has columns from %d to %d in this tile matrix, not %d", within.MinColumn, within.MaxColumn, r.Column)
	}
	return nil
}

// Check refuses a pixel outside of a tile, and a type of which there are no documents.
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
	return Invalid("InfoFormat", "what lies at a pixel is not there as %q", r.InfoFormat)
}

// outsideOfTile reports a pixel twice: the standard has a code for that, and its test suite asks for another one.
func outsideOfTile(locator string, side, v int) Report {
	report := reportOf(PointIJOutOfRange, locator, "%s is from 0 to %d, not %d", locator, side-1, v)
	return append(report, Exception{TileOutOfRange, locator, report[0].Text})
}
