package http

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"tileserver/http/answer"
)

// A page from anywhere may have a browser ask an address whose name it controls, and let that name
// lead to the browser's own machine (DNS rebinding). The browser sends the name as the host. So
// operators must call their listener by an address, by a name that nobody else can own, or by one that
// is allowed.

// requireHost rejects requests under other hosts than those that operators use.
func requireHost(allowed []string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !isHostOfOperators(r.Host, allowed) {
				answer.ExchangeOf(w).Fail(r, &answer.Failure{Status: http.StatusMisdirectedRequest, Code: "wrong_host",
					Message: "this listener does not answer to that host; operators may allow its name (admin_hosts)"})
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// isHostOfOperators reports whether a host is an address, a name without a dot, which has no owner on
// the Internet, a name of the machine itself, or an allowed one.
func isHostOfOperators(host string, allowed []string) bool {
	name := strings.ToLower(strings.TrimSuffix(nameOf(host), "."))
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return !strings.Contains(name, ".") || strings.HasSuffix(name, ".localhost") ||
		slices.ContainsFunc(allowed, func(a string) bool { return strings.EqualFold(a, name) })
}

// nameOf returns a host without its port and brackets.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
