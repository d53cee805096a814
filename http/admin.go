package http

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"runtime"

	"github.com/go-chi/chi/v5"

	"tileserver/layer"
)

// AdminConfig configures the handler for operators.
type AdminConfig struct {
	Catalog *layer.Catalog
	Logger  *slog.Logger // nil discards
	Metrics *Metrics     // nil serves no metrics

	// Ready returns why the server should not get requests yet; nil means always ready.
	Ready func(context.Context) error

	// Version, Revision and Modified describe the build: its version, its commit, and whether
	// the sources differed from that commit.
	Version, Revision string
	Modified          bool
}

// NewAdminHandler returns the handler for operators. It exposes internals, so it belongs on a
// listener that the public cannot reach.
func NewAdminHandler(config AdminConfig) http.Handler {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	a := &admin{config}
	router := chi.NewRouter()
	router.Use(observer{logger: config.Logger, level: levelOfProbes, access: AccessLogAll}.observe, limitSendTime(DefaultSendTimeout), recoverPanics)
	router.NotFound(handle(routeNotFound))
	for pattern, h := range a.routes() {
		router.Get(pattern, handle(h))
		router.Head(pattern, handle(h))
	}
	if config.Metrics != nil {
		router.Handle("/metrics", config.Metrics.handler())
	}
	router.HandleFunc("/debug/pprof/*", pprof.Index)
	router.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	router.HandleFunc("/debug/pprof/profile", pprof.Profile)
	router.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	router.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return router
}

// admin answers requests of operators.
type admin struct{ AdminConfig }

func (a *admin) routes() map[string]handler {
	return map[string]handler{
		"/healthz":                              a.healthy,
		"/readyz":                               a.ready,
		"/debug/cache":                          a.cache,
		"/debug/version":                        a.version,
		"/debug/plan/{layer}/{tms}/{z}/{x}/{y}": a.plan,
	}
}

// healthy reports that the process is alive.
func (a *admin) healthy(e *exchange, r *http.Request) error {
	e.send(r, http.StatusOK, content{body: []byte("ok\n"), mime: "text/plain; charset=utf-8", cacheControl: "no-store"})
	return nil
}

func (a *admin) ready(e *exchange, r *http.Request) error {
	if a.Ready == nil {
		return a.healthy(e, r)
	}
	if err := a.Ready(r.Context()); err != nil {
		return &failure{status: http.StatusServiceUnavailable, code: "not_ready", message: err.Error(), inner: err}
	}
	return a.healthy(e, r)
}

// versionDocument describes the running build.
type versionDocument struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified"` // since the revision
}

func (a *admin) version(e *exchange, r *http.Request) error {
	e.sendJSON(r, versionDocument{Version: a.Version, Go: runtime.Version(), Revision: a.Revision, Modified: a.Modified})
	return nil
}
