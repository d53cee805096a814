package ogc

import (
	"net/http"
	"slices"
	"strconv"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/style"
)

// origin returns the layer that the path names, and an origin with its style, if it names one.
func (s *service) origin(r *http.Request, p *request.Parameters) (*placedLayer, ogcapi.Origin, error) {
	l, err := s.placedLayer(r.Context(), request.PathValue(r, "layer"))
	if err != nil {
		return nil, ogcapi.Origin{}, err
	}
	origin := ogcapi.Origin{Collection: l.ID(), Title: l.Title(), Style: request.PathValue(r, "style")}
	if origin.Style != "" {
		if !slices.ContainsFunc(l.Styles(), func(named style.Named) bool { return named.Name == origin.Style }) {
			return nil, origin, noSuchStyle(origin.Style)
		}
		p.Set("style", origin.Style)
	}
	origin.Version = s.VersionQuery(l.Layer.Layer, origin.Style)
	origin.Formats = formatsOf([]*placedLayer{l})
	return l, origin, nil
}

func (s *service) tileSets(r *http.Request, site ogcapi.Site, p *request.Parameters) (document, error) {
	l, origin, err := s.origin(r, p)
	if err != nil {
		return document{}, err
	}
	d := site.TileSets(origin, l.tilings())
	return document{d, d.Page(site)}, nil
}

func (s *service) tileSet(r *http.Request, site ogcapi.Site, p *request.Parameters) (document, error) {
	l, origin, err := s.origin(r, p)
	if err != nil {
		return document{}, err
	}
	t, err := findTiling(l.tilings(), request.PathValue(r, "tms"))
	if err != nil {
		return document{}, err
	}
	d := site.TileSet(origin, l.Attribution(), t)
	return document{d, d.Page(site)}, nil
}

func findTiling(tilings []ogcapi.Tiling, id string) (*ogcapi.Tiling, error) {
	for i := range tilings {
		if tilings[i].Set.ID == id {
			return &tilings[i], nil
		}
	}
	return nil, answer.NotFound("no tiles in the tile matrix set %q", id)
}

// tile answers with a tile of one layer.
func (s *service) tile(e *answer.Exchange, r *http.Request) error {
	p := request.ParametersOf(r).Allow("f", "empty", "return_mask", "wait")
	format, err := s.pictureFormat(e, r, p)
	if err != nil {
		return err
	}
	l, origin, err := s.origin(r, p)
	if err != nil {
		return err
	}
	format = offeredFormat(r, p, format, origin.Formats)
	t, ok := l.tileSet(request.PathValue(r, "tms"))
	if !ok {
		return noSuchTileMatrixSet(request.PathValue(r, "tms"))
	}
	tiling := tilingOf(t)
	area, err := tileArea(r, &tiling)
	if err != nil {
		return err
	}
	return s.SendTile(e, r, p, l.Layer, layer.Request{Area: area, Format: format})
}

// tileArea parses the tile address in the path. Tiles outside the limits do not exist.
func tileArea(r *http.Request, t *ogcapi.Tiling) (areas.Tile, error) {
	matrix := request.PathValue(r, "z")
	z := slices.IndexFunc(t.Set.Matrices, func(m geo.TileMatrix) bool { return m.ID == matrix })
	row, rowErr := index(r.PathValue("row"))
	col, colErr := index(r.PathValue("col"))
	switch {
	case z < 0:
		return areas.Tile{}, answer.NotFound("the tile matrix set %s has no matrix %q", t.Set.ID, matrix)
	case rowErr != nil || colErr != nil:
		return areas.Tile{}, answer.Invalid("row and column of a tile must be whole numbers, not %s/%s", r.PathValue("row"), r.PathValue("col"))
	}
	for _, l := range t.Limits {
		if l.TileMatrix == matrix && l.Contains(row, col) {
			return areas.Tile{TileSet: t.Set.ID, Tile: geo.TileID{Z: z, X: col, Y: row}, Scale: 1}, nil
		}
	}
	return areas.Tile{}, answer.NotFound("row %d and column %d of the matrix %s of %s are outside the limits", row, col, matrix, t.Set.ID)
}

// index parses a number in its shortest form, so that a tile has one address.
func index(text string) (int, error) {
	v, err := strconv.Atoi(text)
	if err == nil && strconv.Itoa(v) != text {
		err = strconv.ErrSyntax
	}
	return v, err
}
