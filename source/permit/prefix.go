package permit

import (
	"errors"
	"fmt"
	"strings"
)

// Prefix is an address with all that lies below it.
type Prefix struct {
	address
	hasSubdomains bool // the host stands for all names that end with it, which begins with a dot
}

// ParsePrefix parses an address of the configuration, such as https://example.org/maps or s3://bucket/. It
// permits what lies below its last name, and if it does not end with a slash, also what it names. The host
// of a web server may begin with *. to permit all subdomains, but not the domain itself.
func ParsePrefix(text string) (Prefix, error) {
	plain, hasSubdomains := text, false
	if scheme, rest, ok := strings.Cut(text, "://*."); ok {
		plain, hasSubdomains = scheme+"://"+rest, true
	}
	parsed, err := parse(plain)
	_, isIP := ipOf(parsed.host)
	switch {
	case err == nil && parsed.query != "":
		err = errors.New("it has a query")
	case err == nil && hasSubdomains && (isIP || parsed.isBucket()):
		err = errors.New("only a name of a web server has subdomains")
	}
	if err != nil {
		return Prefix{}, fmt.Errorf("address %s: %w", redacted(text), err)
	}
	if hasSubdomains {
		parsed.host = "." + parsed.host
	}
	return Prefix{parsed, hasSubdomains}, nil
}

// isBucket reports whether the address is that of a bucket.
func (a address) isBucket() bool {
	of, err := kindOf(a.scheme)
	return err == nil && of.isBucket
}

// String returns the prefix as ParsePrefix takes it.
func (p Prefix) String() string {
	if p.hasSubdomains {
		return strings.Replace(p.address.String(), "://", "://*", 1)
	}
	return p.address.String()
}

// contains reports whether an address lies below the prefix.
func (p Prefix) contains(a address) bool {
	return p.scheme != "" && p.scheme == a.scheme && p.port == a.port && p.hasHost(a.host) && isBelow(p.path, a.path)
}

func (p Prefix) hasHost(host string) bool {
	if p.hasSubdomains {
		return len(host) > len(p.host) && strings.HasSuffix(host, p.host)
	}
	return host == p.host
}

// isBelow reports whether a path is another one or lies below it. Segments are compared as a whole.
func isBelow(above, path string) bool {
	if above == path {
		return true
	}
	return strings.HasPrefix(path, strings.TrimSuffix(above, "/")+"/")
}
