package http

import (
	"log/slog"
	"net/netip"
	"time"

	"tileserver/http/serve"
)

// Config configures the public handler.
type Config struct {
	serve.Config

	Logger  *slog.Logger // nil discards
	Metrics *Metrics     // nil counts nothing

	AccessLog   AccessLog     // which requests are logged
	SlowRequest time.Duration // logs slower requests as warnings; 0 is off

	// TrustedProxies are the networks of proxies whose forwarding headers are believed. nil means
	// PrivateNetworks, empty means none.
	TrustedProxies []netip.Prefix

	// SendTimeout is the time in which a client must read each half mebibyte of a response, or
	// the rest of it. It bounds how long a stalled client occupies a connection.
	SendTimeout time.Duration // 0 is DefaultSendTimeout, negative is unlimited

	RequestTimeout time.Duration // to compute a response; 0 is DefaultRequestTimeout, negative is unlimited
	MaxRequests    int           // at a time; 0 is DefaultMaxRequests, negative is unlimited
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
	DefaultSendTimeout    = 30 * time.Second
	DefaultRequestTimeout = time.Minute
	DefaultMaxRequests    = 4096
)

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.TrustedProxies == nil {
		c.TrustedProxies = PrivateNetworks()
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
	return c
}
