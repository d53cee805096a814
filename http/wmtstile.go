package http

import (
	"net/http"
	"net/url"

	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/wmts"
	"tileserver/layer"
)

// wmtsFormat is a picture format with its name in the standard's documents.
type wmtsFormat struct {
	format layer.Format
	name   wmts.Format
}

// wmtsFormats returns all formats, first PNG, which is lossless and can be transparent.
func wmtsFormats() []wmtsFormat {
	return []wmtsFormat{
		{layer.PNG, wmts.Format{MIME: picture.PNG.MIME(), Extension: "png"}},
		{layer.JPEG, wmts.Format{MIME: picture.JPEG.MIME(), Extension: "jpg"}},
		{layer.WebP, wmts.Format{MIME: picture.WebP.MIME(), Extension: "webp"}},
	}
}

// wmtsFormatsOf returns the formats that every style of a layer supports. Colors that encode
// numbers rule out JPEG but may be lossless WebP. WebP supports all that JPEG does.
func wmtsFormatsOf(l *layer.Layer) []wmts.Format {
	all := wmtsFormats()
	png, jpeg, webp := all[0].name, all[1].name, all[2].name
	switch {
	case canShowAllStyles(l, layer.JPEG):
		return []wmts.Format{png, jpeg, webp}
	case canShowAllStyles(l, layer.WebP):
		return []wmts.Format{png, webp}
	}
	return []wmts.Format{png}
}

// canShowAllStyles reports whether a format supports every style of a layer.
func canShowAllStyles(l *layer.Layer, format layer.Format) bool {
	for _, style := range l.Styles() {
		if !l.CanShow(style.Style, format) {
			return false
		}
	}
	return true
}

// wmtsTileQuery answers a GetTile query.
func (s *server) wmtsTileQuery(e *answer.Exchange, r *http.Request, query wmts.Query) error {
	request, err := query.Tile()
	if err != nil {
		return err
	}
	e.Layer = request.Layer
	tile, err := s.locateWMTSTile(&request)
	if err != nil {
		return err
	}
	return s.picture(e, r, tile.parameters(query), tile.request)
}

// wmtsTileResource answers with a tile as a resource. Its address may have our own parameters.
func (s *server) wmtsTileResource(e *answer.Exchange, r *http.Request) error {
	named, err := wmtsRequestOf(r, request.PathValue(r, "col"))
	if err != nil {
		return err
	}
	format, err := request.FormatOf(request.PathValue(r, "ext"))
	if err != nil {
		return err
	}
	if named.Format = wmtsNameOf(format); named.Format == "" {
		return answer.NotFound("no tiles in the format %q", format)
	}
	tile, err := s.locateWMTSTile(&named)
	if err != nil {
		return asResource(err)
	}
	p := request.ParametersOf(r)
	if p.Err != nil {
		return p.Err
	}
	return s.picture(e, r, tile.parameters(wmts.Query(p.Values)), tile.request)
}

// wmtsNameOf returns the media type of a format, or "" if the capabilities do not list it.
func wmtsNameOf(format layer.Format) string {
	for _, f := range wmtsFormats() {
		if f.format == format {
			return f.name.MIME
		}
	}
	return ""
}

// wmtsRequestOf parses a tile address. Numbers must be in their shortest form, so that a tile has
// one address.
func wmtsRequestOf(r *http.Request, column string) (wmts.TileRequest, error) {
	id, err := request.TileID("0", column, request.PathValue(r, "row"))
	return wmts.TileRequest{
		Layer: request.PathValue(r, "layer"), Style: request.PathValue(r, "style"),
		TileMatrixSet: request.PathValue(r, "tms"), TileMatrix: request.PathValue(r, "z"), Row: id.Y, Column: id.X,
	}, err
}

// wmtsTile is a tile that exists.
type wmtsTile struct {
	layer   *layer.Layer
	style   string
	set     *geo.TileMatrixSet
	id      geo.TileID
	request layer.Request
}

// locateWMTSTile resolves the names in a request, in the order of the standard's parameters.
func (s *server) locateWMTSTile(t *wmts.TileRequest) (*wmtsTile, error) {
	l, err := s.Catalog.Layer(t.Layer)
	if err != nil {
		return nil, wmts.Invalid("layer", "there is no layer %q", t.Layer)
	}
	if _, err := l.Style(t.Style); err != nil {
		return nil, wmts.Invalid("style", "%s", answer.FailureOf(err).Message)
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
	return 0, wmts.Invalid("format", "no tiles in the format %q", mime)
}

// wmtsTileSet returns a tile set that the capabilities list for the layer. They omit the image's
// own pixels, because all tiles of WMTS lie on earth.
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

// wmtsRange returns the limits that the capabilities list. A matrix without listed limits has all
// of its tiles, most of them blank.
func wmtsRange(t layer.TileSet, z int) wmts.Limits {
	if z <= t.MaxZoom {
		if minColumn, minRow, maxColumn, maxRow, ok := t.Limits(z); ok {
			return wmts.Limits{MinColumn: minColumn, MinRow: minRow, MaxColumn: maxColumn, MaxRow: maxRow}
		}
	}
	return wmts.LimitsOf(&t.Set.Matrices[z])
}

// parameters returns our own parameters of a query, with the style of the tile. Those of the
// standard stay in it and are ignored.
func (t *wmtsTile) parameters(query wmts.Query) *request.Parameters {
	p := request.With(make(url.Values, len(query)+1))
	for name, values := range query {
		p.Values[name] = values
	}
	p.Values["style"] = []string{t.style}
	return p
}
