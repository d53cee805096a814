package http

import (
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"tileserver/http/documents"
	"tileserver/layer"
)

// Config configures the public handler.
type Config struct {
	Catalog *layer.Catalog
	Logger  *slog.Logger // nil discards
	Metrics *Metrics     // nil counts nothing

	Documents *documents.Cache // handlers may share it; nil caches nothing

	AccessLog   AccessLog     // which requests are logged
	SlowRequest time.Duration // logs slower requests as warnings; 0 is off

	// Origin is the scheme and host of public addresses, like "https://maps.example". If it is
	// empty, addresses begin with the scheme and host of the request.
	Origin string

	// BasePath is the path of public addresses, like "/imagery". Requests are answered with and
	// without it, because a proxy may cut it off.
	BasePath string

	// TrustedProxies are the networks of proxies whose forwarding headers are believed. nil means
	// PrivateNetworks, empty means none.
	TrustedProxies []netip.Prefix

	// Service describes the server in the documents of protocols.
	Service Service

	// Empty is the answer for empty tiles if neither the request nor the layer sets one. The
	// default is a blank picture.
	Empty layer.EmptyAnswer

	// Versioned adds the version of pictures to the addresses in documents, so that clients may
	// cache them without limit: a changed file gets new addresses.
	Versioned bool

	// SendTimeout is the time in which a client must read each half mebibyte of a response, or
	// the rest of it. It bounds how long a stalled client occupies a connection.
	SendTimeout time.Duration // 0 is DefaultSendTimeout, negative is unlimited

	RequestTimeout time.Duration // to compute a response; 0 is DefaultRequestTimeout, negative is unlimited
	MaxRequests    int           // at a time; 0 is DefaultMaxRequests, negative is unlimited

	// CacheControl is sent with pictures. Addresses do not name the version of a file unless
	// Versioned is set, so clients must revalidate, which costs a 304. Revalidating at every pan
	// would cost a round trip for each tile. Never revalidating would show a replaced file as a
	// patchwork of old and new tiles. The default allows a picture to be shown for five minutes
	// without revalidation, and for a day while it is revalidated.
	CacheControl string
}

// Service describes the server in the words of its operator. Every field may be empty.
type Service struct {
	Title, Abstract         string
	Keywords                []string
	Provider, Site          string // a name, and the address of its website
	Contact, Email          string // a person
	Fees, AccessConstraints string
}

// AccessLog selects the requests that are logged.
type AccessLog int

// The values of AccessLog.
const (
	AccessLogProblems AccessLog = iota // failed with a status of 500 or more, or were slow
	AccessLogAll
	AccessLogOff // none except those that hit a bug in the server
)

// The defaults of Config.
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
	if c.Documents == nil {
		c.Documents = documents.NewCache(nil, layer.NewGate(1, DefaultMaxRequests))
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
