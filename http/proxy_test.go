package http_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

func TestLinksBehindProxies(t *testing.T) {
	const proxy, stranger = "10.1.2.3:4567", "203.0.113.7:4567"
	all := map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "maps.example:8443", "X-Forwarded-Prefix": "/imagery/"}
	for _, test := range []struct {
		name, remote string
		headers      map[string]string
		want         string
	}{
		{"all of it", proxy, all, "https://maps.example:8443/imagery"},
		{"on this machine", "[::1]:99", all, "https://maps.example:8443/imagery"},
		{"an old address in a new one", "[::ffff:192.168.7.7]:99", all, "https://maps.example:8443/imagery"},
		{"on the same cable", "[fe80::1%eth0]:99", all, "https://maps.example:8443/imagery"},
		{"a socket", "@", all, "https://maps.example:8443/imagery"},
		{"a stranger", stranger, all, "http://example.com"},
		{"nothing", proxy, nil, "http://example.com"},
		{"the scheme alone", proxy, map[string]string{"X-Forwarded-Proto": "HTTPS"}, "https://example.com"},
		{"a chain", proxy, map[string]string{"X-Forwarded-Proto": "https, http", "X-Forwarded-Host": "maps.example, inner.local", "X-Forwarded-Prefix": "/imagery, /"}, "https://maps.example/imagery"},
		{"a chain with addresses", proxy, map[string]string{"X-Forwarded-Proto": "https,http", "X-Forwarded-Host": "maps.example,inner.local", "X-Forwarded-For": "203.0.113.7, 10.1.2.4"}, "https://maps.example"},
		{"a chain in which one proxy adds nothing", proxy, map[string]string{"X-Forwarded-Host": "maps.example", "X-Forwarded-For": "203.0.113.7, 10.1.2.4, [fd00::1]:99"}, "http://maps.example"},
		{"what a client sent before", proxy, map[string]string{"X-Forwarded-Host": "evil.example, maps.example", "X-Forwarded-For": "203.0.113.7"}, "http://maps.example"},
		{"what a client sent before a chain", proxy, map[string]string{"X-Forwarded-Host": "evil.example, maps.example, inner.local", "X-Forwarded-For": "10.9.9.9, 203.0.113.7, 10.1.2.4:55"}, "http://maps.example"},
		{"what a client sent of addresses", proxy, map[string]string{"X-Forwarded-Host": "evil.example, maps.example", "X-Forwarded-For": "10.9.9.9, ?, 203.0.113.7"}, "http://maps.example"},
		{"a proxy that adds to nothing", proxy, map[string]string{"X-Forwarded-Host": ", maps.example", "X-Forwarded-For": "10.1.2.4"}, "http://maps.example"},
		{"an empty list", proxy, map[string]string{"X-Forwarded-Host": "", "X-Forwarded-For": ","}, "http://example.com"},
		{"Forwarded", proxy, map[string]string{"Forwarded": `for=203.0.113.7;host="maps.example:8443";proto=HTTPS`}, "https://maps.example:8443"},
		{"Forwarded of a chain", proxy, map[string]string{"Forwarded": `For="203.0.113.7:1";Host=maps.example;Proto=https, for="[fd00::9]:80";host=inner.local;proto=http`}, "https://maps.example"},
		{"Forwarded with what a client sent before", proxy, map[string]string{"Forwarded": `host=evil.example;proto=https, for=203.0.113.7;host=maps.example;proto=http`}, "http://maps.example"},
		{"Forwarded and the older ones", proxy, map[string]string{"Forwarded": "host=evil.example", "X-Forwarded-Host": "maps.example"}, "http://maps.example"},
		{"Forwarded by a stranger", stranger, map[string]string{"Forwarded": "host=evil.example"}, "http://example.com"},
		{"Forwarded without sense", proxy, map[string]string{"Forwarded": `;;,="host=;x,"`}, "http://example.com"},
		{"an address of six", proxy, map[string]string{"X-Forwarded-Host": "[2001:db8::1]:80"}, "http://[2001:db8::1]:80"},
		{"another scheme", proxy, map[string]string{"X-Forwarded-Proto": "javascript"}, "http://example.com"},
		{"a host with a path", proxy, map[string]string{"X-Forwarded-Host": "evil.example/x"}, "http://example.com"},
		{"a host with a name", proxy, map[string]string{"X-Forwarded-Host": "user@evil.example"}, "http://example.com"},
		{"a host with quotes", proxy, map[string]string{"X-Forwarded-Host": `a"><script>`}, "http://example.com"},
		{"a long host", proxy, map[string]string{"X-Forwarded-Host": strings.Repeat("a", 300)}, "http://example.com"},
		{"a prefix of another host", proxy, map[string]string{"X-Forwarded-Prefix": "//evil.example"}, "http://example.com"},
		{"a prefix upwards", proxy, map[string]string{"X-Forwarded-Prefix": "/a/../b"}, "http://example.com"},
		{"a prefix without a slash", proxy, map[string]string{"X-Forwarded-Prefix": "imagery"}, "http://example.com"},
		{"a prefix with a break", proxy, map[string]string{"X-Forwarded-Prefix": "/a\r\nSet-Cookie: b"}, "http://example.com"},
		{"no prefix at all", proxy, map[string]string{"X-Forwarded-Prefix": "/"}, "http://example.com"},
	} {
		server := servertest.New(t, nil)
		got := servertest.DecodeJSON[servertest.LayerDocument](t, server.GetThrough(test.remote, "/layers/map", test.headers)).Links.Self
		if got != test.want+"/layers/map" {
			t.Errorf("%s: the layer is at %s, want it under %s", test.name, got, test.want)
		}
	}
}

