package http

import (
	"net/http"

	"tileserver/layer"
)

// What viewers make of a tile without anything to see: Leaflet takes an empty answer for an
// error, and MapLibre a 404 for one to be made of the tile above it. A blank picture is
// right for all, and costs bytes.

// emptyAnswer is what is to be answered where a layer shows nothing: as the request says,
// or the layer, or the server.
func (s *server) emptyAnswer(p *parameters, id string) (layer.EmptyAnswer, error) {
	if text := p.text("empty"); text != "" {
		empty, err := layer.ParseEmptyAnswer(text)
		if err != nil {
			p.refuse("empty: %v", err)
		}
		return empty, p.err
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

// sendEmpty says without a picture that there is nothing to see. That may be kept for as
// long as a picture.
func (e *exchange) sendEmpty(r *http.Request, empty layer.EmptyAnswer, cacheControl string) {
	if empty == layer.EmptyNoContent {
		e.Header().Set("Cache-Control", cacheControl)
		e.begin(http.StatusNoContent, 0)
		return
	}
	body := errorBody("empty", "there is nothing to see in this tile")
	e.send(r, http.StatusNotFound, content{body: body, mime: mimeJSON, cacheControl: cacheControl})
}
