package http

import (
	"net/http"
	"net/url"
	"strings"

	"tileserver/http/serve"

	"github.com/go-chi/chi/v5"
)

// redirectExtraSlashes redirects paths with superfluous slashes to the intended address. Clients
// write /layers/, or append a template to a base address that ends with a slash.
func redirectExtraSlashes(s *serve.Server, routes chi.Routes) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if to, ok := withoutExtraSlashes(s, r, routes); ok {
				w.Header().Set("Cache-Control", "no-cache") // the location contains the host of this request
				http.Redirect(w, r, to, http.StatusPermanentRedirect)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// withoutExtraSlashes returns the intended address of a path with superfluous slashes. ok is false
// if no route matches it. The path may still begin with the prefix of a proxy.
func withoutExtraSlashes(s *serve.Server, r *http.Request, routes chi.Routes) (address string, ok bool) {
	path := r.URL.Path
	hasDoubleSlash := strings.Contains(path, "//")
	if r.URL.RawPath != "" || !hasDoubleSlash && (!strings.HasSuffix(path, "/") || isRoute(routes, path)) {
		return "", false
	}
	collapsed := collapseSlashes(path)
	for _, prefix := range []string{"", s.BasePath, serve.ForwardedOf(r).Prefix} {
		rest, found := strings.CutPrefix(collapsed, prefix)
		if found && isSpecificRoute(routes, rest) {
			to := url.URL{Path: rest, RawQuery: r.URL.RawQuery}
			return s.BaseURL(r) + to.String(), true
		}
	}
	return "", false
}

// isSpecificRoute is isRoute without the catch-all patterns, which exist to reject requests.
func isSpecificRoute(routes chi.Routes, path string) bool {
	pattern := routes.Find(chi.NewRouteContext(), http.MethodGet, path)
	return pattern != "" && !strings.HasSuffix(pattern, "*")
}

// collapseSlashes returns a path without repeated and trailing slashes.
func collapseSlashes(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	return "/" + strings.Join(parts, "/")
}
