package http

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/go-chi/chi/v5"

	"tileserver/http/answer"
)

// NewHandler returns the handler of all public routes.
func NewHandler(config Config) http.Handler {
	s := newServer(config)
	router := chi.NewRouter()
	router.Use(
		observer{s.Logger, levelOfAccess, s.AccessLog, s.SlowRequest, s.Metrics}.observe,
		limitSendTime(s.SendTimeout),
		recoverPanics,
		allowCORS,
		limitAddress,
		s.redirectExtraSlashes(router),
		limitRequests(s.MaxRequests),
		limitTime(s.RequestTimeout),
	)
	router.NotFound(handle(s.publicRouteNotFound))
	router.MethodNotAllowed(handle(methodNotAllowed))
	for pattern, h := range s.routes() {
		router.Get(pattern, handle(h))
		router.Head(pattern, handle(h))
	}
	return trustProxies(s.TrustedProxies, s.routeMatcher(router))(mountAt(s.BasePath, router))
}

// server answers public requests.
type server struct {
	Config
	configDigest string                   // digest of the configuration that documents repeat
	cachedLayers atomic.Pointer[layerSet] // the last result of layerSet
}

func newServer(config Config) *server {
	s := &server{Config: config.withDefaults()}
	s.configDigest = answer.ETagOf(fmt.Appendf(nil, "%q %v", s.Service, s.Versioned))
	return s
}

// routes returns the handlers of all public routes by their patterns.
func (s *server) routes() map[string]answer.Handler {
	routes := map[string]answer.Handler{
		"/colormaps":                          colorMaps(),
		"/layers":                             s.layers,
		"/layers/{layer}":                     s.layer,
		"/layers/{layer}/tilejson.json":       s.tileJSON,
		"/layers/{layer}/statistics":          s.statistics,
		"/layers/{layer}/legend.json":         s.legendJSON,
		"/layers/{layer}/legend.png":          s.legendPicture,
		"/layers/{layer}/point/{place}":       s.point,
		"/layers/{layer}/view.{ext}":          s.view,
		"/layers/{layer}/preview.{ext}":       s.preview,
		"/tiles/{layer}/{z}/{x}/{tile}":       s.tile,
		"/tiles/{layer}/{tms}/{z}/{x}/{tile}": s.tile,
	}
	for _, of := range []map[string]answer.Handler{pageRoutes(), s.wmtsRoutes(), s.tmsRoutes(), s.iiifRoutes(), s.deepZoomRoutes(), s.zoomifyRoutes()} {
		maps.Copy(routes, of)
	}
	for pattern, h := range routes {
		routes[pattern] = answer.RequireSegments(h)
	}
	maps.Copy(routes, s.ogcRoutes())
	return routes
}

// handle turns h into an http.HandlerFunc. It records the route and the layer for the log and
// the metrics, because only a matched request has them.
func handle(h answer.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		e := answer.ExchangeOf(w)
		e.Route, e.Layer = r.Pattern, r.PathValue("layer")
		if err := h(e, r); err != nil {
			e.Fail(r, err)
		}
	}
}

// publicRouteNotFound is answer.RouteNotFound with a hint for addresses of the operators' listener.
func (s *server) publicRouteNotFound(e *answer.Exchange, r *http.Request) error {
	switch strings.TrimPrefix(r.URL.Path, s.BasePath) {
	case "/healthz", "/readyz", "/metrics":
		return answer.NotFound("no such address; health and metrics are on the listener for operators (--admin-listen)")
	}
	return answer.RouteNotFound(e, r)
}

func methodNotAllowed(e *answer.Exchange, _ *http.Request) error {
	e.Header().Set("Allow", allowedMethods)
	return &answer.Failure{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed", Message: "method not allowed; use " + allowedMethods}
}

// isRoute reports whether a route matches path.
func isRoute(routes chi.Routes, path string) bool {
	return routes.Match(chi.NewRouteContext(), http.MethodGet, path)
}

// routeMatcher returns a function that reports whether a route matches a path, with or without
// the base path.
func (s *server) routeMatcher(routes chi.Routes) func(path string) bool {
	return func(path string) bool {
		return path == s.BasePath || isRoute(routes, path) || isRoute(routes, strings.TrimPrefix(path, s.BasePath))
	}
}

// mountAt serves router at base and at the root. If no route matches below base, the path stays
// as it is: a proxy may have cut base off an address such as /tiles/tiles/….
func mountAt(base string, router chi.Router) http.Handler {
	if base == "" {
		return router
	}
	stripped := http.StripPrefix(base, router)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == base: // the links of the HTML page are relative to a folder
			http.Redirect(w, r, base+"/", http.StatusPermanentRedirect)
		case strings.HasPrefix(r.URL.Path, base+"/") && isRoute(router, strings.TrimPrefix(r.URL.Path, base)):
			stripped.ServeHTTP(w, r)
		default:
			router.ServeHTTP(w, r)
		}
	})
}
