package http

import (
	"net/http"
	"net/netip"
	"strings"
)

// Where several proxies stand before the server, each may add an entry of its own to the lists
// in X-Forwarded-* and Forwarded, behind those that came with the request. What clients see is
// what the outermost proxy wrote. What stands before its entry may be from anybody.

// hopList is a list of what proxies told, the outermost first. Empty entries are left out: who adds
// its own to a header that was not there leaves one before it.
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

// outermost is the entry of the outermost proxy that is trusted. The addresses that requests
// came from, which the same proxies wrote, tell how many of them are: the last one, which is not
// on that list itself, and all before it that are trusted. Proxies that tell no addresses are
// taken for the only ones that wrote anything.
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

// parseHop reads an address, which may have a port, and brackets if it is one of IPv6.
func parseHop(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr(), true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return address, err == nil
}

// forwardedHops are the elements of Forwarded, as RFC 7239 has it: for each proxy, what it tells
// by name.
type forwardedHops []map[string]string

// parseForwarded reads the header. What makes no sense is left out.
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

// by is what the proxies tell under a name; those that tell nothing are left out.
func (f forwardedHops) by(name string) hopList {
	var list hopList
	for _, hop := range f {
		if value := hop[name]; value != "" {
			list = append(list, value)
		}
	}
	return list
}

// splitQuoted cuts a text at a separator, except within quotes.
func splitQuoted(text string, separator rune) []string {
	isQuoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			isQuoted = !isQuoted
		}
		return r == separator && !isQuoted
	})
}
