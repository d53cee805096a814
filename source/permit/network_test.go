package permit

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func control(p Policy, ip string) error {
	network := "tcp4"
	if strings.Contains(ip, ":") {
		network = "tcp6"
	}
	return p.Control(network, net.JoinHostPort(ip, "443"), nil)
}

func TestConnectionsToAddressesThatAreNotPublicAreRefused(t *testing.T) {
	for why, ips := range map[string][]string{
		"unspecified":       {"0.0.0.0", "0.1.2.3", "::ffff:0.0.0.0", "64:ff9b::"},
		"private":           {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "::ffff:10.0.0.1", "64:ff9b::192.168.0.1"},
		"provider":          {"100.64.0.1", "100.127.255.255", "::ffff:100.100.100.1"},
		"loopback":          {"127.0.0.1", "127.255.255.254", "::ffff:127.0.0.1", "64:ff9b::7f00:1"},
		"link-local":        {"169.254.0.1"},
		"metadata":          {"169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd20:ce::254", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe"},
		"protocols":         {"192.0.0.1", "2001::1", "2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:5601:5601", "2001:10::1", "2001:2::1", "2001:20::1"},
		"documentation":     {"192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"},
		"benchmarks":        {"198.18.0.1", "198.19.255.255"},
		"multicast":         {"224.0.0.1", "239.255.255.255"},
		"reserved":          {"240.0.0.1", "255.255.255.255", "::ffff:255.255.255.255"},
		"6to4":              {"192.88.99.1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1"},
		"no public address": {"::", "::1", "::127.0.0.1", "fe80::1", "fc00::1", "fec0::1", "ff02::1", "64:ff9b:1::7f00:1", "::ffff:0:7f00:1", "100::1", "5f00::1", "4000::1"},
		"a zone":            {"fe80::1%eth0", "2606:4700::1111%eth0"},
	} {
		for _, ip := range ips {
			if err := control(Policy{}, ip); !errors.Is(err, ErrNotPermitted) || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v, want an error with %q", ip, err, why)
			}
		}
	}
}

func TestConnectionsToPublicAddressesAreMade(t *testing.T) {
	for _, ip := range []string{
		"8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255",
		"198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::808:808", "2606:4700::1111", "2001:200::1", "2a00:1450:4001::200e",
	} {
		if err := control(Policy{}, ip); err != nil {
			t.Errorf("%s: %v", ip, err)
		}
	}
}

func TestListedNetworksAreReached(t *testing.T) {
	p := Policy{Networks: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd12::/32")}}
	for ip, want := range map[string]bool{
		"10.1.2.3": true, "::ffff:10.1.2.3": true, "64:ff9b::10.1.2.3": true, "fd12::1": true, "8.8.8.8": true,
		"10.2.0.1": false, "::ffff:10.2.0.1": false, "127.0.0.1": false, "fd13::1": false, "fd12::1%eth0": false,
	} {
		if err := control(p, ip); (err == nil) != want {
			t.Errorf("%s: %v", ip, err)
		}
	}
}

// Metadata is refused, whatever networks are listed, unless its address is.
func TestMetadataIsReachedOnlyIfItIsListedItself(t *testing.T) {
	var ranges []netip.Prefix
	for _, text := range []string{"0.0.0.0/0", "::/0", "fc00::/7", "fd00:ec2::/64", "169.254.0.0/16", "169.254.169.254/31", "192.0.0.0/24", "100.64.0.0/10"} {
		ranges = append(ranges, netip.MustParsePrefix(text))
	}
	for _, ip := range []string{
		"169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
		"168.63.129.16", "100.100.100.200", "169.254.0.23", "fd00:c1::a9fe:a9fe", "192.0.0.192", "fd00:a9fe:a9fe::1", "169.254.42.42", "fd00:42::42",
	} {
		if err := control(Policy{Networks: ranges}, ip); !errors.Is(err, ErrNotPermitted) || !strings.Contains(err.Error(), "metadata") {
			t.Errorf("%s: %v", ip, err)
		}
		itself := embedded(netip.MustParseAddr(ip))
		if err := control(Policy{Networks: append(ranges, netip.PrefixFrom(itself, itself.BitLen()))}, ip); err != nil {
			t.Errorf("%s, listed: %v", ip, err)
		}
	}
	for _, ip := range []string{"169.254.1.1", "fd00:ec3::254", "fd00::1", "100.100.100.201"} {
		if err := control(Policy{Networks: ranges}, ip); err != nil {
			t.Errorf("%s: %v", ip, err)
		}
	}
}

func TestOnlyConnectionsOfTCPAreMade(t *testing.T) {
	for _, to := range [][2]string{{"udp4", "8.8.8.8:53"}, {"unix", "/socket"}, {"tcp4", "example.org:80"}, {"tcp4", "8.8.8.8"}, {"tcp4", ""}} {
		if err := (Policy{}).Control(to[0], to[1], nil); !errors.Is(err, ErrNotPermitted) {
			t.Errorf("%v: %v", to, err)
		}
	}
}
