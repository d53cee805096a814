package http

import (
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"tileserver/layer"
)

// Config is what the public handler is made of.
type Config struct {
	Catalog *layer.Catalog
	Logger  *slog.Logger // nil discards
	Metrics *Metrics     // nil counts nothing

	AccessLog   AccessLog     // which requests the log has
	SlowRequest time.Duration // how long a slow one takes; 0: none is slow

	// Origin is the scheme and the host under which clients see the server, like
	// "https://maps.example". Without it, addresses begin as the request did.
	Origin string

	// BasePath is the path under which clients see the server, like "/imagery".
	// Requests are answered with it and without it, for a proxy may cut it off.
	BasePath string

	// TrustedProxies are the networks of proxies that are believed when they tell how
	// clients see the server; nil is PrivateNetworks, and empty is none.
	TrustedProxies []netip.Prefix

	// Service is what the operator says of the server, for the documents of protocols.
	Service Service

	// Empty is what is answered for tiles without anything to see where neither the
	// request nor the layer says; a blank picture where nothing is said here either.
	Empty layer.EmptyAnswer

	// Versioned puts the version of pictures into the addresses that the server gives
	// away, so that they may be kept for ever: a changed file has other addresses.
	Versioned bool

	// SendTimeout is how long a client may take for half a mebibyte of an answer,
	// begun or whole: whoever reads nothing must not hold a place for ever.
	SendTimeout time.Duration // 0 is DefaultSendTimeout, below 0 is none

	RequestTimeout time.Duration // to make an answer; 0 is DefaultRequestTimeout, below 0 is none
	MaxRequests    int           // answered at a time; 0 is DefaultMaxRequests, below 0 is no bound

	// CacheControl goes with pictures. An address does not name the version of a
	// file, so a client must ask again at some time, which costs a 304. Asking at
	// every pan would cost a round trip a tile, and never asking would show a
	// replaced file as a patchwork of old and new. The default lets a picture be
	// shown for five minutes unasked, and for a day while it is asked for again.
	CacheControl string
}

// Service is what a server is, in the words of who runs it. All of it may be left out.
type Service struct {
	Title, Abstract         string
	Keywords                []string
	Provider, Site          string // a name, and the address of its page
	Contact, Email          string // a person
	Fees, AccessConstraints string
}

// AccessLog selects the requests that have a line in the log.
type AccessLog int

// The values of AccessLog.
const (
	AccessLogProblems AccessLog = iota // requests that failed with a status of 500 or more, or were slow
	AccessLogAll
	AccessLogOff // none but those that met a bug in the server
)

// What a Config that leaves it out gets.
const (
	DefaultServiceTitle   = "Tile server"
	DefaultSendTimeout    = 30 * time.Second
	DefaultRequestTimeout = time.Minute
	DefaultMaxRequests    = 4096
	DefaultCacheControl   = "public, max-age=300, stale-while-revalidate=86400"
)

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.BasePath = strings.Trim(c.BasePath, "/"); c.BasePath != "" {
		c.BasePath = "/" + c.BasePath
	}
	if c.TrustedProxies == nil {
		c.TrustedProxies = PrivateNetworks()
	}
	if c.Service.Title == "" {
		c.Service.Title = DefaultServiceTitle
	}
	if c.SendTimeout == 0 {
		c.SendTimeout = DefaultSendTimeout
	}
	if c.RequestTimeout == 0 {
		c.RequestTimeout = DefaultRequestTimeout
	}
	if c.MaxRequests == 0 {
		c.MaxRequests = DefaultMaxRequests
	}
	if c.CacheControl == "" {
		c.CacheControl = DefaultCacheControl
	}
	return c
}
