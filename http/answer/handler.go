package answer

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"tileserver/layer"
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
		send(e, r, WhyCanceled(r, err))
		return nil
	}
}

// WhyCanceled returns the cause for which the server canceled a request, if that is the reason of
// err, and otherwise err itself.
func WhyCanceled(r *http.Request, err error) error {
	var cause *layer.Error
	if FailureOf(err).Code != string(layer.Canceled) || !errors.As(context.Cause(r.Context()), &cause) {
		return err
	}
	told := *cause
	told.Err = err
	return &told
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
