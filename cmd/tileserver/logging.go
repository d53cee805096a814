package main

import (
	"io"
	"log/slog"

	"tileserver/config"

	tilehttp "tileserver/http"
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

// accessLogNamed returns which requests are logged.
func accessLogNamed(name string) tilehttp.AccessLog {
	switch name {
	case config.AccessOff:
		return tilehttp.AccessLogOff
	case config.AccessAll:
		return tilehttp.AccessLogAll
	}
	return tilehttp.AccessLogProblems
}
