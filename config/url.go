package config

import (
	"fmt"
	"net/netip"

	"tileserver/source/permit"
)

// A URL says which files requests may name by their address.
type URL struct {
	Allow    []string `yaml:"allow"`    // addresses, with all that lies below them
	Networks Networks `yaml:"networks"` // that may be reached although they are not public
}

// Policy returns which addresses are permitted. A valid URL has no error.
func (u *URL) Policy() (p permit.Policy, err error) {
	for i, text := range u.Allow {
		prefix, err := permit.ParsePrefix(text)
		if err != nil {
			return permit.Policy{}, fmt.Errorf("url.allow[%d]: %w", i, err)
		}
		p.Allowed = append(p.Allowed, prefix)
	}
	if p.Networks, err = u.Networks.Prefixes(privateNetworks()); err != nil {
		return permit.Policy{}, fmt.Errorf("url.networks: %w", err)
	}
	return p, nil
}

// privateNetworks returns what "private" stands for among the networks that may be reached.
func privateNetworks() []netip.Prefix {
	var networks []netip.Prefix
	for _, text := range []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "::1/128", "fc00::/7"} {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}

func (v *validation) url(path string, u *URL) {
	for i, text := range u.Allow {
		_, err := permit.ParsePrefix(text)
		v.require(err == nil, fmt.Sprintf("%s.allow[%d]", path, i), "%v", err)
	}
	_, err := u.Networks.Prefixes(nil)
	v.require(err == nil, path+".networks", "%v", err)
	v.require(u.Networks == nil || len(u.Allow) > 0, path+".networks", `has no effect without "allow"`)
}

// urlSettings returns the keys of "url".
func urlSettings() []Setting {
	return []Setting{
		{Key: "allow", Value: "list", Default: "none", Example: "[https://data.example.org/maps/, https://*.example.net, s3://imagery]",
			Help: "Addresses of web servers and buckets; all that lies below one is shown to those who ask. `*.` stands for all subdomains"},
		{Key: "networks", Value: "NETWORK,…", Default: "none", Example: "[10.1.0.0/16]",
			Help: `Networks of web servers in "allow" that are not public; "private" for all private networks, but not for addresses with the metadata of machines, which must be listed one by one. Redirects of other files may lead there, too`},
	}
}

const aboutURLKeys = "Requests may name files that are not configured, at [`/url`](http-api.md#files-by-address). Without `url` they may not. Only what\n" +
	"`allow` lists is read, and no server in a private network unless `networks` has it, whatever a name resolves to or redirects to.\n" +
	"Buckets are read with the credentials of the server."
