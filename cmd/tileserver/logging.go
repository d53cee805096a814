package main

import (
	"io"
	"log/slog"
	"time"

	tilehttp "tileserver/http"
)

// The values of log_format.
const (
	logText = "text"
	logJSON = "json"
)

// The values of access_log.
const (
	accessOff      = "off"
	accessProblems = "problems" // failed and slow requests
	accessAll      = "all"
)

// defaultSlowRequest is longer than a picture takes, unless overviews must be built for it.
const defaultSlowRequest = 10 * time.Second

// newLogger returns a logger in the configured format.
func newLogger(w io.Writer, format string, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if format == logJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// logLevel returns the configured level.
func (c *config) logLevel() (level slog.Level) {
	_ = level.UnmarshalText([]byte(c.LogLevel)) // validate accepts known names only
	return level
}

// accessLog returns which requests are logged.
func (c *config) accessLog() tilehttp.AccessLog {
	switch c.AccessLog {
	case accessOff:
		return tilehttp.AccessLogOff
	case accessAll:
		return tilehttp.AccessLogAll
	}
	return tilehttp.AccessLogProblems
}
