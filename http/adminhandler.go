package http

import (
	"log/slog"
	"net/http"
	"net/http/pprof"
	"os"
	"time"

	"github.com/go-chi/chi/v5"

	"tileserver/http/admin"
	"tileserver/http/answer"
)

// AdminConfig configures the handler for operators.
type AdminConfig struct {
	admin.Config

	Logger  *slog.Logger // nil discards
	Metrics *Metrics     // nil serves no metrics

	// Hosts are names under which operators call the listener, besides addresses, localhost, and
	// names without a dot.
	Hosts []string
}

// sendingToOperators has no bound of bytes, so that operators are answered when clients are not.
func sendingToOperators() *answer.Sending {
	return answer.NewSending(answer.SendingConfig{MinRate: 16 << 10, Allowance: 10 * time.Second})
}

// NewAdminHandler returns the handler for operators. It exposes internals, so it belongs on a
// listener that the public cannot reach.
func NewAdminHandler(config AdminConfig) http.Handler {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	router := chi.NewRouter()
	router.Use(
		observer{logger: config.Logger, level: levelOfProbes, access: AccessLogAll}.observe,
		limitSending(sendingToOperators()),
		recoverPanics,
		requireHost(config.Hosts),
	)
	router.NotFound(handle(answer.RouteNotFound))
	addRoutes(router, admin.Routes(config.Config))
	for pattern, h := range admin.Actions(config.Config) {
		router.With(http.NewCrossOriginProtection().Handler).Post(pattern, handle(h)) // no page of another site may send them
	}
	if config.Metrics != nil {
		router.Handle("/metrics", config.Metrics.handler())
	}
	router.HandleFunc("/debug/pprof/*", pprof.Index)
	router.HandleFunc("/debug/pprof/cmdline", programName)
	router.HandleFunc("/debug/pprof/profile", pprof.Profile)
	router.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	router.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return router
}

// programName answers where Go's profiles have the command line. Its arguments may be signed addresses.
func programName(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(os.Args[0])) // who asks may have left
}
