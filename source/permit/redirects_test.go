package permit

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func urlOf(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestRedirectsStayWithinTheGuard(t *testing.T) {
	for _, test := range []struct {
		from, to  string
		isTrusted bool
		why       string // it is refused; "" if it is not
	}{
		{"http://minio:9000/a", "http://minio:9000/b", true, ""},
		{"http://MinIO:80/a", "https://minio/a", true, ""},
		{"https://h:8443/a", "https://h:8443/b?sig=1", true, ""},
		{"http://127.0.0.1/a", "http://127.0.0.1/b", true, ""},
		{"https://h/a", "https://data.example.org/maps/a?sig=1", true, ""},
		{"https://data.example.org/maps/a", "https://data.example.org/maps/b", false, ""},
		{"http://data.example.org/maps/a", "https://data.example.org/maps/a", false, ""},
		{"https://data.example.org/maps/a", "https://cdn.example.net/a", false, ""},

		{"https://h/a", "https://files.example/a", true, ""},
		{"https://h/a", "https://h:8443/a", true, ""},

		{"https://h/a", "https://10.0.0.1/a", true, "private"},
		{"https://h/a", "https://169.254.169.254/latest/", true, "metadata"},
		{"https://h/a", "https://[::ffff:10.0.0.1]/a", true, "IPv4"},
		{"https://h/a", "https://0x7f.1/a", true, "IPv4"},
		{"https://h/a", "https://files.example/%2e%2e/a", true, "escaped"},
		{"https://other.example/a", "https://files.example/a", false, "url.allow"},
		{"https://data.example.org/maps/a", "https://data.example.org/other", false, "url.allow"},
		{"https://data.example.org/maps/a", "https://data.example.org/maps/%2e%2e/other", false, "escaped"},
		{"https://data.example.org/maps/a", "https://169.254.169.254/latest/", false, "url.allow"},
		{"https://data.example.org/maps/a", "https://10.0.0.1/", false, "private"},
		{"https://h/a", "http://h/a", true, "https to http"},
		{"https://data.example.org/maps/a", "http://plain.example.org/a", false, "https to http"},
		{"http://h/a", "file:///etc/passwd", true, "another scheme"},
		{"http://h/a", "s3://bucket/a", true, "another scheme"},
		{"http://h/a", "http:opaque", true, "no scheme"},
		{"https://h/a", "https://user:secret@h/a", true, "user or a password"},
		{"https://data.example.org/maps/a", "https://user:secret@data.example.org/maps/a", false, "user or a password"},
	} {
		r := Redirects{Policy: policyOf(t, "https://data.example.org/maps/", "https://cdn.example.net/", "http://plain.example.org/", "https://10.0.0.1/"), IsTrusted: test.isTrusted}
		err := r.Follow(urlOf(t, test.from), urlOf(t, test.to))
		if isRefused := test.why != ""; isRefused != errors.Is(err, ErrNotPermitted) || isRefused && !strings.Contains(err.Error(), test.why) {
			t.Errorf("%s → %s: %v, want %q", test.from, test.to, err, test.why)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "sig=")) {
			t.Errorf("it tells secrets: %v", err)
		}
	}
}

func TestTrustEndsWithTheServer(t *testing.T) {
	r := Redirects{Policy: policyOf(t, "https://cdn.example.net/"), IsTrusted: true}
	home, away := urlOf(t, "https://h/a"), urlOf(t, "https://cdn.example.net/a")
	if err := r.Follow(home, away); err != nil || r.IsTrusted {
		t.Errorf("away: %v, trusted %t", err, r.IsTrusted)
	}
	if err := r.Follow(away, home); err != nil || r.IsTrusted {
		t.Errorf("home again: %v, trusted %t", err, r.IsTrusted)
	}
}

func TestARequestFollowsFiveRedirects(t *testing.T) {
	r, u := Redirects{IsTrusted: true}, urlOf(t, "https://h/a")
	for i := range 5 {
		if err := r.Follow(u, u); err != nil {
			t.Errorf("redirect %d: %v", i, err)
		}
	}
	if err := r.Follow(u, u); !errors.Is(err, ErrNotPermitted) || !strings.Contains(err.Error(), "too many") {
		t.Errorf("the sixth redirect: %v", err)
	}
}

func TestNothingThatProvesWhoAsksIsPortable(t *testing.T) {
	header := http.Header{}
	for _, name := range []string{
		"Authorization", "Cookie", "Proxy-Authorization", "Referer", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-Sha256", "X-Goog-User-Project", "X-Ms-Version", "X-Api-Key",
		"Range", "If-Match", "accept-encoding", "User-Agent",
	} {
		header.Set(name, "value")
	}
	portable := Portable(header)
	if names := slices.Sorted(maps.Keys(portable)); !slices.Equal(names, []string{"Accept-Encoding", "If-Match", "Range", "User-Agent"}) {
		t.Errorf("portable are %v", names)
	}
	if portable.Get("Range") != "value" || header.Get("Authorization") != "value" {
		t.Errorf("the values are %v, those before %v", portable, header)
	}
}
