package http

import (
	"maps"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"tileserver/http/answer"
	"tileserver/http/api"
	"tileserver/http/deepzoom"
	"tileserver/http/iiif"
	"tileserver/http/ogc"
	"tileserver/http/serve"
	"tileserver/http/tms"
	"tileserver/http/wmts"
	"tileserver/http/zoomify"
)

// NewHandler returns the handler of all public routes.
func NewHandler(config Config) http.Handler {
	config = config.withDefaults()
	config.Client = identifyClients(config.Clients.Header, config.TrustedProxies)
	s := serve.New(config.Config, config.Metrics)
	router := chi.NewRouter()
	router.Use(
		observer{config.Logger, levelOfAccess, config.AccessLog, config.SlowRequest, config.Metrics}.observe,
		limitSending(config.Sending),
		recoverPanics,
		allowCORS,
		limitAddress,
		limitClients(config.Clients, config.TrustedProxies),
		redirectExtraSlashes(s, router),
		verifySignatures(config.SigningKeys),
		limitRequests(config.Requests, config.MaxRequests),
		limitTime(config.RequestTimeout),
	)
	router.NotFound(handle(publicRouteNotFound(s.BasePath)))
	router.MethodNotAllowed(handle(methodNotAllowed))
	addRoutes(router, routes(s))
	return trustProxies(config.TrustedProxies, routeMatcher(s.BasePath, router))(mountAt(s.BasePath, router))
}

// routes returns the handlers of all public routes by their patterns.
func routes(s *serve.Server) map[string]answer.Handler {
	all := make(map[string]answer.Handler)
	for _, of := range []map[string]answer.Handler{
		pageRoutes(), api.Routes(s), wmts.Routes(s), tms.Routes(s), iiif.Routes(s), deepzoom.Routes(s), zoomify.Routes(s),
	} {
		for pattern, h := range of {
			all[pattern] = answer.RequireSegments(h)
		}
	}
	maps.Copy(all, ogc.Routes(s)) // rejects empty segments in its own format
	return all
}

// addRoutes adds handlers by their patterns. HEAD is answered like GET.
func addRoutes(router chi.Router, routes map[string]answer.Handler) {
	for pattern, h := range routes {
		router.Get(pattern, handle(h))
		router.Head(pattern, handle(h))
	}
}

// handle turns h into an http.HandlerFunc. It records the route and the layer for the log and
// the metrics, because only a matched request has them.
func handle(h answer.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		e := answer.ExchangeOf(w)
		e.Route, e.Layer = r.Pattern, r.PathValue("layer")
		if err := h(e, r); err != nil {
			e.Fail(r, answer.WhyCanceled(r, err))
		}
	}
}

// publicRouteNotFound returns answer.RouteNotFound with a hint for addresses of the operators'
// listener.
func publicRouteNotFound(base string) answer.Handler {
	return func(e *answer.Exchange, r *http.Request) error {
		switch strings.TrimPrefix(r.URL.Path, base) {
		case "/healthz", "/readyz", "/metrics":
			return answer.NotFound("no such address; health and metrics are on the listener for operators (--admin-listen)")
		}
		return answer.RouteNotFound(e, r)
	}
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
func routeMatcher(base string, routes chi.Routes) func(path string) bool {
	return func(path string) bool {
		return path == base || isRoute(routes, path) || isRoute(routes, strings.TrimPrefix(path, base))
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
