package main

import (
	"cmp"
	"context"
	"fmt"

	"tileserver/cmd/tileserver/ports"
	"tileserver/web"

	tilehttp "tileserver/http"
)

// run serves until ctx ends, then lets requests finish.
func (s *server) run(ctx context.Context, at ports.Ports) error {
	build := builtFrom()
	s.logger.Info("serving", "maps", "http://"+at.Public.Addr().String(), "admin", at.AdminAddress(),
		"layers", len(s.catalog.Layers()), "skipped", s.skipped, "cache", s.config.Cache.String(), "in_flight", s.config.InFlight.String(),
		"rendering", s.config.Rendering.String(), "workers", s.config.Workers, "version", build.version)
	if _, isBuilt := web.Viewer(); !isBuilt {
		s.logger.Info("serving a plain page, the viewer was not built; make viewer or make build adds it")
	}
	if s.greeting != "" {
		fmt.Fprintf(s.program.stdout, s.greeting, ports.BrowserURL(at.Public.Addr()))
	}
	if s.program.listening != nil {
		s.program.listening(at.Public.Addr().String(), at.AdminAddress())
	}
	admin := tilehttp.NewAdminHandler(tilehttp.AdminConfig{
		Catalog: s.catalog, Logger: s.logger, Metrics: s.metrics,
		Version: build.version, Revision: build.commit, Modified: build.modified,
		Ready: func(context.Context) error { return cmp.Or(ctx.Err(), s.ready()) },
	})
	err := at.Serve(ctx, &s.public, admin, s.logger)
	if err == nil {
		s.logger.Info("stopped")
	}
	return err
}
