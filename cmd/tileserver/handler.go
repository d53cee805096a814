package main

import (
	"cmp"
	"net/http"
	"sync/atomic"
	"time"

	"tileserver/config"
	"tileserver/http/request"

	tilehttp "tileserver/http"
	"tileserver/http/serve"
)

// replaceable is a handler that can be replaced while it answers requests.
type replaceable struct{ now atomic.Pointer[http.Handler] }

func (r *replaceable) replace(by http.Handler) { r.now.Store(&by) }

// ServeHTTP calls the current handler.
func (r *replaceable) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	(*r.now.Load()).ServeHTTP(w, request)
}

// handler returns the public handler for a configuration.
func (s *server) handler(c config.Config) (http.Handler, error) {
	origin, basePath, err := c.PublicAddress()
	if err != nil {
		return nil, err
	}
	trusted, err := c.TrustedProxies.Prefixes(tilehttp.PrivateNetworks())
	if err != nil {
		return nil, err
	}
	emptyAnswer, err := request.ParseEmptyAnswer(c.Empty)
	if err != nil {
		return nil, err
	}
	keys, err := c.Keys()
	if err != nil {
		return nil, err
	}
	visits, err := s.visitsOf(&c)
	if err != nil {
		return nil, err
	}
	return tilehttp.NewHandler(tilehttp.Config{
		Config: serve.Config{
			Visit:  visits,
			Access: c.Allow.Policy(&config.Allow{}), Catalog: s.catalog, Documents: s.documents, Origin: origin, BasePath: basePath, Service: serve.Service(c.Service),
			Empty: emptyAnswer, Prefetcher: s.prefetcher, Versioned: c.Caching == config.CachingVersioned, CacheControl: c.CacheControl,
		},
		Logger: s.logger.Logger, Metrics: s.metrics, TrustedProxies: trusted,
		AccessLog: accessLogNamed(c.AccessLog), SlowRequest: time.Duration(c.SlowRequest),
		SigningKeys:    keys,
		Clients:        tilehttp.ClientLimits{Limiter: s.clients, Header: c.ClientHeader},
		RequestTimeout: time.Duration(c.RequestTimeout), MaxRequests: c.MaxRequests, Requests: &s.requests, Sending: s.sending,
	}), nil
}

// warnOfForgery logs that some clients may pass for others: those at private addresses, unless the
// operator says which of these are proxies.
func (s *server) warnOfForgery(c *config.Config) {
	if c.ClientRate > 0 && c.TrustedProxies == nil {
		s.logger.Warn("clients at private addresses may pass for others, name the proxies in trusted_proxies", "header", cmp.Or(c.ClientHeader, "X-Forwarded-For"))
	}
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
