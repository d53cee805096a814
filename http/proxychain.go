package http

import (
	"net/http"
	"net/netip"
	"strings"
)

// Each proxy in front of the server may append its entry to the lists in X-Forwarded-* and
// Forwarded. The outermost trusted proxy wrote what clients see. Entries before its own may be
// forged.

// hopList is a list of entries of proxies, the outermost first. Empty entries are omitted: a proxy
// that appends to a missing header may leave one.
type hopList []string

func listOf(h http.Header, name string) hopList {
	var list hopList
	for _, line := range h.Values(name) {
		for entry := range strings.SplitSeq(line, ",") {
			if entry = strings.TrimSpace(entry); entry != "" {
				list = append(list, entry)
			}
		}
	}
	return list
}

// outermost returns the entry of the outermost trusted proxy. addresses are the peers that the same
// proxies recorded: the last proxy is not among them, so the number of trusted proxies is one more
// than the number of trusted addresses at the end of the list. If no proxy recorded addresses, the
// whole list is taken as written by trusted proxies.
func (l hopList) outermost(addresses hopList, trusted []netip.Prefix) string {
	if len(l) == 0 {
		return ""
	}
	if len(addresses) == 0 {
		return l[0]
	}
	proxies := 1
	for i := len(addresses) - 1; i >= 0; i-- {
		address, ok := parseHop(addresses[i])
		if !ok || !isAmong(address, trusted) {
			break
		}
		proxies++
	}
	return l[max(0, len(l)-proxies)]
}

// parseHop parses an address with an optional port, in brackets if it is IPv6.
func parseHop(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr(), true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return address, err == nil
}

// forwardedHops are the elements of Forwarded (RFC 7239): the parameters of each proxy by name.
type forwardedHops []map[string]string

// parseForwarded parses the header and omits what is invalid.
func parseForwarded(header string) forwardedHops {
	var hops forwardedHops
	for _, element := range splitQuoted(header, ',') {
		hop := make(map[string]string)
		for _, pair := range splitQuoted(element, ';') {
			if name, value, ok := strings.Cut(pair, "="); ok {
				hop[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(strings.TrimSpace(value), `"`)
			}
		}
		if len(hop) > 0 {
			hops = append(hops, hop)
		}
	}
	return hops
}

// by returns the values of a parameter and omits proxies that do not have it.
func (f forwardedHops) by(name string) hopList {
	var list hopList
	for _, hop := range f {
		if value := hop[name]; value != "" {
			list = append(list, value)
		}
	}
	return list
}

// splitQuoted splits text at a separator, except within quotes.
func splitQuoted(text string, separator rune) []string {
	isQuoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			isQuoted = !isQuoted
		}
		return r == separator && !isQuoted
	})
}
