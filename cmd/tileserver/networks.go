package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	tilehttp "tileserver/http"
)

// networkList names networks: addresses, blocks such as 10.0.0.0/8, and "private" for all
// private networks. "none" stands alone. Nil is the default.
type networkList []string

// Set reads a list with commas.
func (l *networkList) Set(text string) error {
	*l = networkList{}
	for _, name := range strings.Split(text, ",") {
		*l = append(*l, strings.TrimSpace(name))
	}
	return nil
}

// String writes the list with commas.
func (l *networkList) String() string { return strings.Join(*l, ",") }

// UnmarshalText reads a list with commas; a list in YAML is taken as it is.
func (l *networkList) UnmarshalText(text []byte) error { return l.Set(string(text)) }

// networks returns those that the list names: nil for the default, empty for "none".
func (l networkList) networks() ([]netip.Prefix, error) {
	if l == nil {
		return nil, nil
	}
	networks := []netip.Prefix{}
	if slices.Equal(l, networkList{"none"}) {
		return networks, nil
	}
	for _, name := range l {
		if name == "private" {
			networks = append(networks, tilehttp.PrivateNetworks()...)
			continue
		}
		network, err := parseNetwork(name)
		if err != nil {
			return nil, fmt.Errorf("%q is not an address, a network such as 10.0.0.0/8, or \"private\"", name)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// parseNetwork reads a network, or an address as a network of one.
func parseNetwork(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		network, err := netip.ParsePrefix(text)
		return network.Masked(), err
	}
	address, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	address = address.Unmap().WithZone("")
	return address.Prefix(address.BitLen())
}
