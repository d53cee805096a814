// Package ports opens the ports of a server and serves HTTP on them. Package main of tileserver
// calls it. The package owns the limits of connections, and the advice about a port that cannot be
// opened. It must never know what is served.
//
// Words: the *public* port is for maps; the *admin* port is for operators and may be absent.
package ports

import (
	"net"
	"net/netip"
	"strconv"
)

// Ports has the listeners of a server.
type Ports struct{ Public, Admin net.Listener } // Admin may be nil

// Open opens the ports at two addresses, HOST:PORT. With "" there is no admin port.
func Open(public, admin string) (p Ports, err error) {
	if p.Public, err = net.Listen("tcp", public); err != nil {
		return Ports{}, whyNotOpen(err, public, "--listen")
	}
	if admin == "" {
		return p, nil
	}
	if p.Admin, err = net.Listen("tcp", admin); err != nil {
		p.Close()
		return Ports{}, whyNotOpen(err, admin, "--admin-listen")
	}
	return p, nil
}

// Close closes the listeners. Closing one twice is harmless.
func (p Ports) Close() {
	for _, l := range []net.Listener{p.Public, p.Admin} {
		if l != nil {
			l.Close()
		}
	}
}

// AdminAddress returns the address of the admin port, or "".
func (p Ports) AdminAddress() string {
	if p.Admin == nil {
		return ""
	}
	return p.Admin.Addr().String()
}

// BrowserURL returns the URL at which a browser on this machine reaches a listener.
func BrowserURL(at net.Addr) string {
	address, err := netip.ParseAddrPort(at.String())
	if err == nil && address.Addr().IsUnspecified() {
		return "http://" + net.JoinHostPort("localhost", strconv.Itoa(int(address.Port())))
	}
	return "http://" + at.String()
}
