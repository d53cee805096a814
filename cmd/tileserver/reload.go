package main

import (
	"context"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"

	"tileserver/layer"

	tilehttp "tileserver/http"
)

// hangups are the signals that say to read the configuration again, from now on: they end the
// process no more, until stop is called. Where a system has none, none come.
func hangups() (signals <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c, func() { signal.Stop(c) }
}

// replaceable is a handler that another may take the place of while it answers.
type replaceable struct{ now atomic.Pointer[http.Handler] }

func (r *replaceable) replace(by http.Handler) { r.now.Store(&by) }

// ServeHTTP has the present handler answer.
func (r *replaceable) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	(*r.now.Load()).ServeHTTP(w, request)
}

// handler answers the public, as a configuration says.
func (s *server) handler(c config) (http.Handler, error) {
	origin, basePath, err := c.publicAddress()
	if err != nil {
		return nil, err
	}
	trusted, err := c.TrustedProxies.networks()
	if err != nil {
		return nil, err
	}
	empty, err := layer.ParseEmptyAnswer(c.Empty)
	if err != nil {
		return nil, err
	}
	return tilehttp.NewHandler(tilehttp.Config{
		Catalog: s.catalog, Logger: s.logger, Metrics: s.metrics,
		Origin: origin, BasePath: basePath, TrustedProxies: trusted,
		Service: tilehttp.Service(c.Service), Empty: empty, Versioned: c.Caching == cachingVersioned,
		RequestTimeout: c.RequestTimeout, MaxRequests: c.MaxRequests, CacheControl: c.CacheControl,
	}), nil
}

// reload reads the configuration again and looks into the folders, whether there is a file of
// it or not. What is wrong with it changes nothing.
func (s *server) reload(ctx context.Context, args []string) {
	c, err := s.program.servedConfig(args)
	if err == nil {
		err = s.apply(ctx, c)
	}
	if err != nil {
		s.logger.Error("the configuration stays as it was", "err", err)
		return
	}
	s.logger.Info("the configuration was read again", "layers", len(s.catalog.Layers()))
	if keys := s.config.lasting(c); len(keys) > 0 {
		s.logger.Warn("what was changed here takes a restart", "keys", keys)
	}
}

// apply has a configuration take the place of the present one.
func (s *server) apply(ctx context.Context, c config) error {
	handler, err := s.handler(c)
	if err != nil {
		return err
	}
	if err := s.library.apply(ctx, c); err != nil {
		return err
	}
	s.public.replace(handler)
	return nil
}

// lasting are the keys whose values another configuration has otherwise, and that a running
// server keeps.
func (c *config) lasting(other config) []string {
	differs := map[string]bool{
		"listen": c.Listen != other.Listen, "admin_listen": c.AdminListen != other.AdminListen,
		"cache": c.Cache != other.Cache, "in_flight": c.InFlight != other.InFlight, "rendering": c.Rendering != other.Rendering,
		"workers": c.Workers != other.Workers, "queue": c.Queue != other.Queue,
		"max_pixels": c.MaxPixels != other.MaxPixels, "state": c.State != other.State,
	}
	var keys []string
	for key, is := range differs {
		if is {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
