package http

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
)

// tidyPaths leads to the address that is meant where a path has a slash too many: behind it, as
// in /layers/, or within it, as of a template that is put behind an address with a slash.
func (s *server) tidyPaths(routes chi.Routes) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if to, ok := s.tidied(r, routes); ok {
				w.Header().Set("Cache-Control", "no-cache") // the address has the host that this request was for
				http.Redirect(w, r, to, http.StatusPermanentRedirect)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// tidied is the address that is meant by one that has slashes too many. It is false where that
// is none of the server's. What stands before the server's own path may still be in it.
func (s *server) tidied(r *http.Request, routes chi.Routes) (address string, ok bool) {
	path := r.URL.Path
	hasGaps := strings.Contains(path, "//")
	if r.URL.RawPath != "" || !hasGaps && (!strings.HasSuffix(path, "/") || isAddress(routes, path)) {
		return "", false
	}
	tidy := withoutSlashes(path)
	for _, prefix := range []string{"", s.BasePath, forwardedOf(r).prefix} {
		rest, found := strings.CutPrefix(tidy, prefix)
		if found && isNamedAddress(routes, rest) {
			to := url.URL{Path: rest, RawQuery: r.URL.RawQuery}
			return s.baseURL(r) + to.String(), true
		}
	}
	return "", false
}

// isNamedAddress is isAddress without patterns that match any path, which are there to refuse it.
func isNamedAddress(routes chi.Routes, path string) bool {
	pattern := routes.Find(chi.NewRouteContext(), http.MethodGet, path)
	return pattern != "" && !strings.HasSuffix(pattern, "*")
}

// withoutSlashes is a path without slashes that stand beside another one, or at its end.
func withoutSlashes(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	return "/" + strings.Join(parts, "/")
}

// withoutGaps refuses an address of which a part is empty: an empty style, say, is none of a
// layer's styles, and not the one that it has by default.
func withoutGaps(a answer) answer {
	return func(e *exchange, r *http.Request) error {
		parameters := chi.RouteContext(r.Context()).URLParams
		for i, value := range parameters.Values {
			if value == "" && parameters.Keys[i] != "*" {
				return noSuchPage(e, r)
			}
		}
		return a(e, r)
	}
}
