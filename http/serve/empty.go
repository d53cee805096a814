package serve

import (
	"cmp"
	"net/http"

	"tileserver/http/answer"
	"tileserver/layer"
)

// Viewers need different answers for an empty tile: Leaflet takes a 204 for an error, MapLibre
// takes a 404 as the instruction to enlarge the tile of the next coarser zoom. A blank picture
// suits all of them but costs bytes.

// emptyAnswer returns the first answer for an empty tile that is set: that of the request, of the
// layer, or of the server.
func (s *Server) emptyAnswer(requested, ofLayer layer.EmptyAnswer) layer.EmptyAnswer {
	return cmp.Or(requested, ofLayer, s.Empty, layer.EmptyBlank)
}

// sendEmpty answers for an empty tile without a picture, with the cache control of a picture.
func sendEmpty(e *answer.Exchange, r *http.Request, kind layer.EmptyAnswer, cacheControl string) {
	if kind == layer.EmptyNothing {
		e.Header().Set("Cache-Control", cacheControl)
		e.Begin(http.StatusNoContent)
		return
	}
	empty := answer.Failure{Code: "empty", Message: "the tile is empty"}
	e.Send(r, http.StatusNotFound, answer.Content{Body: empty.Document(), MIME: answer.MIMEJSON, CacheControl: cacheControl})
}
