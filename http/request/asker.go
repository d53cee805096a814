package request

import (
	"context"
	"net/http"

	"tileserver/access"
)

// askerKey is the context key of who asks.
type askerKey struct{}

// WithAsker returns r as asked by an asker. Without it, a stranger asks.
func WithAsker(r *http.Request, asker access.Asker) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), askerKey{}, asker))
}

// AskerOf returns who asks.
func AskerOf(r *http.Request) access.Asker {
	asker, _ := r.Context().Value(askerKey{}).(access.Asker)
	return asker
}
