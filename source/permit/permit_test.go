package permit

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// policyOf returns a policy that allows some addresses.
func policyOf(t testing.TB, allowed ...string) (p Policy) {
	t.Helper()
	for _, text := range allowed {
		prefix, err := ParsePrefix(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Allowed = append(p.Allowed, prefix)
	}
	return p
}

func TestAddressesBelowAPrefixArePermitted(t *testing.T) {
	p := policyOf(t, "https://data.example.org/maps/", "https://data.example.org/one.tif", "http://*.example.net", "https://example.org:8443/a b",
		"s3://bucket/some/folder", "gs://bucket.of.maps", "az://container/", "https://xn--bcher-kva.example/", "http://8.8.8.8/", "https://[2606:4700::1111]/")
	for address, want := range map[string]string{
		"https://data.example.org/maps/a.tif":                                  "",
		"https://data.example.org/maps/":                                       "",
		"https://data.example.org/maps/deep/er.tif":                            "",
		"HTTPS://Data.Example.ORG:443/maps/a.tif":                              "https://data.example.org/maps/a.tif",
		"https://data.example.org/one.tif":                                     "",
		"https://data.example.org/one.tif?X-Amz-Signature=abc%2F&t=1&name=%E4": "",
		"http://a.example.net/x.tif":                                           "",
		"http://a.b.example.net:80":                                            "http://a.b.example.net/",
		"https://example.org:8443/a b/städte.tif":                              "https://example.org:8443/a%20b/st%C3%A4dte.tif",
		"https://example.org:8443/a%20b/%2b+%7e%61":                            "https://example.org:8443/a%20b/%2B+~a",
		"https://example.org:8443/a%20b/100%25.tif":                            "",
		"https://example.org:8443/a%20b/a...b/..c":                             "",
		"S3://bucket/some/folder/100%25 of.tif":                                "s3://bucket/some/folder/100%25 of.tif",
		"s3://bucket/some/folder":                                              "",
		"gs://bucket.of.maps/any/key":                                          "",
		"az://container/a+b.tif":                                               "",
		"https://xn--bcher-kva.example/a.tif":                                  "",
		"http://8.8.8.8/a.tif":                                                 "",
		"https://[2606:4700:0:0::1111]/a.tif":                                  "https://[2606:4700::1111]/a.tif",
	} {
		if want == "" {
			want = address
		}
		if got, err := p.Check(address); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", address, got, err, want)
		}
		if again, err := p.Check(want); again != want || err != nil {
			t.Errorf("%s is %q the second time, %v", want, again, err)
		}
	}
}

