package answer

import (
	"testing"
	"time"
)

func TestCachingEndsWithASignature(t *testing.T) {
	for _, test := range []struct {
		control string
		left    time.Duration
		want    string
	}{
		{"public, max-age=300, stale-while-revalidate=86400", time.Hour, "public, max-age=300, must-revalidate"},
		{"public, max-age=300, stale-while-revalidate=86400", 99900 * time.Millisecond, "public, max-age=99, must-revalidate"},
		{CacheImmutable, time.Minute, "public, max-age=60, must-revalidate"},
		{"public, Max-Age=\"300\", S-MaxAge=7000, stale-if-error=9", time.Minute, "public, max-age=60, s-maxage=60, must-revalidate"},
		{"public", time.Minute, "public, max-age=60, must-revalidate"},
		{"", time.Minute, "max-age=60, must-revalidate"},
		{"max-age=-5", time.Minute, "max-age=-5, must-revalidate"},
		{"private, max-age=99999999999999999999", time.Minute, "private, max-age=60, must-revalidate"},
		{"no-cache", time.Minute, "no-cache"},
		{"no-store", time.Minute, "no-store"},
		{"max-age=300", -time.Minute, "max-age=0, must-revalidate"},
	} {
		if got := cacheControlFor(test.control, test.left); got != test.want {
			t.Errorf("%q with %v left: %q, want %q", test.control, test.left, got, test.want)
		}
	}
}
