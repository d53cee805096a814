package config

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Networks names networks: addresses, blocks such as 10.0.0.0/8, and "private" for all private
// networks. "none" must be the only name. Nil means the default.
type Networks []string

// Set parses a comma-separated list.
func (l *Networks) Set(text string) error {
	*l = Networks{}
	for _, name := range strings.Split(text, ",") {
		*l = append(*l, strings.TrimSpace(name))
	}
	return nil
}

// String returns a comma-separated list.
func (l *Networks) String() string { return strings.Join(*l, ",") }

// UnmarshalText parses a comma-separated list. A YAML list is decoded without it.
func (l *Networks) UnmarshalText(text []byte) error { return l.Set(string(text)) }

// Prefixes returns the networks of the list: nil for the default, empty for "none". The word
// "private" stands for the given networks.
func (l Networks) Prefixes(private []netip.Prefix) ([]netip.Prefix, error) {
	if l == nil {
		return nil, nil
	}
	networks := []netip.Prefix{}
	if slices.Equal(l, Networks{"none"}) {
		return networks, nil
	}
	for _, name := range l {
		if name == "private" {
			networks = append(networks, private...)
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

// parseNetwork parses a network, or an address as a network of one address.
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
