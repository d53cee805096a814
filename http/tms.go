package http

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/tms"
	"tileserver/layer"
)

// tmsRoutes returns the routes of the Tile Map Service.
func (s *server) tmsRoutes() map[string]answer.Handler {
	const service = "/tms/" + tms.Version
	return map[string]answer.Handler{
		"/tms":                            s.tmsRoot,
		"/tms/":                           s.tmsRoot,
		service:                           s.tmsService,
		service + "/":                     s.tmsService,
		service + "/{map}":                s.tmsMap,
		service + "/{map}/":               s.tmsMap,
		service + "/{map}/{z}":            s.tmsLevel,
		service + "/{map}/{z}/{x}/{tile}": s.tmsTile,
	}
}

// tmsAddress returns the address of the service for documents.
func (s *server) tmsAddress(r *http.Request) string {
	return s.baseURL(r) + "/tms/" + tms.Version + "/"
}

func (s *server) tmsMapAddress(r *http.Request, layerID string, grid tms.Grid) string {
	return s.tmsAddress(r) + url.PathEscape(tms.MapName(layerID, grid.ID()))
}

// tmsLink returns the address of the layer's first map, which usually has a well-known grid.
func (s *server) tmsLink(r *http.Request, l *layer.Layer, d *layer.Description) string {
	for _, set := range d.TileSets {
		if grid, ok := tmsGrid(set); ok {
			return s.tmsMapAddress(r, l.ID(), grid)
		}
	}
	return s.tmsAddress(r)
}

// tmsGrid returns the grid of a tile set if the standard can describe it.
func tmsGrid(set layer.TileSet) (tms.Grid, bool) {
	grid, ok := tms.GridOf(set.Set)
	if !ok {
		return grid, false
	}
	_, ok = grid.SRS()
	return grid, ok
}

func (s *server) tmsRoot(e *answer.Exchange, r *http.Request) error {
	e.SendDocument(r, tms.MIME, tms.Root(s.Service.Title, s.tmsAddress(r)))
	return nil
}

// tmsService lists a map for each layer and each grid that shows it. If they do not fit, it lists
// the first grid of as many layers as fit.
func (s *server) tmsService(e *answer.Exchange, r *http.Request) error {
	excerpt, err := s.excerpt(r, layer.AnyPlacement)
	if err != nil {
		return err
	}
	key := fmt.Sprintf("tms\n%s%s\n%d", s.baseURL(r), excerpt.suffix(), excerpt.ChangedAt.UnixNano())
	return s.sendCachedDocument(e, r, tms.MIME, key, func(w io.Writer) error {
		_, err := w.Write(s.tmsServiceOf(r, excerpt).Document())
		return err
	})
}

func (s *server) tmsServiceOf(r *http.Request, of *excerpt) tms.Service {
	service := tms.Service{
		Root: s.baseURL(r) + "/tms/", Title: s.Service.Title, Abstract: s.Service.Abstract, Keywords: s.Service.Keywords,
		Person: s.Service.Contact, Organization: s.Service.Provider, Mail: s.Service.Email,
	}
	all := s.tmsMapsOf(r, of, math.MaxInt)
	if service.Maps = slices.Concat(all...); of.IsLast() && tms.Bytes(service.Maps) <= maxTMSMapsBytes {
		return service
	}
	some := s.tmsMapsOf(r, of, 1)
	for bytes := tms.Bytes(slices.Concat(some...)); bytes > maxTMSMapsBytes && len(some) > 1; {
		bytes -= tms.Bytes(some[len(some)-1])
		some = some[:len(some)-1]
	}
	service.Maps = slices.Concat(some...)
	service.Remark = of.remark(len(some), s.tmsAddress(r), of.Layers[max(len(some)-1, 0)].ID()) +
		" Most layers have maps in more grids, which are named LAYER@GRID."
	return service
}

