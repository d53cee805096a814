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
)

// Config is what Serve needs besides the listeners.
type Config struct {
	Public, Admin http.Handler
	Stop          Stop
	Logger        *slog.Logger // gets the errors of connections, too
}

// Serve answers requests until ctx ends, then stops as the configuration says. If a port fails, it
// stops without draining. The admin port answers to the end.
func (p Ports) Serve(ctx context.Context, c Config) error {
	failed := make(chan error, 2) // as many as there may be servers
	start := func(s *http.Server, l net.Listener) {
		go func() { failed <- s.Serve(l) }()
	}
	public := newStoppable(ctx, c)
	start(public.Server, p.Public)
	if p.Admin != nil {
		admin := newServer(c.Admin, c.Logger)
		start(admin, p.Admin)
		defer shutDown(admin, adminGrace)
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = public.drain(failed)
	}
	return errors.Join(err, public.stop())
}

func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, IdleTimeout: idleTimeout,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
