package wmts

import (
	"context"
	"net/http"
	"net/url"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/http/wmts/wmts100"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
)

// tileQuery answers a GetTile query.
func (s *service) tileQuery(e *answer.Exchange, r *http.Request, query wmts100.Query) error {
	named, err := query.Tile()
	if err != nil {
		return err
	}
	e.Layer = named.Layer
	found, err := s.find(r.Context(), &named)
	if err != nil {
		return err
	}
	format, err := formatNamed(named.Format)
	if err != nil {
		return err
	}
	if err := found.place(&named); err != nil {
		return err
	}
	return s.sendTile(e, r, found, format, found.parameters(r, url.Values(query)))
}

// tileResource answers with a tile as a resource. Its address may have our own parameters.
func (s *service) tileResource(e *answer.Exchange, r *http.Request) error {
	named, err := namedIn(r)
	if err != nil {
		return err
	}
	format, err := request.FormatOf(request.PathValue(r, "ext"))
	if err != nil {
		return err
	}
	if !isListed(format) {
		return answer.NotFound("no tiles in the format %q", format)
	}
	found, p, err := s.findResource(r, &named)
	if err != nil {
		return err
	}
	return s.sendTile(e, r, found, format, p)
}

func (s *service) sendTile(e *answer.Exchange, r *http.Request, t *tile, format layer.Format, p *request.Parameters) error {
	area := areas.Tile{TileSet: t.set.ID, Tile: t.id, Scale: 1}
	return s.SendPicture(e, r, p, t.layer, layer.Request{Area: area, Format: format})
}

// namedIn returns the names in the address of a tile. Numbers must be in their shortest form, so
// that a tile has one address.
func namedIn(r *http.Request) (wmts100.TileRequest, error) {
	id, err := request.TileID("0", request.PathValue(r, "col"), request.PathValue(r, "row"))
	return wmts100.TileRequest{
		Layer: request.PathValue(r, "layer"), Style: request.PathValue(r, "style"),
		TileMatrixSet: request.PathValue(r, "tms"), TileMatrix: request.PathValue(r, "z"), Row: id.Y, Column: id.X,
	}, err
}

// tile is a tile of a layer in a style.
type tile struct {
	layer serve.Layer
	style string
	set   *geo.TileMatrixSet
	id    geo.TileID
}

// findResource finds the tile of an address, with our own parameters in its query.
func (s *service) findResource(r *http.Request, named *wmts100.TileRequest) (*tile, *request.Parameters, error) {
	found, err := s.find(r.Context(), named)
	if err == nil {
		err = found.place(named)
	}
	if err != nil {
		return nil, nil, asResource(err)
	}
	values, err := request.Query(r)
	if err != nil {
		return nil, nil, err
	}
	return found, found.parameters(r, values), nil
}

// find finds the layer and the style of a request. Names are resolved in the order of the
// standard's parameters: layer, style, format, and then the place of the tile.
func (s *service) find(ctx context.Context, named *wmts100.TileRequest) (*tile, error) {
	l, err := s.Layer(ctx, named.Layer)
	switch {
	case err != nil && layer.Classify(err).Code != layer.NotFound: // its file cannot be opened
		return nil, err
	case err != nil:
		return nil, wmts100.Invalid("layer", "there is no layer %q", named.Layer)
	}
	if _, err := l.Style(named.Style); err != nil {
		return nil, wmts100.Invalid("style", "%s", answer.FailureOf(err).Message)
	}
	return &tile{layer: l, style: named.Style}, nil
}

// place finds the place of a tile that exists.
func (t *tile) place(named *wmts100.TileRequest) error {
	set, err := tileSetOf(t.layer.Layer, named.TileMatrixSet)
	if err != nil {
		return err
	}
	z, err := named.Matrix(set.Set)
	if err != nil {
		return err
	}
	t.set, t.id = set.Set, geo.TileID{Z: z, X: named.Column, Y: named.Row}
	return named.Check(rangeOf(set, z))
}

// tileSetOf returns a tile set that the capabilities list for the layer. They omit the image's
// own pixels, because all tiles of WMTS lie on earth.
func tileSetOf(l *layer.Layer, id string) (tilesets.TileSet, error) {
	if id == tilesets.ImageID {
		return tilesets.TileSet{}, wmts100.Invalid("TileMatrixSet", "WMTS has no tile matrix set %q; its tiles are at /tiles/%s/%s/{z}/{x}/{y}.png", id, l.ID(), id)
	}
	for _, t := range l.Describe().TileSets {
		if t.Set.ID == id && wmts100.IsNameable(t.Set) {
			return t, nil
		}
	}
	return tilesets.TileSet{}, wmts100.Invalid("TileMatrixSet", "the layer has no tile matrix set %q", id)
}

// rangeOf returns the limits that the capabilities list. A matrix without listed limits has all
// of its tiles, most of them blank.
func rangeOf(t tilesets.TileSet, z int) wmts100.Limits {
	if z <= t.MaxZoom {
		if minColumn, minRow, maxColumn, maxRow, ok := t.Limits(z); ok {
			return wmts100.Limits{MinColumn: minColumn, MinRow: minRow, MaxColumn: maxColumn, MaxRow: maxRow}
		}
	}
	return wmts100.LimitsOf(&t.Set.Matrices[z])
}

// parameters returns our own parameters of a query, with the style of the tile. Those of the
// standard stay in it and are ignored.
func (t *tile) parameters(r *http.Request, values url.Values) *request.Parameters {
	p := request.Of(r, values)
	p.Set("style", t.style)
	return p
}
