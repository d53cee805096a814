// Package tms answers requests of the Tile Map Service 1.0.0. Package tilemap below it has the
// syntax: it parses the names of maps and writes documents, and has grids whose rows count from the
// bottom. Package http calls Routes. Package tms must never know how pixels are read, nor another
// protocol.
package tms

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/http/tms/tilemap"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/listing"
	"tileserver/layer/tilesets"
)

// service has the handlers.
type service struct{ *serve.Server }

// Routes returns the routes of the Tile Map Service.
func Routes(server *serve.Server) map[string]answer.Handler {
	s := &service{server}
	const service = "/tms/" + tilemap.Version
	return map[string]answer.Handler{
		"/tms":                            s.root,
		"/tms/":                           s.root,
		service:                           s.document,
		service + "/":                     s.document,
		service + "/{map}":                s.tileMap,
		service + "/{map}/":               s.tileMap,
		service + "/{map}/{z}":            s.level,
		service + "/{map}/{z}/{x}/{tile}": s.tile,
	}
}

// serviceAddress returns the address of the service below the root address of the server.
func serviceAddress(base string) string { return base + "/tms/" + tilemap.Version + "/" }

func mapAddress(base, layerID string, grid tilemap.Grid) string {
	return serviceAddress(base) + url.PathEscape(tilemap.MapName(layerID, grid.ID()))
}

// Address returns the address of a layer's first map, which usually has a well-known grid, below the
// root address of the server.
func Address(base, layerID string, d *layer.Description) string {
	for _, set := range d.TileSets {
		if grid, ok := gridOf(set); ok {
			return mapAddress(base, layerID, grid)
		}
	}
	return serviceAddress(base)
}

// gridOf returns the grid of a tile set if the standard can describe it.
func gridOf(set tilesets.TileSet) (tilemap.Grid, bool) {
	grid, ok := tilemap.GridOf(set.Set)
	if !ok {
		return grid, false
	}
	_, ok = grid.SRS()
	return grid, ok
}

func (s *service) root(e *answer.Exchange, r *http.Request) error {
	e.SendDocument(r, tilemap.MIME, tilemap.Root(s.Service.Title, serviceAddress(s.BaseURL(r))))
	return nil
}

// document lists a map for each layer and each grid that shows it. If they do not fit, it lists
// the first grid of as many layers as fit.
func (s *service) document(e *answer.Exchange, r *http.Request) error {
	excerpt, err := s.Excerpt(r, listing.AnyPlacement)
	if err != nil {
		return err
	}
	r = s.ForAllLayers(r)
	key := fmt.Sprintf("tms\n%s%s\n%d\n%d", s.BaseURL(r), excerpt.Query(), excerpt.ChangedAt.UnixNano(), excerpt.Total)
	return s.SendCachedDocument(e, r, tilemap.MIME, key, func(w io.Writer) error {
		_, err := w.Write(s.describe(r, excerpt).Document())
		return err
	})
}

func (s *service) describe(r *http.Request, of *serve.Excerpt) tilemap.Service {
	service := tilemap.Service{
		Root: s.BaseURL(r) + "/tms/", Title: s.Service.Title, Abstract: s.Service.Abstract, Keywords: s.Service.Keywords,
		Person: s.Service.Contact, Organization: s.Service.Provider, Mail: s.Service.Email, Remark: of.Missing(),
	}
	all := s.mapsOf(r, of, math.MaxInt)
	if service.Maps = slices.Concat(all...); of.IsLast() && tilemap.Bytes(service.Maps) <= maxMapsBytes {
		return service
	}
	some := s.mapsOf(r, of, 1)
	for bytes := tilemap.Bytes(slices.Concat(some...)); bytes > maxMapsBytes && len(some) > 1; {
		bytes -= tilemap.Bytes(some[len(some)-1])
		some = some[:len(some)-1]
	}
	service.Maps = slices.Concat(some...)
	service.Remark = strings.TrimSpace(of.Remark(len(some), serviceAddress(s.BaseURL(r)), of.Layers[max(len(some)-1, 0)].ID()) +
		" Most layers have maps in more grids, which are named LAYER@GRID. " + of.Missing())
	return service
}

// mapsOf returns the maps of each layer of an excerpt, at most maxMaps for a layer.
func (s *service) mapsOf(r *http.Request, of *serve.Excerpt, maxMaps int) [][]tilemap.Reference {
	all := make([][]tilemap.Reference, len(of.Layers))
	for i, l := range of.Layers {
		all[i] = s.maps(r, l)
		all[i] = all[i][:min(len(all[i]), maxMaps)]
	}
	return all
}

