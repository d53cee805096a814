package http

import (
	"log/slog"
	"net/netip"
	"time"

	"tileserver/http/answer"
	"tileserver/http/serve"
	"tileserver/signature"
)

// Config configures the public handler. Package config has the defaults of what operators choose.
type Config struct {
	serve.Config

	Logger  *slog.Logger // nil discards
	Metrics *Metrics     // nil counts nothing

	AccessLog   AccessLog     // which requests are logged
	SlowRequest time.Duration // logs slower requests as warnings; 0 is off

	// TrustedProxies are the networks of proxies whose forwarding headers are believed. nil means
	// PrivateNetworks, empty means none.
	TrustedProxies []netip.Prefix

	// SigningKeys are the keys of signed addresses. Without any, signatures mean nothing.
	SigningKeys signature.Keys

	// Clients bound the requests of each client.
	Clients ClientLimits

	// Sending bounds what clients cost that read slowly. Handlers may share it, one after the
	// other; nil bounds nothing.
	Sending *answer.Sending

	RequestTimeout time.Duration // to compute a response; 0 is unlimited
	MaxRequests    int           // at a time; 0 is unlimited

	// Requests has those in progress. Handlers may share it, one after the other: after a reload,
	// the old one still has some. nil is a count of its own.
	Requests *RequestCount
}

// AccessLog selects the requests that are logged.
type AccessLog int

// The values of AccessLog.
const (
	AccessLogProblems AccessLog = iota // failed with a status of 500 or more, or were slow
	AccessLogAll
	AccessLogOff // none except those that hit a bug in the server
)

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Requests == nil {
		c.Requests = new(RequestCount)
	}
	if c.TrustedProxies == nil {
		c.TrustedProxies = PrivateNetworks()
	}
	return c
}