// The policies of the tests below allow what these addresses may be taken for.
func TestAddressesWithTwoMeaningsAreRefused(t *testing.T) {
	p := policyOf(t, "https://example.org/maps/", "http://127.0.0.1/", "http://localhost/", "s3://bucket/maps/", "http://[::1]/", "http://*.example.org/")
	for why, addresses := range map[string][]string{
		"user or a password": {
			"https://example.org@evil.example/maps/", "https://user:secret@example.org/maps/a", "s3://secret@bucket/maps/a",
		},
		"fragment":          {"https://example.org/maps/#secret", "https://example.org#@evil.example/maps/", "https://evil.example#.example.org/"},
		"backslash":         {`https://example.org\@evil.example/maps/`, `https://example.org/maps/..\..\x`, `https:\\example.org/maps/`},
		"control character": {"https://example.org/maps/\x00", "https://example.org/maps/a\r\nHost: evil", "\thttps://example.org/maps/", "https://example.org/maps/\x7f"},
		"dot segment": {
			"https://example.org/maps/../x", "https://example.org/maps/./x", "https://example.org/maps/..", "https://example.org/maps/a/..;/..;/x",
			"https://example.org/maps/..;v=1/x", "s3://bucket/maps/../x", "s3://bucket/maps/.",
		},
		"empty segment": {"https://example.org//evil.example/maps/", "https://example.org/maps//x", "s3://bucket/maps//x"},
		"escaped slash, backslash or dot": {
			"https://example.org/maps/..%2fx", "https://example.org/maps/%2e%2e/x", "https://example.org/maps/.%2E/x", "https://example.org/maps/a%5cb",
			"https://example.org/maps%2Fx", "s3://bucket/maps/%2e%2e/x", "s3://bucket/maps/..%2Fx",
		},
		"escaped control character": {"https://example.org/maps/a%00.tif", "https://example.org/maps/a%0d%0ab", "https://example.org/maps/%7F", "s3://bucket/maps/%00"},
		"escaped twice":             {"https://example.org/maps/%252e%252e/x", "https://example.org/maps/%252fx", "https://example.org/maps/%25%32%65", "s3://bucket/maps/%252e"},
		"invalid escape":            {"https://example.org/maps/%", "https://example.org/maps/%2", "https://example.org/maps/%zz", "s3://bucket/maps/%u002e"},
		"not UTF-8":                 {"https://example.org/maps/%c0%ae%c0%ae/x", "https://example.org/maps/\xff", "s3://bucket/maps/%ff", "s3://bucket/maps/\xc0\xaf"},
		"four decimal numbers": {
			"http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0X7F.0.0.1/", "http://017700000001/", "http://0177.0.0.1/", "http://127.1/",
			"http://127.0.1/", "http://127.000.000.001/", "http://1.2.3.4.5/", "http://127.0.0.0x1/", "http://0/", "http://evil.0x/", "http://256.1.1.1/",
		},
		"IPv4 address within": {"http://[::ffff:127.0.0.1]/", "http://[::FFFF:7f00:1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::127.0.0.1]/"},
		"a zone":              {"http://[fe80::1%25eth0]/", "http://[::1%lo]/", "http://[fe80::1%1]/"},
		"no IPv6 address":     {"http://[::1/", "http://[]/", "http://[127.0.0.1]/", "http://[example.org]/", "http://[::1]x/", "http://[::1].example.org/", "http://[0::0::1]/"},
		"not ASCII":           {"https://exаmple.org/maps/", "https://example。org/maps/", "http://localhost．/", "http://①27.0.0.1/", "http://\u212aaa.example.org/", "http\u017f://example.org/"},
		"is no name": {
			"https://example.org./maps/", "http://localhost./", "https://.example.org/", "http://a..example.org/", "https://example.org%2f/maps/",
			"http://%31%32%37.0.0.1/", "http://exam%70le.org/maps/", "http://-a.example.org/", "http://a b.example.org/", "http://a!.example.org/",
			"http://" + strings.Repeat("a", 64) + ".example.org/", "http://" + strings.Repeat("a.", 130) + "example.org/", "http://*.example.org/", "http://127.0.0.1./",
		},
		"its port": {
			"https://example.org:/maps/", "https://example.org:0/maps/", "https://example.org:0443/maps/", "https://example.org:65979/maps/", "https://example.org:+443/maps/",
			"https://example.org:x/maps/", "https://example.org: 443/maps/", "https://user:se/cr?et@example.org/maps/", "http://::1:80:x/",
		},
		"no host":         {"https:///maps/", "https://", "https://?x", "http://:80/"},
		"its bucket":      {"s3:///maps/", "s3://bucket:443/maps/", "s3://../maps/", "s3://bücket/maps/", "s3://buc%6bet/maps/", "gs://a b/"},
		"has no query":    {"s3://bucket/maps/a?x", "gs://b?acl"},
		"must be escaped": {"https://example.org/maps/?a b", "https://example.org/maps/?ä"},
		"the scheme": {
			"ftp://example.org/maps/", "file:///etc/passwd", "gopher://example.org/", "/vsicurl/https://example.org/maps/://", "unix:///socket", "view-source:https://example.org/maps/",
			" https://example.org/maps/", "jar:http://example.org!/", "://example.org/maps/",
		},
		"no scheme":   {"", "//example.org/maps/", "/etc/passwd", "example.org/maps/", "https:/example.org/maps/", "https:example.org/maps/", "data:,x"},
		"longer than": {"https://example.org/maps/" + strings.Repeat("a", maxAddressBytes)},
	} {
		for _, address := range addresses {
			if got, err := p.Check(address); got != "" || !errors.Is(err, ErrNotPermitted) || !strings.Contains(err.Error(), why) {
				t.Errorf("%q: got %q, %v, want an error with %q", address, got, err, why)
			}
			if _, err := ParsePrefix(address); err == nil && !strings.Contains(address, "://*.") {
				t.Errorf("%q was accepted as a prefix", address)
			}
		}
	}
}

