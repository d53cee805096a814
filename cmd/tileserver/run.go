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
	"tileserver/web"
)

const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = time.Minute // including a body, which no handler needs
	maxHeaderBytes    = 16 << 10
	idleTimeout       = 2 * time.Minute
	shutdownTimeout   = 15 * time.Second
)

// ports holds the listeners of a server. They are opened before any file, so that a port in use is
// reported at once.
type ports struct{ public, admin net.Listener } // admin may be nil

func (c *config) listen() (p ports, err error) {
	if p.public, err = net.Listen("tcp", c.Listen); err != nil {
		return ports{}, whyNoPort(err, c.Listen, "--listen")
	}
	if c.AdminListen == "" {
		return p, nil
	}
	if p.admin, err = net.Listen("tcp", c.AdminListen); err != nil {
		p.close()
		return ports{}, whyNoPort(err, c.AdminListen, "--admin-listen")
	}
	return p, nil
}

// close closes the listeners. Closing one twice is harmless.
func (p ports) close() {
	for _, l := range []net.Listener{p.public, p.admin} {
		if l != nil {
			l.Close()
		}
	}
}

// run serves until ctx ends, then lets requests finish.
func (s *server) run(ctx context.Context, at ports) error {
	servers := []*http.Server{newHTTPServer(&s.public, s.logger)}
	listeners := []net.Listener{at.public}
	adminAddress, build := "", builtFrom()
	if at.admin != nil {
		adminAddress = at.admin.Addr().String()
		adminHandler := tilehttp.NewAdminHandler(tilehttp.AdminConfig{
			Catalog: s.catalog, Logger: s.logger, Metrics: s.metrics,
			Version: build.version, Revision: build.commit, Modified: build.modified,
			Ready: func(context.Context) error { return cmp.Or(ctx.Err(), s.library.ready()) },
		})
		servers, listeners = append(servers, newHTTPServer(adminHandler, s.logger)), append(listeners, at.admin)
	}
	s.logger.Info("serving", "maps", "http://"+at.public.Addr().String(), "admin", adminAddress,
		"layers", len(s.catalog.Layers()), "skipped", s.skipped, "cache", s.config.Cache.String(), "in_flight", s.config.InFlight.String(),
		"rendering", s.config.Rendering.String(), "workers", s.config.Workers, "version", build.version)
	if _, isBuilt := web.Viewer(); !isBuilt {
		s.logger.Info("serving a plain page, the viewer was not built; make viewer or make build adds it")
	}
	if s.greeting != "" {
		fmt.Fprintf(s.program.stdout, s.greeting, browserAddress(at.public.Addr()))
	}
	if s.program.listening != nil {
		s.program.listening(at.public.Addr().String(), adminAddress)
	}
	err := serveAll(ctx, servers, listeners)
	if err == nil {
		s.logger.Info("stopped")
	}
	return err
}

func newHTTPServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, IdleTimeout: idleTimeout,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// serveAll runs servers until ctx ends or one of them fails, then shuts all of them down.
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
