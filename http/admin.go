package http

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"runtime"

	"github.com/go-chi/chi/v5"

	"tileserver/http/answer"
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
	router.NotFound(handle(answer.RouteNotFound))
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

func (a *admin) routes() map[string]answer.Handler {
	return map[string]answer.Handler{
		"/healthz":                              a.healthy,
		"/readyz":                               a.ready,
		"/debug/cache":                          a.cache,
		"/debug/version":                        a.version,
		"/debug/plan/{layer}/{tms}/{z}/{x}/{y}": a.plan,
	}
}

// healthy reports that the process is alive.
func (a *admin) healthy(e *answer.Exchange, r *http.Request) error {
	e.Send(r, http.StatusOK, answer.Content{Body: []byte("ok\n"), MIME: "text/plain; charset=utf-8", CacheControl: "no-store"})
	return nil
}

func (a *admin) ready(e *answer.Exchange, r *http.Request) error {
	if a.Ready == nil {
		return a.healthy(e, r)
	}
	if err := a.Ready(r.Context()); err != nil {
		return &answer.Failure{Status: http.StatusServiceUnavailable, Code: "not_ready", Message: err.Error(), Inner: err}
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

func (a *admin) version(e *answer.Exchange, r *http.Request) error {
	e.SendJSON(r, versionDocument{Version: a.Version, Go: runtime.Version(), Revision: a.Revision, Modified: a.Modified})
	return nil
}
