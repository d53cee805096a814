package http

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Proxies report in headers how clients address the server. Other clients could use these headers
// to put their own addresses into documents that caches hand to everyone. So only trusted proxies
// are believed.

// forwarded is the address of the server as a trusted proxy reports it. A field is empty if the
// proxy reports nothing, or nothing valid.
type forwarded struct{ scheme, host, prefix string }

// forwardedKey is the context key of forwarded.
type forwardedKey struct{}

func forwardedOf(r *http.Request) forwarded {
	reported, _ := r.Context().Value(forwardedKey{}).(forwarded)
	return reported
}

// trustProxies records what a trusted proxy reports. It also removes the reported prefix from the
// path, if the proxy left it there and a route matches the rest. The second condition keeps
// /tiles/tiles/… apart from a path whose prefix the proxy has cut off.
func trustProxies(trusted []netip.Prefix, hasRoute func(path string) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !isForwarded(r.Header) || !isTrusted(r.RemoteAddr, trusted) {
				next.ServeHTTP(w, r)
				return
			}
			reported := parseForwardedHeaders(r.Header, trusted)
			if reported == (forwarded{}) {
				next.ServeHTTP(w, r)
				return
			}
			if r.URL.Path == reported.prefix && !hasRoute(reported.prefix) { // the links of the HTML page are relative to a folder
				http.Redirect(w, r, reported.prefix+"/", http.StatusPermanentRedirect)
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), forwardedKey{}, reported))
			rest := strings.TrimPrefix(r.URL.Path, reported.prefix)
			if reported.prefix != "" && strings.HasPrefix(rest, "/") && len(rest) < len(r.URL.Path) && hasRoute(rest) {
				http.StripPrefix(reported.prefix, next).ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// isForwarded reports whether a request has a header that can begin a forwarded address. Most
// requests have none, and nothing is parsed for them.
func isForwarded(h http.Header) bool {
	return h["X-Forwarded-Proto"] != nil || h["X-Forwarded-Host"] != nil || h["X-Forwarded-Prefix"] != nil || h["Forwarded"] != nil
}

// parseForwardedHeaders reads the headers X-Forwarded-…, or else Forwarded.
func parseForwardedHeaders(h http.Header, trusted []netip.Prefix) forwarded {
	addresses := listOf(h, "X-Forwarded-For")
	reported := forwarded{
		scheme: listOf(h, "X-Forwarded-Proto").outermost(addresses, trusted),
		host:   listOf(h, "X-Forwarded-Host").outermost(addresses, trusted),
		prefix: listOf(h, "X-Forwarded-Prefix").outermost(addresses, trusted),
	}
	if reported.scheme == "" && reported.host == "" {
		hops := parseForwarded(strings.Join(h.Values("Forwarded"), ","))
		reported.scheme, reported.host = hops.by("proto").outermost(hops.by("for"), trusted), hops.by("host").outermost(hops.by("for"), trusted)
	}
	reported.scheme, reported.prefix = strings.ToLower(reported.scheme), strings.TrimRight(reported.prefix, "/")
	if reported.scheme != "http" && reported.scheme != "https" {
		reported.scheme = ""
	}
	if !isHost(reported.host) {
		reported.host = ""
	}
	if !isPrefix(reported.prefix) {
		reported.prefix = ""
	}
	return reported
}

const maxForwardedBytes = 255

var (
	hostPattern   = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`)
	prefixPattern = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)
)

func isHost(text string) bool {
	return len(text) <= maxForwardedBytes && hostPattern.MatchString(text)
}

// isPrefix reports whether text is a path of plain names without dot segments.
func isPrefix(text string) bool {
	return len(text) <= maxForwardedBytes && prefixPattern.MatchString(text) &&
		!strings.Contains(text+"/", "/./") && !strings.Contains(text+"/", "/../")
}

// isTrusted reports whether the peer of a connection is trusted. A peer without an address is
// connected by a Unix socket, and is trusted if any proxy is.
func isTrusted(remote string, trusted []netip.Prefix) bool {
	address, err := netip.ParseAddrPort(remote)
	if err != nil {
		return len(trusted) > 0 && !strings.Contains(remote, ":")
	}
	return isAmong(address.Addr(), trusted)
}

func isAmong(address netip.Addr, networks []netip.Prefix) bool {
	address = address.Unmap().WithZone("")
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(address) })
}

// PrivateNetworks returns the networks that are not routed on the Internet, where an operator's own
// proxies run.
func PrivateNetworks() []netip.Prefix {
	var networks []netip.Prefix
	for _, text := range []string{"127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"} {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}

// baseURL returns the root address of the server as the client of r sees it, without a slash at the
// end. The configuration takes precedence over the proxy, and the proxy over the Host header.
// HTTP/1.0 requests may lack a host; they get the local address of the connection.
func (s *server) baseURL(r *http.Request) string {
	if s.Origin != "" {
		return s.Origin + s.BasePath
	}
	reported := forwardedOf(r)
	base := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil {
		base.Scheme = "https"
	}
	if reported.scheme != "" {
		base.Scheme = reported.scheme
	}
	if reported.host != "" {
		base.Host = reported.host
	}
	if base.Host == "" {
		base.Host = hostHere(r)
	}
	prefix := s.BasePath
	if prefix == "" {
		prefix = reported.prefix
	}
	if base.Host == "" {
		return prefix // relative to the host that the client used
	}
	return base.Scheme + "://" + base.Host + prefix
}

// hostHere returns the local address of a request's connection, if known.
func hostHere(r *http.Request) string {
	if here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return here.String()
	}
	return ""
}
