package permit

import (
	"net/http"
	"path"
	"strings"
	"testing"
)

// isAllowedByHand reports what the policy of the fuzz target allows, without its code.
func isAllowedByHand(scheme, host, cleaned string) bool {
	isIn := func(folder string) bool { return cleaned == folder || strings.HasPrefix(cleaned, folder+"/") }
	switch scheme {
	case "https":
		return host == "example.org" && isIn("/maps") || host == "8.8.8.8:8443" || host == "[2606:4700::1111]"
	case "http":
		return strings.HasSuffix(host, ".example.net") && !strings.ContainsAny(host, ":@/\\%")
	case "s3":
		return host == "bucket" && isIn("/some/folder")
	}
	return false
}

// Whatever is permitted leads net/http to a permitted host, and below the prefix however often its path
// is unescaped and cleaned.
func FuzzPermittedAddressesLieBelowAPrefix(f *testing.F) {
	p := policyOf(f, "https://example.org/maps", "https://8.8.8.8:8443", "https://[2606:4700::1111]/", "http://*.example.net/", "s3://bucket/some/folder")
	for _, seed := range []string{
		"https://example.org/maps/a.tif?x=1", "https://example.org/maps/%C3%A4/..%2f", "https://8.8.8.8:8443/", "http://a.example.net:80/x/../y", "s3://bucket/some/folder/a%20b",
		"https://[2606:4700:0::1111]/a", "https://user@example.org/maps/", `https://example.org\.evil/maps/`, "https://example.org/maps;/..;/a", "HTTPS://EXAMPLE.ORG:443/maps/%7e%2B",
		"http://0x8.8.8.8/", "http://evil#.example.net/", "https://example.org/maps/%25%32%65%25%32%65/", "http://[::ffff:8.8.8.8]/", "s3://bucket/some/folder/%2e./x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		canonical, err := p.Check(address)
		if err != nil {
			return
		}
		if again, err := p.Check(canonical); again != canonical || err != nil {
			t.Errorf("%q is %q, and that is %q, %v", address, canonical, again, err)
		}
		request, err := http.NewRequest(http.MethodGet, canonical, nil)
		if err != nil {
			t.Fatal(err)
		}
		u := request.URL
		if u.User != nil || u.Fragment != "" || u.Opaque != "" || request.Host != u.Host {
			t.Errorf("%q is %#v", address, u)
		}
		for _, form := range []string{u.Path, u.EscapedPath(), strings.ReplaceAll(u.Path, ";", "/"), strings.ToLower(u.EscapedPath())} {
			if !isAllowedByHand(u.Scheme, u.Host, path.Clean("/"+form)) {
				t.Errorf("%q leads to %s of %s", address, form, u.Host)
			}
		}
	})
}
