package transport

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"tileserver/source/permit"
)

// ask asks for an address of a server.
func ask(t *testing.T, c *Client, to string, r Request) error {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	r.URL = u
	turn, err := c.Enter(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Leave()
	turn.origin.retries.saved, turn.origin.hedges.saved = 0, 0
	return turn.Fetch(t.Context(), func() Request { return r }, func(*Answer) error { return nil })
}

// allowing returns a policy that permits the loopback network, and an address on it.
func allowing(t *testing.T, address string) permit.Policy {
	t.Helper()
	prefix, err := permit.ParsePrefix(address)
	if err != nil {
		t.Fatal(err)
	}
	return permit.Policy{Allowed: []permit.Prefix{prefix}, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

func TestAnAddressThatNobodyNamedMustBePermitted(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	listed := allowing(t, server.URL+"/")
	unlisted, inward := listed, listed
	unlisted.Allowed, inward.Networks = allowing(t, server.URL+"/maps/").Allowed, nil
	for name, policy := range map[string]permit.Policy{"nothing": {}, "its network only": unlisted, "its address only": inward} {
		if err := ask(t, New(Config{Permit: policy}), server.URL+"/a", Request{}); !errors.Is(err, permit.ErrNotPermitted) || asked != 0 {
			t.Errorf("%s: got %v, and %d requests reached the server", name, err, asked)
		}
	}
	for name, r := range map[string]Request{"listed": {}, "named": {IsTrusted: true}} {
		if err := ask(t, New(Config{Permit: listed}), server.URL+"/a", r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnotherServerDoesNotLearnWhoAsks(t *testing.T) {
	var got http.Header
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL+"/b.tif", http.StatusFound))
	defer server.Close()
	r := Request{IsTrusted: true, Header: http.Header{"Range": {"bytes=0-9"}, "If-Match": {`"a"`}, "X-Key": {"secret"}}, Signer: &pass{}}
	if err := ask(t, New(Config{Permit: allowing(t, other.URL+"/")}), server.URL, r); err != nil {
		t.Fatal(err)
	}
	if got.Get("Range") != "bytes=0-9" || got.Get("If-Match") != `"a"` || got.Get("X-Key") != "" || got.Get("Authorization") != "" {
		t.Errorf("the other server got %v", got)
	}
}

func TestRedirectsInwardAreRefused(t *testing.T) {
	asked := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer inside.Close()
	byName := "http://localhost" + inside.URL[strings.LastIndexByte(inside.URL, ':'):] // only its connection shows where it leads
	for _, to := range []string{inside.URL, byName} {
		server := httptest.NewServer(http.RedirectHandler(to, http.StatusFound))
		if err := ask(t, New(Config{}), server.URL, Request{IsTrusted: true}); !errors.Is(err, permit.ErrNotPermitted) || asked != 0 {
			t.Errorf("%s: got %v, and %d requests reached the inside", to, err, asked)
		}
		server.Close()
	}
}

func TestRedirectsEnd(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/again", http.StatusFound)
	}))
	defer server.Close()
	if err := ask(t, New(Config{}), server.URL, Request{IsTrusted: true}); !errors.Is(err, permit.ErrNotPermitted) || asked != 6 {
		t.Errorf("got %v after %d requests", err, asked)
	}
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	opened := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/there", http.StatusFound)
			return
		}
		w.Write(make([]byte, 100))
	}))
	server.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		opened++
		return ctx
	}
	server.Start()
	defer server.Close()
	c := New(Config{})
	for range 50 {
		if err := ask(t, c, server.URL+"/", Request{IsTrusted: true}); err != nil {
			t.Fatal(err)
		}
	}
	if opened != 1 {
		t.Errorf("%d connections for 50 requests, one after the other", opened)
	}
}

// A proxy resolves names out of sight.
func TestGuardedConnectionsHaveNoProxy(t *testing.T) {
	if c := New(Config{}); c.guarded.(*http.Transport).Proxy != nil || c.guarded == c.trusted {
		t.Error("what must be permitted may go through a proxy")
	}
}
