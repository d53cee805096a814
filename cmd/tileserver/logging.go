package main

import (
	"io"
	"log/slog"
	"time"

	"tileserver/cmd/tileserver/logs"
	"tileserver/config"
)

// maxFlushTime is how long a server that ends waits for the reader of its log.
const maxFlushTime = 2 * time.Second

// newLog returns a log in the configured format.
func newLog(w io.Writer, format string, level slog.Leveler) *logs.Log {
	options := &slog.HandlerOptions{Level: level}
	return logs.New(w, func(w io.Writer) slog.Handler {
		if format == config.LogJSON {
			return slog.NewJSONHandler(w, options)
		}
		return slog.NewTextHandler(w, options)
	})
}

// levelNamed returns the level with a name that the configuration accepts.
func levelNamed(name string) (level slog.Level) {
	_ = level.UnmarshalText([]byte(name)) // a valid configuration has known names only
	return level
}
