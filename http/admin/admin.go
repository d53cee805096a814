// Package admin answers requests of operators: health, the state of the caches, the build, and what
// rendering a tile would read. Package http calls Routes, for the listener of operators only, because
// the answers expose internals. The package must never know a protocol of maps, nor open a file.
package admin

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"tileserver/http/answer"
	"tileserver/layer"
)

// Config configures the handlers for operators.
type Config struct {
	Catalog *layer.Catalog

	// Ready returns why the server should not get requests yet; nil means always ready.
	Ready func(context.Context) error

	// Problems returns what does not work although the server is ready, a line each; nil means nothing.
	Problems func() []string

	// Rescan scans the folders now; nil means that there are none.
	Rescan func(context.Context) (Rescanned, error)

	// Device tells what the GPU does; nil means that there is none.
	Device func() DeviceStats

	// Patience is how long no picture may be finished while others wait, before the server counts as
	// stuck; 0 is without limit.
	Patience time.Duration

	// Version, Revision and Modified describe the build: its version, its commit, and whether
	// the sources differed from that commit.
	Version, Revision string
	Modified          bool
}

// service has the handlers.
type service struct {
	Config
	watchdog watchdog
}

// Routes returns the routes for operators.
func Routes(config Config) map[string]answer.Handler {
	a := &service{Config: config, watchdog: watchdog{patience: config.Patience}}
	return map[string]answer.Handler{
		"/healthz":                              a.healthy,
		"/readyz":                               a.ready,
		"/debug/cache":                          a.cache,
		"/debug/version":                        a.version,
		"/debug/plan/{layer}/{tms}/{z}/{x}/{y}": a.plan,
	}
}

// healthy reports that the process is alive, unless it is stuck.
func (a *service) healthy(e *answer.Exchange, r *http.Request) error {
	if err := a.watchdog.check(a.Catalog.Stats()); err != nil {
		return &answer.Failure{Status: http.StatusServiceUnavailable, Code: "stuck", Message: err.Error()}
	}
	e.Send(r, http.StatusOK, answer.Content{Body: []byte("ok\n"), MIME: "text/plain; charset=utf-8", CacheControl: "no-store"})
	return nil
}

func (a *service) ready(e *answer.Exchange, r *http.Request) error {
	if a.Ready == nil {
		return a.healthy(e, r)
	}
	if err := a.Ready(r.Context()); err != nil {
		return &answer.Failure{Status: http.StatusServiceUnavailable, Code: "not_ready", Message: err.Error()}
	}
	text := "ok\n"
	if a.Problems != nil {
		for _, problem := range a.Problems() {
			text += problem + "\n"
		}
	}
	e.Send(r, http.StatusOK, answer.Content{Body: []byte(text), MIME: "text/plain; charset=utf-8", CacheControl: "no-store"})
	return nil
}

// versionDocument describes the running build.
type versionDocument struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified"` // since the revision
}

func (a *service) version(e *answer.Exchange, r *http.Request) error {
	e.SendJSON(r, versionDocument{Version: a.Version, Go: runtime.Version(), Revision: a.Revision, Modified: a.Modified})
	return nil
}
