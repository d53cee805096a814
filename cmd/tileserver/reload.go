package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"tileserver/config"
	"tileserver/http/admin"
	"tileserver/library"
)

// hangups returns the signals that ask for a reload. They do not end the process until stop is
// called. On systems without SIGHUP none arrive.
func hangups() (signals <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c, func() { signal.Stop(c) }
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

// scanNow scans the folders for an operator.
func (s *server) scanNow(ctx context.Context) (admin.Rescanned, error) {
	result, err := s.library.Rescan(ctx)
	if err == nil {
		s.logger.Info("folders scanned", "layers", result.Layers, "complete", result.IsComplete)
	}
	return admin.Rescanned(result), err
}

// apply replaces the current configuration.
func (s *server) apply(ctx context.Context, c config.Config, desired library.Desired) error {
	handler, err := s.handler(c)
	if err != nil {
		return err
	}
	s.files.boundLinks(ctx, &c)
	if err := s.library.Apply(ctx, desired); err != nil {
		return sortedMistakes(err)
	}
	s.public.replace(handler)
	s.warnOfForgery(&c)
	s.catalog.NoteChange()
	s.level.Set(levelNamed(c.LogLevel))
	return nil
}
