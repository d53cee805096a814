package transport

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source/permit"
)

// redirecting returns a client of a server that redirects with a status to signed addresses of another one, which
// answers as a function says. It counts the requests to each.
func redirecting(with func() *http.Response, target func(r *http.Request) (*http.Response, error)) (c *Client, front, back *int) {
	front, back = new(int), new(int)
	c, _ = newTestClient(func(_ int, r *http.Request) (*http.Response, error) {
		if r.URL.Host == address.Host {
			*front++
			return with(), nil
		}
		*back++
		return target(r)
	})
	return c, front, back
}

func redirect(code int, header ...string) *http.Response {
	answer, _ := status(code, "", append(header, "Location", "https://cdn.example.net/a.tif?sig=hidden")...)
	return answer
}

func bytesAnswer(*http.Request) (*http.Response, error) { return status(206, "bytes") }

func TestRedirectsAreRememberedForATime(t *testing.T) {
	for name, test := range map[string]struct {
		answer *http.Response
		after  []time.Duration // of a request
		want   int             // redirects
	}{
		"a temporary one":                   {redirect(302), []time.Duration{0, 9 * time.Second}, 1},
		"a temporary one, later":            {redirect(307), []time.Duration{0, 11 * time.Second}, 2},
		"one with an age":                   {redirect(302, "Cache-Control", "private, max-age=40"), []time.Duration{0, 39 * time.Second}, 1},
		"one with a long age":               {redirect(302, "Cache-Control", "max-age=86400"), []time.Duration{0, 61 * time.Second}, 2},
		"one that must not be stored":       {redirect(302, "Cache-Control", "No-Store"), []time.Duration{0, 0}, 2},
		"a permanent one":                   {redirect(301), []time.Duration{0, 9 * time.Minute}, 1},
		"a permanent one, later":            {redirect(308), []time.Duration{0, 11 * time.Minute}, 2},
		"a permanent one with a short time": {redirect(301, "Cache-Control", "max-age=5"), []time.Duration{0, 6 * time.Second}, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, front, back := redirecting(func() *http.Response { return redirectLike(test.answer) }, bytesAnswer)
			for _, pause := range test.after {
				time.Sleep(pause)
				if body, err := get(t.Context(), c, &pass{}); body != "bytes" || err != nil {
					t.Errorf("%s: got %q, %v", name, body, err)
				}
			}
			if *front != test.want || *back != len(test.after) {
				t.Errorf("%s: asked %d and %d times, want %d and %d", name, *front, *back, test.want, len(test.after))
			}
		})
	}
}

// redirectLike returns a fresh answer with the headers of another one.
func redirectLike(other *http.Response) *http.Response {
	answer := redirect(other.StatusCode)
	answer.Header = other.Header.Clone()
	return answer
}

// An address whose signature has expired, and one that fails, is fetched anew at once: the client loses nothing.
func TestARedirectThatExpiresIsFetchedAnew(t *testing.T) {
	for name, failure := range map[string]func(r *http.Request) (*http.Response, error){
		"403": func(*http.Request) (*http.Response, error) { return status(403, "<Code>AccessDenied</Code>") },
		"404": func(*http.Request) (*http.Response, error) { return status(404, "") },
		"500": func(*http.Request) (*http.Response, error) { return status(500, "") },
		"a redirect": func(*http.Request) (*http.Response, error) {
			return status(302, "", "Location", "https://example.org/login")
		},
		"no answer": func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") },
	} {
		synctest.Test(t, func(t *testing.T) {
			fails := false
			c, front, back := redirecting(func() *http.Response { return redirect(302) }, func(r *http.Request) (*http.Response, error) {
				if fails {
					fails = false
					return failure(r)
				}
				return bytesAnswer(r)
			})
			c.originOf(address).retries.saved = 0
			for i := range 3 {
				fails = i == 1
				if body, err := get(t.Context(), c, nil); body != "bytes" || err != nil {
					t.Errorf("%s: got %q, %v", name, body, err)
				}
			}
			if *front != 2 || *back != 4 {
				t.Errorf("%s: asked %d and %d times, want 2 and 4", name, *front, *back)
			}
		})
	}
}

