package http

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"tileserver/http/answer"
	"tileserver/http/clients"
)

// ClientLimits bound the requests of each client.
type ClientLimits struct {
	Limiter *clients.Limiter // handlers may share it, one after the other; nil limits nobody
	Header  string           // in which a trusted proxy names the client; "" for the address
}

// limitClients rejects requests of clients that make too many.
func limitClients(limits ClientLimits, trusted []netip.Prefix) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if limits.Limiter == nil {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := clientOf(r, limits.Header, trusted)
			if wait := limits.Limiter.Take(client, time.Now()); wait > 0 {
				answer.ExchangeOf(w).Fail(r, answer.TooMany("too many requests of one client; try again", wait))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// clientOf returns who makes a request: the name that a trusted proxy gives it, the address of the
// last hop before the trusted proxies, or that of the connection.
func clientOf(r *http.Request, header string, trusted []netip.Prefix) clients.Client {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr) // the zero address of a Unix socket
	if !isTrusted(r.RemoteAddr, trusted) {
		return clients.At(peer.Addr())
	}
	if header != "" {
		if name := strings.Join(r.Header.Values(header), ","); name != "" {
			return clients.Named(name)
		}
	}
	return clients.At(outermostAddress(r.Header, peer.Addr(), trusted))
}

// outermostAddress returns the address of the last hop that is not a trusted proxy, as the proxies
// after it recorded it. What lies before may be forged. If all are trusted, it is the first one.
func outermostAddress(h http.Header, peer netip.Addr, trusted []netip.Prefix) netip.Addr {
	addresses := listOf(h, "X-Forwarded-For")
	if len(addresses) == 0 && h["Forwarded"] != nil {
		addresses = parseForwarded(strings.Join(h.Values("Forwarded"), ",")).by("for")
	}
	for i := len(addresses) - 1; i >= 0; i-- {
		address, ok := parseHop(addresses[i])
		if !ok {
			return peer
		}
		if peer = address; !isAmong(peer, trusted) {
			break
		}
	}
	return peer
}
