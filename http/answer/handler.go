package answer

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// Handler answers a route. The error that it returns is sent, unless the response has begun.
type Handler func(e *Exchange, r *http.Request) error

// WithErrors returns h with its errors sent by send, in the format of a protocol.
func WithErrors(h Handler, send func(e *Exchange, r *http.Request, err error)) Handler {
	return func(e *Exchange, r *http.Request) error {
		err := h(e, r)
		if err == nil || e.Status != 0 {
			return err
		}
		send(e, r, err)
		return nil
	}
}

// RequireSegments rejects an address with an empty segment: an empty style, say, is not the default
// style.
func RequireSegments(h Handler) Handler {
	return func(e *Exchange, r *http.Request) error {
		parameters := chi.RouteContext(r.Context()).URLParams
		for i, value := range parameters.Values {
			if value == "" && parameters.Keys[i] != "*" {
				return RouteNotFound(e, r)
			}
		}
		return h(e, r)
	}
}

// RouteNotFound answers an address without a route.
func RouteNotFound(*Exchange, *http.Request) error { return NotFound("no such address") }
