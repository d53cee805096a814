package permit

import (
	"net/netip"
	"syscall"
)

// network is a range of IP addresses that are not public.
type network struct {
	netip.Prefix
	is string
}

func networkOf(text, is string) network { return network{netip.MustParsePrefix(text), is} }

// metadata has the addresses at which machines and containers of clouds learn their credentials, wherever they lie.
// Those of IPv6 lie within private networks.
var metadata = [...]network{
	networkOf("169.254.169.254/32", "most clouds"),
	networkOf("169.254.170.2/32", "containers of Amazon"),
	networkOf("169.254.170.23/32", "pods of Amazon"),
	networkOf("fd00:ec2::/32", "Amazon"),
	networkOf("fd20:ce::/32", "Google"),
	networkOf("168.63.129.16/32", "Azure"),
	networkOf("100.100.100.200/32", "Alibaba"),
	networkOf("169.254.0.23/32", "Tencent"),
	networkOf("fd00:c1::/32", "Oracle"),
	networkOf("192.0.0.192/32", "Oracle"),
	networkOf("fd00:a9fe:a9fe::/48", "Akamai"),
	networkOf("169.254.42.42/32", "Scaleway"),
	networkOf("fd00:42::42/128", "Scaleway"),
}

// closed has what lies within the public ranges of addresses, and is not public. IANA lists it. What carries the addresses of others (6to4, Teredo) is out of use.
var closed = [...]network{
	networkOf("0.0.0.0/8", "unspecified"),
	networkOf("10.0.0.0/8", "private"),
	networkOf("100.64.0.0/10", "shared by the customers of a provider"),
	networkOf("127.0.0.0/8", "loopback"),
	networkOf("169.254.0.0/16", "link-local"),
	networkOf("172.16.0.0/12", "private"),
	networkOf("192.0.0.0/24", "reserved for protocols"),
	networkOf("192.0.2.0/24", "for documentation"),
	networkOf("192.88.99.0/24", "6to4"),
	networkOf("192.168.0.0/16", "private"),
	networkOf("198.18.0.0/15", "for benchmarks"),
	networkOf("198.51.100.0/24", "for documentation"),
	networkOf("203.0.113.0/24", "for documentation"),
	networkOf("224.0.0.0/4", "multicast"),
	networkOf("240.0.0.0/4", "reserved"),
	networkOf("2001::/23", "reserved for protocols, such as Teredo"),
	networkOf("2001:db8::/32", "for documentation"),
	networkOf("2002::/16", "6to4"),
	networkOf("3fff::/20", "for documentation"),
}

// publicIPv6 has the public addresses of IPv6. What lies elsewhere is loopback, link-local, private,
// multicast, reserved, or out of use.
var publicIPv6 = netip.MustParsePrefix("2000::/3")

// translated has IPv4 addresses for networks that have IPv6 only (NAT64).
var translated = netip.MustParsePrefix("64:ff9b::/96")

// embedded returns the IPv4 address that packets to an IPv6 address reach in the end, or the address itself.
func embedded(ip netip.Addr) netip.Addr {
	if translated.Contains(ip) {
		bytes := ip.As16()
		return netip.AddrFrom4([4]byte(bytes[12:]))
	}
	return ip.Unmap()
}

// lists reports whether an IP address is in a network that may be reached, and whether it is one by itself.
func (p Policy) lists(ip netip.Addr) (isListed, isListedItself bool) {
	for _, listed := range p.Networks {
		if listed.Contains(ip) {
			isListed = true
			isListedItself = isListedItself || listed.IsSingleIP()
		}
	}
	return isListed, isListedItself
}

// whyNotIP returns why an IP address must not be reached, or "".
func (p Policy) whyNotIP(ip netip.Addr) string {
	if ip.Zone() != "" {
		return "it has a zone"
	}
	ip = embedded(ip)
	isListed, isListedItself := p.lists(ip)
	for _, known := range metadata {
		if known.Contains(ip) && !isListedItself {
			return "it has the metadata of machines (" + known.is + "), and is not listed by itself"
		}
	}
	if isListed {
		return ""
	}
	for _, known := range closed {
		if known.Contains(ip) {
			return "its network " + known.String() + " is " + known.is
		}
	}
	if ip.Is6() && !publicIPv6.Contains(ip) {
		return "it is no public address"
	}
	return ""
}

// Control is that of a net.Dialer: it refuses connections to addresses that are neither public nor listed.
// It sees them after names were resolved, so a name that means another address each time is no way around.
func (p Policy) Control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return refused("network "+network, "only TCP is")
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return refused("address "+address, "it is no IP address with a port")
	}
	if why := p.whyNotIP(at.Addr()); why != "" {
		return refused("address "+at.Addr().String(), why)
	}
	return nil
}
