package s3

import (
	"net/url"
	"strings"
	"testing"
)

// Every address leads to its own place and to no other host, however it is spelled.
func FuzzLocate(f *testing.F) {
	for _, path := range []string{"s3://maps/a.tif", "S3://maps//a+ %/", "s3://my.maps/..%2f", "s3://a@b/c", "s3://maps/@example.org", "s3://maps/\x00?#"} {
		f.Add(path)
	}
	for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"} {
		f.Setenv(name, "")
	}
	var services []*Service
	for _, config := range []Config{{}, {Endpoint: "https://example.org:9000/base"}, {Endpoint: "https://example.org:9000/base", Style: VirtualHosts}} {
		services = append(services, serviceOf(config))
	}
	f.Fuzz(func(t *testing.T, path string) {
		for _, s := range services {
			canonical := s.Canonical(path)
			if again := s.Canonical(canonical); again != canonical {
				t.Errorf("%q is %q and then %q", path, canonical, again)
			}
			u, err := s.Locate(path)
			other, otherErr := s.Locate(canonical)
			if (err == nil) != (otherErr == nil) || err == nil && *u != *other {
				t.Errorf("%q: %v, %v, and canonical %v, %v", path, u, err, other, otherErr)
			}
			if err == nil {
				checkPlace(t, s, u)
			}
		}
	})
}

func checkPlace(t *testing.T, s *Service, u *url.URL) {
	end := ".amazonaws.com"
	if s.config.Endpoint != "" {
		end = "example.org:9000"
	}
	again, err := url.Parse(u.String())
	if err != nil || again.Path != u.Path || again.Host != u.Host || again.RawQuery != "" || !strings.HasSuffix(u.Host, end) {
		t.Errorf("%s leads to %v, %v", u, again, err)
	}
	where, err := s.where(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if name, isOurs := where.bucketOf(u); !isOurs || !strings.Contains(u.String(), name) {
		t.Errorf("%s is not ours", u)
	}
}
