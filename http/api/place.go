package api

import (
	"net/http"
	"net/url"

	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/tilesets"
)

// finder finds the layers of requests.
type finder interface {
	// find returns the layer of a request.
	find(r *http.Request) (serve.Layer, error)
	// placeOf returns where the addresses of a layer lie, for the client of a request.
	placeOf(r *http.Request, l *layer.Layer) place
}

// place is where the addresses of a layer lie.
type place struct {
	layer, tiles string // what they begin with
	query        string // that each of them has, or ""

	hasProtocols bool // whether other protocols have the layer, too
}

// layerOf returns the layer of a request whose answer is not cached by its date.
func (s *service) layerOf(r *http.Request) (*layer.Layer, error) {
	found, err := s.find(r)
	return found.Layer, err
}

// at returns an address of the layer, with a query or none.
func (p place) at(rest, query string) string {
	return withQuery(p.layer+rest, joinQueries(p.query, query))
}

// tilesTemplate returns the template of the layer's tiles. It is short for the default tile matrix
// set, which every map viewer knows.
func (p place) tilesTemplate(tileSetID, extension, query string) string {
	prefix := p.tiles
	if tileSetID != tilesets.DefaultID {
		prefix += "/" + tileSetID
	}
	return withQuery(prefix+"/{z}/{x}/{y}."+extension, joinQueries(p.query, query))
}

// withQuery appends a query to an address, unless it is empty.
func withQuery(address, query string) string {
	if query == "" {
		return address
	}
	return address + "?" + query
}

func joinQueries(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "&" + b
}

// byID finds layers by the ids in paths.
type byID struct{ *serve.Server }

func (s byID) find(r *http.Request) (serve.Layer, error) {
	return s.Layer(r.Context(), request.PathValue(r, "layer"))
}

func (s byID) placeOf(r *http.Request, l *layer.Layer) place {
	base, id := s.BaseURL(r), url.PathEscape(l.ID())
	return place{layer: base + "/layers/" + id, tiles: base + "/tiles/" + id, hasProtocols: true}
}
