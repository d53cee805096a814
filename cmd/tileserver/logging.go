package main

import (
	"io"
	"log/slog"

	"tileserver/config"
)

// newLogger returns a logger in the configured format.
func newLogger(w io.Writer, format string, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if format == config.LogJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// levelNamed returns the level with a name that the configuration accepts.
func levelNamed(name string) (level slog.Level) {
	_ = level.UnmarshalText([]byte(name)) // a valid configuration has known names only
	return level
}
