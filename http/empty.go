package http

import (
	"net/http"

	"tileserver/http/answer"
	"tileserver/http/empty"
	"tileserver/http/request"
	"tileserver/layer"
)

// Viewers need different answers for an empty tile: Leaflet takes a 204 for an error, MapLibre
// takes a 404 as the instruction to enlarge the tile of the next coarser zoom. A blank picture
// suits all of them but costs bytes.

// emptyAnswer returns the answer for empty tiles of a layer: that of the request, of the layer, or
// of the server, in this order.
func (s *server) emptyAnswer(p *request.Parameters, id string) (layer.EmptyAnswer, error) {
	if text := p.Text("empty"); text != "" {
		requested, err := empty.Parse(text)
		if err != nil {
			p.Reject("empty: %v", err)
		}
		return requested, p.Err
	}
	l, err := s.Catalog.Layer(id)
	if err != nil {
		return layer.EmptyBlank, err
	}
	if own := l.Empty(); own != layer.EmptyUnset {
		return own, nil
	}
	if s.Empty != layer.EmptyUnset {
		return s.Empty, nil
	}
	return layer.EmptyBlank, nil
}

// sendEmpty answers for an empty tile without a picture, with the cache control of a picture.
func sendEmpty(e *answer.Exchange, r *http.Request, options sendOptions) {
	if options.empty == layer.EmptyNothing {
		e.Header().Set("Cache-Control", options.cacheControl)
		e.Begin(http.StatusNoContent, 0)
		return
	}
	empty := answer.Failure{Code: "empty", Message: "the tile is empty"}
	e.Send(r, http.StatusNotFound, answer.Content{Body: empty.Document(), MIME: answer.MIMEJSON, CacheControl: options.cacheControl})
}
