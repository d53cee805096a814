package http

import (
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"tileserver/http/serve"
)

// Proxies report in headers how clients address the server. Other clients could use these headers
// to put their own addresses into documents that caches hand to everyone. So only trusted proxies
// are believed.

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
			if reported == (serve.Forwarded{}) {
				next.ServeHTTP(w, r)
				return
			}
			if r.URL.Path == reported.Prefix && !hasRoute(reported.Prefix) { // the links of the HTML page are relative to a folder
				http.Redirect(w, r, reported.Prefix+"/", http.StatusPermanentRedirect)
				return
			}
			r = serve.WithForwarded(r, reported)
			rest := strings.TrimPrefix(r.URL.Path, reported.Prefix)
			if reported.Prefix != "" && strings.HasPrefix(rest, "/") && len(rest) < len(r.URL.Path) && hasRoute(rest) {
				http.StripPrefix(reported.Prefix, next).ServeHTTP(w, r)
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
func parseForwardedHeaders(h http.Header, trusted []netip.Prefix) serve.Forwarded {
	addresses := listOf(h, "X-Forwarded-For")
	reported := serve.Forwarded{
		Scheme: listOf(h, "X-Forwarded-Proto").outermost(addresses, trusted),
		Host:   listOf(h, "X-Forwarded-Host").outermost(addresses, trusted),
		Prefix: listOf(h, "X-Forwarded-Prefix").outermost(addresses, trusted),
	}
	if reported.Scheme == "" && reported.Host == "" {
		hops := parseForwarded(strings.Join(h.Values("Forwarded"), ","))
		reported.Scheme, reported.Host = hops.by("proto").outermost(hops.by("for"), trusted), hops.by("host").outermost(hops.by("for"), trusted)
	}
	reported.Scheme, reported.Prefix = strings.ToLower(reported.Scheme), strings.TrimRight(reported.Prefix, "/")
	if reported.Scheme != "http" && reported.Scheme != "https" {
		reported.Scheme = ""
	}
	if !serve.IsHost(reported.Host) {
		reported.Host = ""
	}
	if !isPrefix(reported.Prefix) {
		reported.Prefix = ""
	}
	return reported
}

const maxPrefixBytes = 255

var prefixPattern = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// isPrefix reports whether text is a path of plain names without dot segments.
func isPrefix(text string) bool {
	return len(text) <= maxPrefixBytes && prefixPattern.MatchString(text) &&
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
