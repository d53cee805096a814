package permit

import (
	"errors"
	"net/netip"
	"strings"
	"unicode/utf8"
)

// checkHost returns a host of the web in lower case.
func checkHost(host string) (string, error) {
	if strings.HasPrefix(host, "[") {
		return checkIPv6(host)
	}
	host, err := lower(host)
	switch labels := strings.Split(host, "."); {
	case err != nil:
		return "", err
	case host == "":
		return "", errors.New("it has no host")
	case len(host) > 253 || !isName(labels):
		return "", errors.New("its host is no name of letters, digits and hyphens")
	case isNumber(labels[len(labels)-1]):
		return checkIPv4(host)
	}
	return host, nil
}

// lower returns a text in lower case. Only ASCII has one: some letters beyond it become ASCII in lower case.
func lower(text string) (string, error) {
	if strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0 {
		return "", errors.New("its host or scheme is not ASCII")
	}
	return strings.ToLower(text), nil
}

// isName reports whether labels are those of a name. It has no empty label, and so no dot at its end.
func isName(labels []string) bool {
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	return true
}

func isLabel(label string) bool {
	isOther := func(c rune) bool { return !isLetterOrDigit(c) && c != '-' && c != '_' }
	return label != "" && len(label) <= 63 && label[0] != '-' && label[len(label)-1] != '-' && strings.IndexFunc(label, isOther) < 0
}

func isLetterOrDigit(c rune) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// isNumber reports whether a label is one of an IPv4 address in any notation: decimal, octal, hex.
func isNumber(label string) bool {
	digits, set := label, "0123456789"
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		digits, set = hex, "0123456789abcdef"
	}
	return strings.Trim(digits, set) == ""
}

// checkIPv4 accepts four decimal numbers only. 127.1, 0x7f000001 and 017700000001 mean 127.0.0.1 to some
// resolvers.
func checkIPv4(host string) (string, error) {
	if ip, err := netip.ParseAddr(host); err != nil || !ip.Is4() {
		return "", errors.New("its host is a number, but not an IPv4 address of four decimal numbers")
	}
	return host, nil
}

// checkIPv6 accepts an IPv6 address in brackets. What means an IPv4 address is written as one.
func checkIPv6(host string) (string, error) {
	ip, ok := ipOf(host)
	switch {
	case !ok:
		return "", errors.New("its host is no IPv6 address")
	case ip.Zone() != "":
		return "", errors.New("its host has a zone")
	case embedded(ip).Is4():
		return "", errors.New("its host is an IPv4 address within an IPv6 address")
	}
	return "[" + ip.String() + "]", nil
}

// ipOf returns the IP address that a host is.
func ipOf(host string) (netip.Addr, bool) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		ip, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return ip, err == nil && ip.Is6() && strings.HasSuffix(inner, "]")
	}
	ip, err := netip.ParseAddr(host)
	return ip, err == nil && ip.Is4()
}

// checkBucket returns the name of a bucket. Its case counts.
func checkBucket(name string) (string, error) {
	isOther := func(c rune) bool {
		return !isLetterOrDigit(c) && !('A' <= c && c <= 'Z') && !strings.ContainsRune("-_.", c)
	}
	if name == "" || len(name) > 222 || strings.IndexFunc(name, isOther) >= 0 || strings.Trim(name, ".") == "" {
		return "", errors.New("the name of its bucket is not one of letters, digits, hyphens and dots")
	}
	return name, nil
}