func TestForwardedPrefixInPath(t *testing.T) {
	server := servertest.New(t, nil)
	for _, path := range []string{"/imagery/layers/map", "/layers/map"} {
		r := server.GetThrough("127.0.0.1:1", path, map[string]string{"X-Forwarded-Prefix": "/imagery"})
		if got := servertest.DecodeJSON[servertest.LayerDocument](t, r).Links.Self; got != "http://example.com/imagery/layers/map" {
			t.Errorf("%s: the layer is at %s", path, got)
		}
	}
	if got := server.GetThrough("203.0.113.7:1", "/imagery/layers/map", map[string]string{"X-Forwarded-Prefix": "/imagery"}); got.Code != http.StatusNotFound {
		t.Errorf("the prefix of an untrusted client is used: status %d", got.Code)
	}
}

func TestTrustedProxies(t *testing.T) {
	headers := map[string]string{"X-Forwarded-Host": "maps.example"}
	for _, test := range []struct {
		trusted []netip.Prefix
		remote  string
		want    string
	}{
		{[]netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}, "203.0.113.7:1", "http://maps.example/layers/map"},
		{[]netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}, "127.0.0.1:1", "http://example.com/layers/map"},
		{[]netip.Prefix{}, "127.0.0.1:1", "http://example.com/layers/map"},
		{[]netip.Prefix{}, "@", "http://example.com/layers/map"},
	} {
		server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.TrustedProxies = test.trusted })
		if got := servertest.DecodeJSON[servertest.LayerDocument](t, server.GetThrough(test.remote, "/layers/map", headers)).Links.Self; got != test.want {
			t.Errorf("%v, trusted %v: the layer is at %s, want %s", test.remote, test.trusted, got, test.want)
		}
	}
}

func TestConfigurationOverridesProxy(t *testing.T) {
	headers := map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "maps.example", "X-Forwarded-Prefix": "/theirs"}
	for _, test := range []struct{ origin, base, want string }{
		{"https://own.example", "/own", "https://own.example/own/layers/map"},
		{"https://own.example", "", "https://own.example/layers/map"},
		{"", "/own", "https://maps.example/own/layers/map"},
	} {
		server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.Origin, c.BasePath = test.origin, test.base })
		if got := servertest.DecodeJSON[servertest.LayerDocument](t, server.GetThrough("127.0.0.1:1", "/layers/map", headers)).Links.Self; got != test.want {
			t.Errorf("%q and %q: the layer is at %s, want %s", test.origin, test.base, got, test.want)
		}
	}
}

// The links of the HTML page are relative to a folder, whichever header or setting names it.
func TestPrefixWithoutSlashRedirects(t *testing.T) {
	const proxy, stranger = "10.1.2.3:4567", "203.0.113.7:4567"
	server := servertest.New(t, nil)
	for _, test := range []struct {
		remote, prefix, target string
		status                 int
		location               string
	}{
		{proxy, "/imagery", "/imagery", http.StatusPermanentRedirect, "/imagery/"},
		{proxy, "/imagery", "/imagery/", http.StatusOK, ""},
		{stranger, "/imagery", "/imagery", http.StatusNotFound, ""},
		{proxy, "/layers", "/layers", http.StatusOK, ""}, // a proxy that cuts the prefix off requests the rest
	} {
		got := server.GetThrough(test.remote, test.target, map[string]string{"X-Forwarded-Prefix": test.prefix})
		if got.Code != test.status || got.Header().Get("Location") != test.location {
			t.Errorf("%s below %s: status %d, Location %q", test.target, test.prefix, got.Code, got.Header().Get("Location"))
		}
	}
}

// HTTP/1.0 requests may have no host.
func TestLinksWithoutHost(t *testing.T) {
	server := servertest.New(t, nil)
	for name, test := range map[string]struct {
		local net.Addr
		want  string
	}{
		"an address":        {&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 8080}, "http://192.0.2.7:8080/layers/map"},
		"an address of six": {&net.TCPAddr{IP: net.ParseIP("2001:db8::1"), Port: 80}, "http://[2001:db8::1]:80/layers/map"},
		"a socket":          {&net.UnixAddr{Name: "/run/maps.sock", Net: "unix"}, "/layers/map"},
		"nothing":           {nil, "/layers/map"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/layers/map", nil)
		r.Host = ""
		if test.local != nil {
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, test.local))
		}
		if got := servertest.DecodeJSON[servertest.LayerDocument](t, server.Do(r)).Links.Self; got != test.want {
			t.Errorf("%s: the layer is at %s, want %s", name, got, test.want)
		}
	}
}