func TestAddressesElsewhereAreRefused(t *testing.T) {
	p := policyOf(t, "https://example.org/maps", "https://data.example.org/maps/", "http://*.example.net/", "s3://bucket/some/folder", "https://example.com:8443")
	for _, address := range []string{
		"https://example.org/", "https://example.org/map", "https://example.org/mapsx/a", "https://example.org/Maps/a", "https://example.org/maps.tif", "https://example.org/other/maps/a",
		"http://example.org/maps/a", "https://example.org:8443/maps/a", "https://www.example.org/maps/a", "https://example.org.evil.example/maps/a",
		"https://data.example.org/maps", "http://example.net/", "http://evilexample.net/", "http://a.example.net.evil.example/", "https://a.example.net/",
		"s3://bucket/some/folder2", "s3://bucket/some", "s3://bucket/", "s3://Bucket/some/folder/a", "gs://bucket/some/folder/a", "https://bucket/some/folder/a",
		"https://example.com/", "http://example.com:8443/",
	} {
		if got, err := p.Check(address); got != "" || !errors.Is(err, ErrNotPermitted) || !strings.Contains(err.Error(), "does not lie below an address of url.allow") {
			t.Errorf("%s: got %q, %v", address, got, err)
		}
	}
}

func TestAnEmptyPolicyNamesTheKeyToSet(t *testing.T) {
	for _, address := range []string{"https://example.org/a.tif", "", "nonsense"} {
		if _, err := (Policy{}).Check(address); !errors.Is(err, ErrNotPermitted) || !strings.Contains(err.Error(), "url.allow") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := (Policy{Allowed: []Prefix{{}}}).Check("://"); err == nil {
		t.Error("the zero Prefix contains something")
	}
}

func TestIPAddressesThatAreNotPublicMustBeListed(t *testing.T) {
	p := policyOf(t, "http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/", "http://10.0.0.1/")
	for _, address := range []string{"http://127.0.0.1/x", "http://[::1]/x", "http://169.254.169.254/latest/", "http://10.0.0.1/"} {
		if _, err := p.Check(address); !errors.Is(err, ErrNotPermitted) {
			t.Errorf("%s: %v", address, err)
		}
	}
	p.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for address, want := range map[string]bool{"http://127.0.0.1/x": true, "http://[::1]/x": true, "http://169.254.169.254/latest/": false, "http://10.0.0.1/": false} {
		if _, err := p.Check(address); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestErrorsTellNoSecrets(t *testing.T) {
	p := policyOf(t, "https://example.org/maps/")
	for _, address := range []string{
		"https://evil.example/a.tif?sig=secret", "https://user:secret@example.org/maps/a", "https://user:se?cret-secret@example.org/", "secret@example.org", "secret:secret@example.org/",
		"https://example.org/maps/..?sig=secret", "https://example.org/maps/#secret", "s3://b/?secret", "https://example.org/other/?" + strings.Repeat("secret", 2000), "se@cret://secret",
	} {
		if _, err := p.Check(address); err == nil || strings.Contains(err.Error(), "secret") || len(err.Error()) > 400 {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := p.Check("https://evil.example/a\nb?sig"); err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "evil.example") {
		t.Errorf("%v", err)
	}
}

func TestPrefixesAreWrittenAsTheyAreParsed(t *testing.T) {
	for _, text := range []string{"https://example.org/maps/", "https://*.example.org/", "http://h:8080/a", "s3://b", "s3://b/a b"} {
		if prefix, err := ParsePrefix(text); err != nil || prefix.String() != text {
			t.Errorf("%s: %s, %v", text, prefix, err)
		}
	}
	for _, text := range []string{"https://*/", "https://*.*.org/", "https://a.*.org/", "s3://*.bucket/", "https://*.1.2.3.4/", "https://*.[::1]/", "https://example.org/?sig=secret", "*.example.org", "https://*."} {
		if prefix, err := ParsePrefix(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %s, %v", text, prefix, err)
		}
	}
}
