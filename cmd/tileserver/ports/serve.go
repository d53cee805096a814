package ports

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = time.Minute // including a body, which no handler needs
	maxHeaderBytes    = 16 << 10
	idleTimeout       = 2 * time.Minute
	shutdownTimeout   = 15 * time.Second
)

// Serve answers requests until ctx ends or a port fails, then lets the requests in progress finish.
// The logger gets the errors of connections.
func (p Ports) Serve(ctx context.Context, public, admin http.Handler, logger *slog.Logger) error {
	var servers []*http.Server
	failed := make(chan error, 2) // as many as there may be servers
	start := func(l net.Listener, handler http.Handler) {
		s := newServer(handler, logger)
		servers = append(servers, s)
		go func() { failed <- s.Serve(l) }()
	}
	start(p.Public, public)
	if p.Admin != nil {
		start(p.Admin, admin)
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	for _, s := range servers {
		err = errors.Join(err, s.Shutdown(stopping))
	}
	return err
}

func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, IdleTimeout: idleTimeout,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
