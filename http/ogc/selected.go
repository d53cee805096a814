package ogc

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/request"
	"tileserver/layer/areas"
)

// selected returns the layers that the parameter collections selects, in its order, or all. The
// origin carries the selection into the addresses of pictures.
func (s *service) selected(ctx context.Context, site ogcapi.Site, p *request.Parameters) (*layerSet, ogcapi.Origin, error) {
	origin := ogcapi.Origin{Title: s.Service.Title}
	text := p.Text("collections")
	if text == "" {
		all := s.layerSet()
		origin.Formats = all.formats
		return all, origin, p.Err
	}
	ids, err := site.ParseSelection(text)
	if err != nil {
		return nil, origin, failureOf(err)
	}
	var selected []*placedLayer
	for i, id := range ids {
		l, err := s.placedLayer(ctx, id)
		if err != nil {
			return nil, origin, err
		}
		selected = append(selected, l)
		ids[i] = url.QueryEscape(id)
	}
	origin.Selection = "collections=" + strings.Join(ids, ",")
	set := newLayerSet(selected)
	origin.Formats = set.formats
	return set, origin, nil
}

func (s *service) datasetTileSets(r *http.Request, site ogcapi.Site, p *request.Parameters) (document, error) {
	all, origin, err := s.selected(r.Context(), site, p)
	if err != nil {
		return document{}, err
	}
	d := site.TileSets(origin, all.tilings)
	return document{d, d.Page(site)}, nil
}

func (s *service) datasetTileSet(r *http.Request, site ogcapi.Site, p *request.Parameters) (document, error) {
	all, origin, err := s.selected(r.Context(), site, p)
	if err != nil {
		return document{}, err
	}
	t, err := findTiling(all.tilings, request.PathValue(r, "tms"))
	if err != nil {
		return document{}, err
	}
	d := site.TileSet(origin, s.Service.Provider, t)
	return document{d, d.Page(site)}, nil
}

// datasetTile answers with a tile of all layers, or of the selected ones.
func (s *service) datasetTile(e *answer.Exchange, r *http.Request) error {
	modified := s.LastModified()
	p := request.ParametersOf(r).Allow("f", "collections", "empty", "return_mask", "wait")
	format, err := s.pictureFormat(e, r, p)
	if err != nil {
		return err
	}
	all, origin, err := s.selected(r.Context(), s.site(r), p)
	if err != nil {
		return err
	}
	tiling, err := findTiling(all.tilings, request.PathValue(r, "tms"))
	if err != nil {
		return err
	}
	area, err := tileArea(r, tiling)
	if err != nil {
		return err
	}
	matrix := tiling.Set.Matrices[area.Tile.Z]
	return s.sendStack(e, r, p, stackRequest{
		layers: touchingTile(all.layers, area), isSelected: origin.Selection != "", area: area, isTile: true,
		width: matrix.TileWidth, height: matrix.TileHeight, format: offeredFormat(r, p, format, all.formats), modified: modified,
	})
}

// touchingTile returns the layers whose bounds touch a tile.
func touchingTile(layers []*placedLayer, area areas.Tile) []*placedLayer {
	var touching []*placedLayer
	for _, l := range layers {
		t, ok := l.tileSet(area.TileSet)
		if !ok {
			continue
		}
		minColumn, minRow, maxColumn, maxRow, ok := t.Limits(area.Tile.Z)
		if ok && area.Tile.X >= minColumn && area.Tile.X <= maxColumn && area.Tile.Y >= minRow && area.Tile.Y <= maxRow {
			touching = append(touching, l)
		}
	}
	return touching
}

// touchingBox returns the layers whose bounds touch a box in degrees.
func touchingBox(layers []*placedLayer, lonLat geo.Bounds) []*placedLayer {
	var touching []*placedLayer
	for _, l := range layers {
		for _, turn := range []float64{-360, 0, 360} {
			own := l.description.Bounds
			own.MinX, own.MaxX = own.MinX+turn, own.MaxX+turn
			if !own.Intersect(lonLat).Empty() {
				touching = append(touching, l)
				break
			}
		}
	}
	return touching
}
