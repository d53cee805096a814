// Package permit decides which addresses of the web a server may reach for those who ask it: the address
// in a request, a link in a catalog, a redirect. Without it, anybody could have the server fetch what only
// the server reaches, such as the credentials of its machine (SSRF). What the operator names is not asked
// about here; it is trusted as it is.
//
// A request for a permitted address passes three gates: Check before it is sent, Control when its
// connection is made, after the name was resolved, and Redirects.Follow before it goes on elsewhere. Its
// connections must have a pool of their own, since Control sees a connection once, and no proxy, which
// would resolve names out of sight. The package must never know what is fetched, nor how.
package permit

import (
	"errors"
	"fmt"
	"net/netip"
)

// Policy says which addresses are permitted. The zero Policy permits none.
type Policy struct {
	// Allowed has the addresses that may be reached with all that lies below them.
	Allowed []Prefix

	// Networks has networks that may be reached although they are not public. What is reached there
	// must be allowed as well. Addresses with the metadata of machines must be listed one by one.
	Networks []netip.Prefix
}

// ErrNotPermitted means that an address must not be reached.
var ErrNotPermitted = errors.New("not permitted")

// refused returns an ErrNotPermitted. It names what was refused, and why.
func refused(what, why string) error { return fmt.Errorf("%w: %s: %s", ErrNotPermitted, what, why) }

// Check returns the address of a request, as it is to be fetched, if it is permitted. The result is equal for
// all spellings of a scheme and a host. It may have a query, which may be a signature.
func (p Policy) Check(address string) (canonical string, err error) {
	if len(p.Allowed) == 0 {
		return "", fmt.Errorf("%w: no address is, until url.allow lists some", ErrNotPermitted)
	}
	parsed, err := parse(address)
	if err != nil {
		return "", refused(redacted(address), err.Error())
	}
	if why := p.whyNot(parsed); why != "" {
		return "", refused(shown(parsed.withoutQuery()), why)
	}
	return parsed.String(), nil
}

// checkPublic returns an error for an address that names no public server. A name is looked at by Control.
func (p Policy) checkPublic(address string) error {
	parsed, err := parse(address)
	if err != nil {
		return refused(redacted(address), err.Error())
	}
	if why := p.whyNotHost(parsed.host); why != "" {
		return refused(shown(parsed.withoutQuery()), why)
	}
	return nil
}

// whyNot returns why an address is not permitted, or "".
func (p Policy) whyNot(a address) string {
	for _, prefix := range p.Allowed {
		if prefix.contains(a) {
			return p.whyNotHost(a.host)
		}
	}
	return "it does not lie below an address of url.allow"
}

// whyNotHost returns why a host must not be reached, if it is an IP address. Those of names are not known
// before they are connected to.
func (p Policy) whyNotHost(host string) string {
	if ip, ok := ipOf(host); ok {
		return p.whyNotIP(ip)
	}
	return ""
}
