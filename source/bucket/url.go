package bucket

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// unreserved are the bytes of a URL, besides letters and digits, that no service wants escaped.
const unreserved = "-._~"

// Escape escapes text for a URL as services that sign requests expect it: all but letters, digits and four
// signs, in capitals.
func Escape(text string) string { return escape(text, unreserved) }

// EscapePath does what Escape does, but for slashes.
func EscapePath(path string) string { return escape(path, unreserved+"/") }

func escape(text, kept string) string {
	const digits = "0123456789ABCDEF"
	var escaped strings.Builder
	escaped.Grow(len(text))
	for _, b := range []byte(text) {
		if isAlphanumeric(rune(b)) || strings.IndexByte(kept, b) >= 0 {
			escaped.WriteByte(b)
			continue
		}
		escaped.Write([]byte{'%', digits[b>>4], digits[b&15]})
	}
	return escaped.String()
}

// Below returns the URL of a path below a base. The path is not escaped.
func Below(base *url.URL, path string) *url.URL {
	whole := *base
	whole.Path = base.Path + "/" + path
	whole.RawPath = EscapePath(whole.Path)
	return &whole
}

// ParseEndpoint parses the base URL of a service. It has no slash at its end.
func ParseEndpoint(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("the endpoint is no URL") // without its text, which may have a password
	case base.Scheme != "https" && base.Scheme != "http" || base.Hostname() == "":
		return nil, errors.New("the endpoint must begin with https://HOST or http://HOST")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("the endpoint of %s must not have a user, a query or a fragment", base.Hostname())
	}
	return &url.URL{Scheme: base.Scheme, Host: hostOf(base), Path: strings.TrimRight(base.Path, "/")}, nil
}

// hostOf returns the host of a URL as headers have it, without the port that its scheme has anyway.
func hostOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if u.Scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}

// IsBelow reports whether a URL leads to the server of a base, and into its path.
func IsBelow(base, u *url.URL) bool {
	return u.Scheme == base.Scheme && u.Host == base.Host && strings.HasPrefix(u.Path, base.Path+"/")
}

// KeepsSecrets reports whether nobody on the way to a host can read what is sent: it is encrypted, or does not
// leave the machine.
func KeepsSecrets(u *url.URL) bool {
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Hostname() == "localhost" || err == nil && address.IsLoopback()
}