// tmsMapsOf returns the maps of each layer of an excerpt, at most maxMaps for a layer.
func (s *server) tmsMapsOf(r *http.Request, of *excerpt, maxMaps int) [][]tms.Reference {
	all := make([][]tms.Reference, len(of.Layers))
	for i, l := range of.Layers {
		all[i] = s.tmsMaps(r, l)
		all[i] = all[i][:min(len(all[i]), maxMaps)]
	}
	return all
}

// maxTMSMapsBytes leaves room for the rest of the document.
const maxTMSMapsBytes = maxDocumentBytes - 20_000

// tmsMaps returns the maps of a layer, the one with the best-known grid first.
func (s *server) tmsMaps(r *http.Request, l *layer.Layer) []tms.Reference {
	var maps []tms.Reference
	for _, set := range l.Describe().TileSets {
		if grid, ok := tmsGrid(set); ok {
			srs, _ := grid.SRS()
			maps = append(maps, tms.Reference{
				Title: l.Title() + " (" + grid.ID() + ")", SRS: srs, Profile: grid.Profile(), Address: s.tmsMapAddress(r, l.ID(), grid),
			})
		}
	}
	return maps
}

// tmsLayer is a layer in a grid.
type tmsLayer struct {
	layer *layer.Layer
	set   layer.TileSet
	grid  tms.Grid
}

// findTMSMap returns the layer and the grid of a map's name.
func (s *server) findTMSMap(e *answer.Exchange, name string) (*tmsLayer, error) {
	layerID, tileSetID, ok := tms.ParseMapName(name)
	if !ok {
		return nil, answer.NotFound("there is no map %q; maps are named like layer@WebMercatorQuad", name)
	}
	e.Layer = layerID
	l, err := s.Catalog.Layer(layerID)
	if err != nil {
		return nil, err
	}
	for _, set := range l.Describe().TileSets {
		if set.Set.ID != tileSetID {
			continue
		}
		if grid, ok := tmsGrid(set); ok {
			return &tmsLayer{l, set, grid}, nil
		}
	}
	return nil, answer.NotFound("the layer has no map in %q here", tileSetID)
}

func (s *server) tmsMap(e *answer.Exchange, r *http.Request) error {
	found, err := s.findTMSMap(e, request.PathValue(r, "map"))
	if err != nil {
		return err
	}
	p := request.ParametersOf(r)
	format := p.Format()
	if p.Err != nil {
		return p.Err
	}
	document := tms.TileMap{
		Service: s.tmsAddress(r), Address: s.tmsMapAddress(r, found.layer.ID(), found.grid),
		Title: found.layer.Title(), Abstract: found.layer.Abstract(), Attribution: found.layer.Attribution(),
		MIME: format.MIME(), Extension: format.Extension(), Grid: found.grid, MaxLevel: found.set.MaxZoom,
	}
	e.SendDocument(r, tms.MIME, document.Document())
	return nil
}

// tmsLevel answers at the address of a level with the document of its map. The standard defines no
// document there, but clients request it.
func (s *server) tmsLevel(e *answer.Exchange, r *http.Request) error {
	found, err := s.findTMSMap(e, request.PathValue(r, "map"))
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
	return s.tmsMap(e, r)
}

func (s *server) tmsTile(e *answer.Exchange, r *http.Request) error {
	found, err := s.findTMSMap(e, request.PathValue(r, "map"))
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
	return s.tilePicture(e, r, request.ParametersOf(r).Allow("empty", "return_mask", "wait"), layer.Request{Layer: found.layer.ID(), Area: found.area(id, area.Scale), Format: format})
}

// area returns the area of a tile of the grid. The grid may have tiles that the set lacks; they are
// empty boxes.
func (f *tmsLayer) area(id geo.TileID, scale int) layer.Area {
	set := f.set.Set
	if set.Contains(id) {
		return layer.TileArea{TileSet: set.ID, Tile: id, Scale: scale}
	}
	bounds, side := set.Bounds(id), f.grid.TileSide()*scale
	if set.CRS == nil { // image rows count downward
		bounds.MinY, bounds.MaxY = -bounds.MaxY, -bounds.MinY
	}
	return layer.BoxArea{CRS: set.CRS, Bounds: bounds, Width: side, Height: side}
}
