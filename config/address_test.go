package config

import (
	"testing"
)

func TestPublicURLs(t *testing.T) {
	for _, test := range []struct {
		text, origin, path string
		ok                 bool
	}{
		{"", "", "", true},
		{"https://maps.example", "https://maps.example", "", true},
		{"https://maps.example/", "https://maps.example", "", true},
		{"http://[::1]:8080/a/b/", "http://[::1]:8080", "/a/b", true},
		{"maps.example", "", "", false},
		{"//maps.example/a", "", "", false},
		{"ftp://maps.example/", "", "", false},
		{"https:///a", "", "", false},
		{"https://user@maps.example/", "", "", false},
		{"https://maps.example/?a=b", "", "", false},
		{"https://maps.example/#a", "", "", false},
		{"https://maps.example/a b", "", "", false},
		{"https://maps.example/a%2Fb", "", "", false},
		{"https://maps.example:port/", "", "", false},
	} {
		origin, path, err := splitPublicURL(test.text)
		if origin != test.origin || path != test.path || (err == nil) != test.ok {
			t.Errorf("%q: got %q, %q and %v, want %q and %q", test.text, origin, path, err, test.origin, test.path)
		}
	}
}
