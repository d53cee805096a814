package http

import (
	"log/slog"
	"strings"
	"time"

	"tileserver/layer"
)

// Config is what the public handler is made of.
type Config struct {
	Catalog *layer.Catalog
	Logger  *slog.Logger // nil discards
	Metrics *Metrics     // nil counts nothing

	// BasePath is the path under which clients see the server, like "/imagery".
	// Requests are answered with it and without it, for a proxy may cut it off.
	BasePath string

	RequestTimeout time.Duration // of a whole request; 0 is a minute, below 0 is none
	MaxRequests    int           // answered at a time; 0 is 4096, below 0 is no bound

	// CacheControl goes with pictures. An address does not name the version of a
	// file, so a client must ask again at some time, which costs a 304. Asking at
	// every pan would cost a round trip a tile, and never asking would show a
	// replaced file as a patchwork of old and new. The default lets a picture be
	// shown for five minutes unasked, and for a day while it is asked for again.
	CacheControl string
}

const (
	defaultRequestTimeout = time.Minute
	defaultMaxRequests    = 4096
	defaultCacheControl   = "public, max-age=300, stale-while-revalidate=86400"
)

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.BasePath = strings.Trim(c.BasePath, "/"); c.BasePath != "" {
		c.BasePath = "/" + c.BasePath
	}
	if c.RequestTimeout == 0 {
		c.RequestTimeout = defaultRequestTimeout
	}
	if c.MaxRequests == 0 {
		c.MaxRequests = defaultMaxRequests
	}
	if c.CacheControl == "" {
		c.CacheControl = defaultCacheControl
	}
	return c
}
