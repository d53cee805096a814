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

// A proxy tells in headers how its clients see the server. Whoever else sends them could put
// addresses of their own into what others are sent from a cache, so that only proxies that
// are trusted are believed.

// forwarded is what a trusted proxy tells; a member is empty where it tells nothing, or
// nothing that makes sense.
type forwarded struct{ scheme, host, prefix string }

// forwardedKey is under which the context of a request has what its proxy tells.
type forwardedKey struct{}

func forwardedOf(r *http.Request) forwarded {
	told, _ := r.Context().Value(forwardedKey{}).(forwarded)
	return told
}

// believeProxies notes what a trusted proxy tells, and takes off the path what the proxy
// says to be the way to the server, if the proxy has left it there: if what remains is an
// address. Of /tiles/tiles/…, a proxy that has cut it off leaves what begins like it.
func believeProxies(trusted []netip.Prefix, isAddress func(path string) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !isForwarded(r.Header) || !isTrusted(r.RemoteAddr, trusted) {
				next.ServeHTTP(w, r)
				return
			}
			told := toldBy(r.Header, trusted)
			if told == (forwarded{}) {
				next.ServeHTTP(w, r)
				return
			}
			if r.URL.Path == told.prefix && !isAddress(told.prefix) { // the page's own links are relative to a folder
				http.Redirect(w, r, told.prefix+"/", http.StatusPermanentRedirect)
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), forwardedKey{}, told))
			rest := strings.TrimPrefix(r.URL.Path, told.prefix)
			if told.prefix != "" && strings.HasPrefix(rest, "/") && len(rest) < len(r.URL.Path) && isAddress(rest) {
				http.StripPrefix(told.prefix, next).ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// isForwarded reports whether a request has any header that toldBy reads for its own sake. Most
// requests have none, and then nothing is parsed.
func isForwarded(h http.Header) bool {
	return h["X-Forwarded-Proto"] != nil || h["X-Forwarded-Host"] != nil || h["X-Forwarded-Prefix"] != nil || h["Forwarded"] != nil
}

// toldBy is what headers tell that make sense: those of X-Forwarded, or else Forwarded.
func toldBy(h http.Header, trusted []netip.Prefix) forwarded {
	addresses := listOf(h, "X-Forwarded-For")
	told := forwarded{
		scheme: listOf(h, "X-Forwarded-Proto").outermost(addresses, trusted),
		host:   listOf(h, "X-Forwarded-Host").outermost(addresses, trusted),
		prefix: listOf(h, "X-Forwarded-Prefix").outermost(addresses, trusted),
	}
	if told.scheme == "" && told.host == "" {
		hops := parseForwarded(strings.Join(h.Values("Forwarded"), ","))
		told.scheme, told.host = hops.by("proto").outermost(hops.by("for"), trusted), hops.by("host").outermost(hops.by("for"), trusted)
	}
	told.scheme, told.prefix = strings.ToLower(told.scheme), strings.TrimRight(told.prefix, "/")
	if told.scheme != "http" && told.scheme != "https" {
		told.scheme = ""
	}
	if !isHost(told.host) {
		told.host = ""
	}
	if !isPrefix(told.prefix) {
		told.prefix = ""
	}
	return told
}

const maxForwardedBytes = 255

var (
	hostPattern   = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`)
	prefixPattern = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)
)

func isHost(text string) bool {
	return len(text) <= maxForwardedBytes && hostPattern.MatchString(text)
}

// isPrefix tells whether a text is a path of plain names, none of which leads elsewhere.
func isPrefix(text string) bool {
	return len(text) <= maxForwardedBytes && prefixPattern.MatchString(text) &&
		!strings.Contains(text+"/", "/./") && !strings.Contains(text+"/", "/../")
}

// isTrusted tells whether who is at the other end of a connection is believed. What comes
// through a socket of this machine has no address, and is.
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

// PrivateNetworks are those whose addresses nobody has on the Internet, where proxies of
// one's own are.
func PrivateNetworks() []netip.Prefix {
	var networks []netip.Prefix
	for _, text := range []string{"127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"} {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}

// baseURL is how the client of r sees the root of the server, without a slash at the end.
// What the operator says comes first, then what the proxy says, then what the client asks. One
// that names no host, as HTTP/1.0 allows, has come to the address of this machine.
func (s *server) baseURL(r *http.Request) string {
	if s.Origin != "" {
		return s.Origin + s.BasePath
	}
	told := forwardedOf(r)
	base := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil {
		base.Scheme = "https"
	}
	if told.scheme != "" {
		base.Scheme = told.scheme
	}
	if told.host != "" {
		base.Host = told.host
	}
	if base.Host == "" {
		base.Host = hostHere(r)
	}
	prefix := s.BasePath
	if prefix == "" {
		prefix = told.prefix
	}
	if base.Host == "" {
		return prefix // an address of the same host, wherever that is
	}
	return base.Scheme + "://" + base.Host + prefix
}

// hostHere is the address of this machine at which a request has come in, if it has one.
func hostHere(r *http.Request) string {
	if here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return here.String()
	}
	return ""
}
