package http

import (
	"net/http"

	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/http/wmts"
	"tileserver/layer"
)

// wmtsFormat is a format of pictures in the words of the standard.
type wmtsFormat struct {
	format layer.Format
	name   wmts.Format
}

// wmtsFormats begin with the one that loses nothing and can be transparent.
func wmtsFormats() []wmtsFormat {
	return []wmtsFormat{
		{layer.PNG, wmts.Format{MIME: picture.PNG.MIME(), Extension: "png"}},
		{layer.JPEG, wmts.Format{MIME: picture.JPEG.MIME(), Extension: "jpg"}},
		{layer.WebP, wmts.Format{MIME: picture.WebP.MIME(), Extension: "webp"}},
	}
}

// wmtsFormatsOf are those that all styles of a layer can be had in: colours that stand for numbers are not for JPEG, but
// may be for WebP without loss. What JPEG can have, WebP can.
func (s *server) wmtsFormatsOf(l *layer.Layer) []wmts.Format {
	all := wmtsFormats()
	png, jpeg, webp := all[0].name, all[1].name, all[2].name
	switch {
	case s.hasAllStyles(l, layer.JPEG):
		return []wmts.Format{png, jpeg, webp}
	case s.hasAllStyles(l, layer.WebP):
		return []wmts.Format{png, webp}
	}
	return []wmts.Format{png}
}

func (s *server) hasAllStyles(l *layer.Layer, format layer.Format) bool {
	for _, style := range l.Styles() {
		request := layer.Request{Layer: l.ID(), Area: layer.PreviewArea{MaxSize: 1}, Style: style.Style, Format: format}
		if _, err := s.Catalog.Prepare(request); err != nil {
			return false
		}
	}
	return true
}

// wmtsTileQuery answers a query for a tile.
func (s *server) wmtsTileQuery(e *exchange, r *http.Request, query wmts.Query) error {
	request, err := query.Tile()
	if err != nil {
		return err
	}
	e.layer = request.Layer
	tile, err := s.locateWMTSTile(&request)
	if err != nil {
		return err
	}
	return s.picture(e, r, tile.parameters(query), tile.request)
}

// wmtsTileResource is a tile that has an address. Parameters of ours may stand behind it.
func (s *server) wmtsTileResource(e *exchange, r *http.Request) error {
	request, err := wmtsRequestOf(r, pathValue(r, "col"))
	if err != nil {
		return err
	}
	format, err := formatOf(pathValue(r, "ext"))
	if err != nil {
		return err
	}
	if request.Format = wmtsNameOf(format); request.Format == "" {
		return notFound("no tiles in the format %q", format)
	}
	tile, err := s.locateWMTSTile(&request)
	if err != nil {
		return asResource(err)
	}
	p := parametersOf(r)
	if p.err != nil {
		return p.err
	}
	return s.picture(e, r, tile.parameters(wmts.Query(p.values)), tile.request)
}

// wmtsNameOf is the type of a format, or empty if the standard's documents do not offer it.
func wmtsNameOf(format layer.Format) string {
	for _, f := range wmtsFormats() {
		if f.format == format {
			return f.name.MIME
		}
	}
	return ""
}

// wmtsRequestOf is the tile that an address names. A tile has one address, so numbers are as short as can be.
func wmtsRequestOf(r *http.Request, column string) (wmts.TileRequest, error) {
	id, err := tileID("0", column, pathValue(r, "row"))
	return wmts.TileRequest{
		Layer: pathValue(r, "layer"), Style: pathValue(r, "style"),
		TileMatrixSet: pathValue(r, "tms"), TileMatrix: pathValue(r, "z"), Row: id.Y, Column: id.X,
	}, err
}

// wmtsTile is a tile that there is.
type wmtsTile struct {
	layer   *layer.Layer
	style   string
	set     *geo.TileMatrixSet
	id      geo.TileID
	request layer.Request
}

// locateWMTSTile finds what a request names, in the order in which the standard has its parameters.
func (s *server) locateWMTSTile(t *wmts.TileRequest) (*wmtsTile, error) {
	l, err := s.Catalog.Layer(t.Layer)
	if err != nil {
		return nil, wmts.Invalid("layer", "there is no layer %q", t.Layer)
	}
	if _, err := l.Style(t.Style); err != nil {
		return nil, wmts.Invalid("style", "%s", failureOf(err).message)
	}
	format, err := wmtsFormatNamed(t.Format)
	if err != nil {
		return nil, err
	}
	set, err := wmtsTileSet(l, t.TileMatrixSet)
	if err != nil {
		return nil, err
	}
	z, err := t.Matrix(set.Set)
	if err != nil {
		return nil, err
	}
	if err := t.Check(wmtsRange(set, z)); err != nil {
		return nil, err
	}
	id := geo.TileID{Z: z, X: t.Column, Y: t.Row}
	area := layer.TileArea{TileSet: set.Set.ID, Tile: id, Scale: 1}
	return &wmtsTile{l, t.Style, set.Set, id, layer.Request{Layer: l.ID(), Area: area, Format: format}}, nil
}

func wmtsFormatNamed(mime string) (layer.Format, error) {
	for _, f := range wmtsFormats() {
		if f.name.MIME == mime {
			return f.format, nil
		}
	}
	return 0, wmts.Invalid("format", "there are no tiles of the format %q", mime)
}

// wmtsTileSet is one of those that the document lists for a layer. Tiles of the image's own pixels have an address, but
// none in WMTS, all of whose tiles are on the earth.
func wmtsTileSet(l *layer.Layer, id string) (layer.TileSet, error) {
	if id == layer.ImageTileSetID {
		return layer.TileSet{}, wmts.Invalid("TileMatrixSet", "WMTS has no tile matrix set %q; its tiles are at /tiles/%s/%s/{z}/{x}/{y}.png", id, l.ID(), id)
	}
	for _, t := range l.Describe().TileSets {
		if t.Set.ID == id && wmts.IsNameable(t.Set) {
			return t, nil
		}
	}
	return layer.TileSet{}, wmts.Invalid("TileMatrixSet", "the layer has no tile matrix set %q", id)
}

// wmtsRange are the limits that the document gives. In a matrix for which it gives none, all tiles are there, most of them
// blank.
func wmtsRange(t layer.TileSet, z int) wmts.Limits {
	if z <= t.MaxZoom {
		if minColumn, minRow, maxColumn, maxRow, ok := t.Limits(z); ok {
			return wmts.Limits{MinColumn: minColumn, MinRow: minRow, MaxColumn: maxColumn, MaxRow: maxRow}
		}
	}
	return wmts.LimitsOf(&t.Set.Matrices[z])
}

// parameters are those of ours in a query, with the style of the tile. What the standard has besides is not known here, and
// does no harm.
func (t *wmtsTile) parameters(query wmts.Query) *parameters {
	p := &parameters{values: make(map[string][]string, len(query)+1)}
	for name, values := range query {
		p.values[name] = values
	}
	p.values["style"] = []string{t.style}
	return p
}