// maxMapsBytes leaves room for the rest of the document.
const maxMapsBytes = serve.MaxDocumentBytes - 20_000

// maps returns the maps of a layer, the one with the best-known grid first.
func (s *service) maps(r *http.Request, l *layer.Layer) []tilemap.Reference {
	var maps []tilemap.Reference
	for _, set := range l.Describe().TileSets {
		if grid, ok := gridOf(set); ok {
			srs, _ := grid.SRS()
			maps = append(maps, tilemap.Reference{
				Title: l.Title() + " (" + grid.ID() + ")", SRS: srs, Profile: grid.Profile(), Address: mapAddress(s.BaseURL(r), l.ID(), grid),
			})
		}
	}
	return maps
}

// layerInGrid is a layer in a grid.
type layerInGrid struct {
	layer serve.Layer
	set   tilesets.TileSet
	grid  tilemap.Grid
}

// find returns the layer and the grid of the map that a request names.
func (s *service) find(e *answer.Exchange, r *http.Request) (*layerInGrid, error) {
	name := request.PathValue(r, "map")
	layerID, tileSetID, ok := tilemap.ParseMapName(name)
	if !ok {
		return nil, answer.NotFound("there is no map %q; maps are named like layer@WebMercatorQuad", name)
	}
	e.Layer = layerID
	l, err := s.Layer(r.Context(), layerID)
	if err != nil {
		return nil, err
	}
	for _, set := range l.Describe().TileSets {
		if set.Set.ID != tileSetID {
			continue
		}
		if grid, ok := gridOf(set); ok {
			return &layerInGrid{l, set, grid}, nil
		}
	}
	return nil, answer.NotFound("the layer has no map in %q here", tileSetID)
}

func (s *service) tileMap(e *answer.Exchange, r *http.Request) error {
	found, err := s.find(e, r)
	if err != nil {
		return err
	}
	return s.sendTileMap(e, r, found)
}

func (s *service) sendTileMap(e *answer.Exchange, r *http.Request, found *layerInGrid) error {
	p := request.ParametersOf(r)
	format := serve.TileFormat(p, found.layer.Layer)
	if p.Err != nil {
		return p.Err
	}
	if err := serve.CheckFormat(p, found.layer.Layer, format); err != nil {
		return err
	}
	document := tilemap.TileMap{
		Service: serviceAddress(s.BaseURL(r)), Address: mapAddress(s.BaseURL(r), found.layer.ID(), found.grid),
		Title: found.layer.Title(), Abstract: found.layer.Abstract(), Attribution: found.layer.Attribution(),
		MIME: format.MIME(), Extension: format.Extension(), Grid: found.grid, MaxLevel: found.set.MaxZoom,
	}
	e.SendDocument(r, tilemap.MIME, document.Document())
	return nil
}

// level answers at the address of a level with the document of its map. The standard defines no
// document there, but clients request it.
func (s *service) level(e *answer.Exchange, r *http.Request) error {
	found, err := s.find(e, r)
	if err != nil {
		return err
	}
	id, err := request.TileID(r.PathValue("z"), "0", "0")
	if err != nil {
		return err
	}
	if _, ok := found.grid.Tile(id.Z, 0, 0); !ok {
		return answer.NotFound("%s has no level %d", found.set.Set.ID, id.Z)
	}
	return s.sendTileMap(e, r, found)
}

func (s *service) tile(e *answer.Exchange, r *http.Request) error {
	found, err := s.find(e, r)
	if err != nil {
		return err
	}
	area, format, err := request.Tile(r)
	if err != nil {
		return err
	}
	id, ok := found.grid.Tile(area.Tile.Z, area.Tile.X, area.Tile.Y)
	if !ok {
		return answer.NotFound("%s has no tile %d/%d/%d", found.set.Set.ID, area.Tile.Z, area.Tile.X, area.Tile.Y)
	}
	allowed := request.ParametersOf(r).Allow("empty", "return_mask", "wait")
	return s.SendTile(e, r, allowed, found.layer, layer.Request{Area: found.area(id, area.Scale), Format: format})
}

// area returns the area of a tile of the grid. The grid may have tiles that the set lacks; they are
// empty boxes.
func (f *layerInGrid) area(id geo.TileID, scale int) areas.Area {
	set := f.set.Set
	if set.Contains(id) {
		return areas.Tile{TileSet: set.ID, Tile: id, Scale: scale}
	}
	bounds, side := set.Bounds(id), f.grid.TileSide()*scale
	if set.CRS == nil { // image rows count downward
		bounds.MinY, bounds.MaxY = -bounds.MaxY, -bounds.MinY
	}
	return areas.Box{CRS: set.CRS, Bounds: bounds, Width: side, Height: side}
}
