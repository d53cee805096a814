package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	tilehttp "tileserver/http"
)

const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = time.Minute // with a body, which nothing here asks for
	maxHeaderBytes    = 16 << 10
	idleTimeout       = 2 * time.Minute
	shutdownTimeout   = 15 * time.Second
)

// run serves until ctx ends, and then lets requests finish.
func (s *server) run(ctx context.Context) error {
	public, err := net.Listen("tcp", s.config.Listen)
	if err != nil {
		return fmt.Errorf("maps (--listen): %w", err)
	}
	defer public.Close()
	servers := []*http.Server{newHTTPServer(&s.public, s.logger)}
	listeners := []net.Listener{public}
	adminAddress := ""
	if s.config.AdminListen != "" {
		admin, err := net.Listen("tcp", s.config.AdminListen)
		if err != nil {
			return fmt.Errorf("metrics and health (--admin-listen): %w", err)
		}
		defer admin.Close()
		adminAddress = admin.Addr().String()
		adminHandler := tilehttp.NewAdminHandler(tilehttp.AdminConfig{
			Catalog: s.catalog, Logger: s.logger, Metrics: s.metrics, Version: version(),
			Ready: func(context.Context) error { return cmp.Or(ctx.Err(), s.library.ready()) },
		})
		servers, listeners = append(servers, newHTTPServer(adminHandler, s.logger)), append(listeners, admin)
	}
	s.logger.Info("serving", "maps", "http://"+public.Addr().String(), "admin", adminAddress, "layers", len(s.catalog.Layers()), "version", version())
	if s.greeting != "" {
		fmt.Fprintf(s.program.stdout, s.greeting, public.Addr())
	}
	if s.program.listening != nil {
		s.program.listening(public.Addr().String(), adminAddress)
	}
	return serveAll(ctx, servers, listeners)
}

func newHTTPServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, IdleTimeout: idleTimeout,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// serveAll runs servers until ctx ends or one of them fails, and then shuts all
// of them down.
func serveAll(ctx context.Context, servers []*http.Server, listeners []net.Listener) error {
	failed := make(chan error, len(servers))
	for i, s := range servers {
		go func() { failed <- s.Serve(listeners[i]) }()
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
