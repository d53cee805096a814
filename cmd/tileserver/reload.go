package main

import (
	"context"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"tileserver/config"
	"tileserver/http/empty"
	"tileserver/library"

	tilehttp "tileserver/http"
)

// hangups returns the signals that ask for a reload. They do not end the process until stop is
// called. On systems without SIGHUP none arrive.
func hangups() (signals <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c, func() { signal.Stop(c) }
}

// replaceable is a handler that can be replaced while it answers requests.
type replaceable struct{ now atomic.Pointer[http.Handler] }

func (r *replaceable) replace(by http.Handler) { r.now.Store(&by) }

// ServeHTTP calls the current handler.
func (r *replaceable) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	(*r.now.Load()).ServeHTTP(w, request)
}

// handler returns the public handler for a configuration.
func (s *server) handler(c config.Config) (http.Handler, error) {
	origin, basePath, err := c.PublicAddress()
	if err != nil {
		return nil, err
	}
	trusted, err := c.TrustedProxies.Prefixes(tilehttp.PrivateNetworks())
	if err != nil {
		return nil, err
	}
	emptyAnswer, err := empty.Parse(c.Empty)
	if err != nil {
		return nil, err
	}
	return tilehttp.NewHandler(tilehttp.Config{
		Catalog: s.catalog, Documents: s.documents, Logger: s.logger, Metrics: s.metrics,
		Origin: origin, BasePath: basePath, TrustedProxies: trusted,
		Service: tilehttp.Service(c.Service), Empty: emptyAnswer, Versioned: c.Caching == config.CachingVersioned,
		AccessLog: accessLogNamed(c.AccessLog), SlowRequest: time.Duration(c.SlowRequest),
		RequestTimeout: time.Duration(c.RequestTimeout), MaxRequests: c.MaxRequests, CacheControl: c.CacheControl,
	}), nil
}

// reload reads the configuration again and scans the folders. A configuration with mistakes changes
// nothing. The last line it logs states the outcome.
func (s *server) reload(ctx context.Context, args []string) {
	c, desired, err := s.program.servedConfig(ctx, args, s.library)
	if err == nil {
		err = s.apply(ctx, c, desired)
	}
	if err != nil {
		s.logger.Error("config reload failed, keeping the current one", "err", err)
		return
	}
	if keys := s.config.ChangesForRestart(c); len(keys) > 0 {
		s.logger.Warn("changes need a restart", "keys", keys)
	}
	done := "config reloaded"
	if c.File() == "" {
		done = "folders scanned" // the options are as they were
	}
	s.logger.Info(done, "layers", len(s.catalog.Layers()))
}

// apply replaces the current configuration.
func (s *server) apply(ctx context.Context, c config.Config, desired library.Desired) error {
	handler, err := s.handler(c)
	if err != nil {
		return err
	}
	if err := s.library.Apply(ctx, desired); err != nil {
		return sortedMistakes(err)
	}
	s.public.replace(handler)
	s.catalog.NoteChange()
	s.level.Set(levelNamed(c.LogLevel))
	return nil
}
