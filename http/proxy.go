package http

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
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
			told := toldBy(r.Header)
			if told == (forwarded{}) || !isTrusted(r.RemoteAddr, trusted) {
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

// toldBy is what headers tell that make sense.
func toldBy(h http.Header) forwarded {
	told := forwarded{
		scheme: strings.ToLower(nearestOf(h.Get("X-Forwarded-Proto"))),
		host:   nearestOf(h.Get("X-Forwarded-Host")),
		prefix: strings.TrimRight(nearestOf(h.Get("X-Forwarded-Prefix")), "/"),
	}
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

// nearestOf is the last of a list, to which each proxy on the way may add its own: that of
// the proxy that is trusted. What stands before it may be from anybody.
func nearestOf(list string) string {
	return strings.TrimSpace(list[strings.LastIndexByte(list, ',')+1:])
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
	for _, network := range trusted {
		if network.Contains(address.Addr().Unmap().WithZone("")) {
			return true
		}
	}
	return false
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