// What lies behind a redirect that fails is not remembered, and the error of what fails again is that of the request.
func TestARedirectThatFailsIsNotRemembered(t *testing.T) {
	c, front, back := redirecting(func() *http.Response { return redirect(302) }, func(*http.Request) (*http.Response, error) { return status(403, "") })
	for range 2 {
		refused := (*RefusedError)(nil)
		if _, err := get(t.Context(), c, nil); !errors.As(err, &refused) || refused.Status != 403 || strings.Contains(err.Error(), "hidden") {
			t.Errorf("got %v", err)
		}
	}
	if *front != 2 || *back != 2 {
		t.Errorf("asked %d and %d times", *front, *back)
	}
}

// Each use of a redirect is checked, and what leaves a server does not come back as its own.
func TestRememberedRedirectsAreChecked(t *testing.T) {
	var withPass int
	c, _ := newTestClient(func(_ int, r *http.Request) (*http.Response, error) {
		switch {
		case r.URL.Host == "cdn.example.net":
			return status(302, "", "Location", "https://example.org/back.tif")
		case r.URL.Path != "/back.tif":
			return redirect(302), nil
		}
		if r.Header.Get("Authorization") != "" {
			withPass++
		}
		return bytesAnswer(r)
	})
	for range 3 {
		if _, err := get(t.Context(), c, &pass{}); err != nil {
			t.Fatal(err)
		}
	}
	if withPass != 0 {
		t.Errorf("%d requests that came from another server prove who asks", withPass)
	}
	inward := &url.URL{Scheme: "https", Host: "127.0.0.1", Path: "/"}
	key := detourKeyOf(Request{URL: address, IsTrusted: true})
	c.detours.put(key, detour{hops: []*url.URL{inward}, until: time.Now().Add(time.Hour)})
	if _, err := c.sendAlong(t.Context(), Request{URL: address, IsTrusted: true}, c.detours.get(key)); !errors.Is(err, permit.ErrNotPermitted) {
		t.Errorf("a redirect inward: %v", err)
	}
}

// How many redirects are remembered is bounded, and so is their length.
func TestRememberedRedirectsAreBounded(t *testing.T) {
	d := detours{known: make(map[detourKey]detour)}
	found := detour{hops: []*url.URL{address}, until: time.Now().Add(time.Hour)}
	for i := range 3 * maxDetours {
		d.put(detourKey{address: [32]byte{byte(i), byte(i >> 8)}}, found)
	}
	if n := len(d.known); n == 0 || n > maxDetours {
		t.Errorf("%d are remembered", n)
	}
	found.hops = []*url.URL{{Scheme: "https", Host: "a", Path: "/" + strings.Repeat("x", maxDetourBytes)}}
	key := detourKey{isTrusted: true}
	if d.put(key, found); d.get(key) != nil {
		t.Error("a long one is remembered")
	}
}

// The wait for a hedge is that of the whole way, not of the first server on it.
func TestHedgesWaitForTheWholeWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _, _ := redirecting(func() *http.Response { return redirect(302) }, func(r *http.Request) (*http.Response, error) {
			time.Sleep(200 * time.Millisecond)
			return bytesAnswer(r)
		})
		for range 2 * enoughSamples {
			if _, err := get(t.Context(), c, nil); err != nil {
				t.Fatal(err)
			}
		}
		if wait, isKnown := c.originOf(address).pace.hedgeAfter(); !isKnown || wait < 200*time.Millisecond {
			t.Errorf("a hedge is due after %v", wait)
		}
		for _, stats := range c.Stats() {
			if stats.Hedges != 0 {
				t.Errorf("%+v", stats)
			}
		}
	})
}
