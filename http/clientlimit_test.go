package http_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/clients"
	"tileserver/http/servertest"
)

// limited serves a layer to clients that may make two requests at once, and one each second.
func limited(t *testing.T, header string) *servertest.Server {
	t.Helper()
	return servertest.Serve(t, func(c *tilehttp.Config) {
		c.Clients = tilehttp.ClientLimits{Limiter: clients.New(clients.Limit{Rate: 1, Burst: 2}), Header: header}
	}, servertest.ScenesNamed(t, "map")...)
}

func TestClientsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := limited(t, "")
		ask := func(remote string) (status int, retry string) {
			got := server.GetThrough(remote, "/layers/map", nil)
			return got.Code, got.Header().Get("Retry-After")
		}
		for range 2 {
			if status, _ := ask("192.0.2.1:1"); status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		}
		if status, retry := ask("192.0.2.1:2"); status != http.StatusTooManyRequests || retry != "1" {
			t.Errorf("status %d after %q", status, retry)
		}
		got := server.GetThrough("192.0.2.1:3", "/tiles/map/12/2200/1340.png", nil)
		if code, _ := servertest.ErrorOf(t, got); got.Code != http.StatusTooManyRequests || code != "too_many_requests" || got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("status %d, %s", got.Code, code)
		}
		if status, _ := ask("192.0.2.2:1"); status != http.StatusOK {
			t.Errorf("another client has status %d", status)
		}
		if got := server.Send(http.MethodOptions, "/layers/map"); got.Code != http.StatusNoContent {
			t.Errorf("a preflight has status %d", got.Code)
		}
		time.Sleep(time.Second)
		if status, _ := ask("192.0.2.1:1"); status != http.StatusOK {
			t.Errorf("after a second, the status is %d", status)
		}
	})
}

// A client is known by what trusted proxies say, and by nothing that it says itself.
func TestClientsAreKnownBehindTrustedProxies(t *testing.T) {
	forwarded := func(value string) map[string]string { return map[string]string{"X-Forwarded-For": value} }
	for name, test := range map[string]struct {
		header        string
		remote        string
		first, second map[string]string
		isSame        bool
	}{
		"behind a proxy":                 {"", "10.0.0.1:1", forwarded("192.0.2.1"), forwarded("192.0.2.2"), false},
		"the same":                       {"", "10.0.0.1:1", forwarded("192.0.2.1"), forwarded("192.0.2.1:99"), true},
		"a forged beginning":             {"", "10.0.0.1:1", forwarded("203.0.113.1, 192.0.2.1"), forwarded("203.0.113.2, 192.0.2.1"), true},
		"two proxies":                    {"", "10.0.0.1:1", forwarded("192.0.2.1, 10.0.0.2"), forwarded("192.0.2.2, 10.0.0.2"), false},
		"two proxies, forged":            {"", "10.0.0.1:1", forwarded("203.0.113.1, 192.0.2.1, 10.0.0.2"), forwarded("203.0.113.2, 192.0.2.1, 10.0.0.2"), true},
		"all of them trusted":            {"", "10.0.0.1:1", forwarded("10.0.0.7, 10.0.0.2"), forwarded("10.0.0.8, 10.0.0.2"), false},
		"not trusted":                    {"", "192.0.2.9:1", forwarded("192.0.2.1"), forwarded("192.0.2.2"), true},
		"nonsense":                       {"", "10.0.0.1:1", forwarded("192.0.2.1, unknown"), forwarded("192.0.2.2, unknown"), true},
		"a network":                      {"", "10.0.0.1:1", forwarded("2001:db8::1"), forwarded("2001:db8::2"), true},
		"two networks":                   {"", "10.0.0.1:1", forwarded("2001:db8::1"), forwarded("[2001:db8:0:1::1]:7"), false},
		"the standard header":            {"", "10.0.0.1:1", map[string]string{"Forwarded": "for=192.0.2.1"}, map[string]string{"Forwarded": `for="192.0.2.2:9"`}, false},
		"by name":                        {"X-Client", "10.0.0.1:1", map[string]string{"X-Client": "a"}, map[string]string{"X-Client": "b"}, false},
		"by the same name":               {"X-Client", "10.0.0.1:1", map[string]string{"X-Client": "a", "X-Forwarded-For": "192.0.2.1"}, map[string]string{"X-Client": "a"}, true},
		"by a name that it gives itself": {"X-Client", "192.0.2.9:1", map[string]string{"X-Client": "a"}, map[string]string{"X-Client": "b"}, true},
		"without its name":               {"X-Client", "10.0.0.1:1", forwarded("192.0.2.1"), forwarded("192.0.2.2"), false},
		"at a socket":                    {"", "@", forwarded("192.0.2.1"), forwarded("192.0.2.2"), false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := limited(t, test.header)
				for range 2 {
					server.GetThrough(test.remote, "/layers/map", test.first)
				}
				if got := server.GetThrough(test.remote, "/layers/map", test.second); (got.Code == http.StatusTooManyRequests) != test.isSame {
					t.Errorf("status %d", got.Code)
				}
			})
		})
	}
}
