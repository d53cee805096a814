package main

import (
	"net/netip"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	tilehttp "tileserver/http"
)

// networkList names networks: addresses, blocks of them like 10.0.0.0/8, and "private" for
// all that nobody has on the Internet. "none" stands alone. Nil says nothing.
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

// UnmarshalYAML reads a list, or a text as Set does.
func (l *networkList) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode && node.Tag != "!!null" {
		return l.Set(node.Value)
	}
	var names []string
	err := node.Decode(&names)
	*l = names
	return err
}

// networks are those that the list names; nil if it says nothing, and empty if it says "none".
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
			return nil, usageError("trusted-proxies: %q is neither an address, nor a network like 10.0.0.0/8, nor private", name)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// parseNetwork reads a network, or an address as the network of nobody else.
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
