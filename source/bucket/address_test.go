package bucket

import (
	"errors"
	"io/fs"
	"net/url"
	"strings"
	"testing"
)

func TestAddressesAreSplitIntoBucketAndKey(t *testing.T) {
	for path, want := range map[string]Address{
		"s3://maps/a/b.tif":  {"maps", "a/b.tif"},
		"S3://maps/a/b.tif":  {"maps", "a/b.tif"},
		"s3://maps":          {"maps", ""},
		"s3://maps/":         {"maps", ""},
		"s3://maps/a//":      {"maps", "a"},
		"s3://maps//a.tif":   {"maps", "/a.tif"},
		"s3://maps/a?b#c%20": {"maps", "a?b#c%20"},
		"s3:///a":            {"", "a"},
	} {
		got, err := Split("s3", path)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", path, got, err)
		}
		if again, err := Split("s3", got.Path("s3")); err != nil || again != got {
			t.Errorf("%s is written as %s", path, got.Path("s3"))
		}
	}
	for _, path := range []string{"", "s3:/maps/a", "gs://maps/a", "maps/a", "s3"} {
		if _, err := Split("s3", path); err == nil {
			t.Errorf("%q was accepted", path)
		}
	}
}

func TestKeysThatLeadElsewhereAreRefused(t *testing.T) {
	for _, key := range []string{"a.tif", "a b/ü.tif", "..a/b..", "a//b", "a\nb", ".../x"} {
		if err := CheckKey(key); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, key := range []string{"..", "a/../b", "./a", "a/.", "a\xff", strings.Repeat("a", maxKeyBytes+1)} {
		if CheckKey(key) == nil {
			t.Errorf("%.20q was accepted", key)
		}
	}
	if err := (Address{"maps", ""}).CheckObject(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a bucket was taken for an object: %v", err)
	}
}

func TestNamesOfBucketsAreNoHosts(t *testing.T) {
	for _, name := range []string{"maps", "my.maps", "Old_Maps", "0a0"} {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "ab", ".maps", "user:secret@host", "a b c", "höhe", "maps:80", "[::1]", "-maps", "%2e%2e", strings.Repeat("a", 256)} {
		if err := CheckName(name); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.20q: %v", name, err)
		}
	}
}

func TestKeysAreEscapedAsSignaturesWant(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "example.org"}
	for key, want := range map[string]string{
		"a b+c%d":         "/a%20b%2Bc%25d",
		"~a_b-c.d":        "/~a_b-c.d",
		"ü/日本":            "/%C3%BC/%E6%97%A5%E6%9C%AC",
		"a//b":            "/a//b",
		"/a":              "//a",
		"!$&'()*,;=:@?#[": "/%21%24%26%27%28%29%2A%2C%3B%3D%3A%40%3F%23%5B",
		"a\x00\x7f\n":     "/a%00%7F%0A",
	} {
		u := Below(base, key)
		if got := u.EscapedPath(); got != want {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
		if again, err := url.Parse(u.String()); err != nil || again.Host != base.Host || again.Path != "/"+key {
			t.Errorf("%q: %s leads elsewhere", key, u)
		}
	}
}

func TestEndpointsAreBasesOfURLs(t *testing.T) {
	for text, want := range map[string]string{
		"https://S3.Example.org/":     "https://s3.example.org",
		"http://127.0.0.1:9000/a/b/":  "http://127.0.0.1:9000/a/b",
		"http://[::1]:9000":           "http://[::1]:9000",
		"https://example.org//":       "https://example.org",
		"https://example.org:443":     "https://example.org",
		"http://example.org:443":      "http://example.org:443",
		"http://example.org:80/":      "http://example.org",
		"https://example.org/a%20b/c": "https://example.org/a%20b/c",
	} {
		if got, err := ParseEndpoint(text); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "example.org", "ftp://example.org", "https://", "https:///a", "https://u:secret@example.org", "https://example.org?sig=secret",
		"https://example.org#secret", "https://secret\x7f@x", "https://:80",
	} {
		if _, err := ParseEndpoint(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestSecretsAreKeptByEncryptionAndWithinTheMachine(t *testing.T) {
	for text, want := range map[string]bool{
		"https://example.org": true, "http://127.0.0.1:1": true, "http://[::1]": true, "http://localhost:1": true,
		"http://example.org": false, "http://10.0.0.1": false, "http://127.0.0.1.example.org": false, "http://127.example.org": false,
	} {
		u, err := url.Parse(text)
		if err != nil || KeepsSecrets(u) != want {
			t.Errorf("%s: %v, %v", text, KeepsSecrets(u), err)
		}
	}
}
