package serve

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
)

// Forwarded is the address of the server as a trusted proxy reports it. A field is empty if the
// proxy reports nothing, or nothing valid.
type Forwarded struct{ Scheme, Host, Prefix string }

// forwardedKey is the context key of Forwarded.
type forwardedKey struct{}

// WithForwarded returns r with what a proxy reports.
func WithForwarded(r *http.Request, reported Forwarded) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), forwardedKey{}, reported))
}

// ForwardedOf returns what a proxy reports about r.
func ForwardedOf(r *http.Request) Forwarded {
	reported, _ := r.Context().Value(forwardedKey{}).(Forwarded)
	return reported
}

// BaseURL returns the root address of the server as the client of r sees it, without a slash at the
// end. The configuration takes precedence over the proxy, and the proxy over the Host header.
// HTTP/1.0 requests may lack a host; they get the local address of the connection. A Host header that
// is no host is not repeated.
func (s *Server) BaseURL(r *http.Request) string {
	if s.Origin != "" {
		return s.Origin + s.BasePath
	}
	if base, isFixed := r.Context().Value(baseKey{}).(string); isFixed {
		return base
	}
	reported := ForwardedOf(r)
	base := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil {
		base.Scheme = "https"
	}
	base.Scheme = cmp.Or(reported.Scheme, base.Scheme)
	base.Host = cmp.Or(reported.Host, base.Host)
	if base.Host == "" {
		base.Host = hostHere(r)
	}
	if !IsHost(base.Host) {
		return s.prefix(r) // relative to the host that the client used
	}
	return base.Scheme + "://" + base.Host + s.prefix(r)
}

// prefix returns the path of public addresses.
func (s *Server) prefix(r *http.Request) string { return cmp.Or(s.BasePath, ForwardedOf(r).Prefix) }

// hostHere returns the local address of a request's connection, if known.
func hostHere(r *http.Request) string {
	if here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return here.String()
	}
	return ""
}
