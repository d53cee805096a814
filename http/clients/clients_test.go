package clients_test

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"tileserver/http/clients"
)

var start = time.Unix(1_800_000_000, 0)

func TestAClientMayAskAtItsRateAfterABurst(t *testing.T) {
	l := clients.New(clients.Limit{Rate: 4, Burst: 3})
	me, other := clients.Named("me"), clients.Named("other")
	for i := range 3 {
		if wait := l.Take(me, start); wait != 0 {
			t.Errorf("request %d waits %v", i, wait)
		}
	}
	for range 3 { // a refused request costs nothing
		if wait := l.Take(me, start); wait != 250*time.Millisecond {
			t.Errorf("the fourth request waits %v", wait)
		}
	}
	if wait := l.Take(other, start); wait != 0 {
		t.Errorf("another client waits %v", wait)
	}
	if wait := l.Take(me, start.Add(100*time.Millisecond)); wait != 150*time.Millisecond {
		t.Errorf("it waits %v", wait)
	}
	allowed := 0
	for at := time.Duration(0); at < 10*time.Second; at += 10 * time.Millisecond {
		if l.Take(me, start.Add(at)) == 0 {
			allowed++
		}
	}
	if allowed != 39 { // after 250, 500, … 9750 ms
		t.Errorf("%d requests in 10 seconds", allowed)
	}
	later := start.Add(time.Hour)
	for i := range 3 {
		if wait := l.Take(me, later); wait != 0 {
			t.Errorf("after an hour, request %d waits %v", i, wait)
		}
	}
	if l.Take(me, later) == 0 {
		t.Error("an hour gives more than a burst")
	}
	if wait := l.Take(me, start); wait < time.Hour { // a clock that is set back
		t.Errorf("it waits %v", wait)
	}
}

func TestWithoutARateNobodyWaits(t *testing.T) {
	l := clients.New(clients.Limit{Burst: 1})
	for range 1000 {
		if l.Take(clients.Named("me"), start) != 0 {
			t.Fatal("a client waits")
		}
	}
}

func TestNetworksAreClients(t *testing.T) {
	for _, test := range []struct {
		a, b   string
		isSame bool
	}{
		{"192.0.2.1", "192.0.2.1", true}, {"192.0.2.1", "192.0.2.2", false}, {"::ffff:192.0.2.1", "192.0.2.1", true},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true}, {"2001:db8:1:2::1", "2001:db8:1:3::1", false}, {"fe80::1%eth0", "fe80::2%eth1", true},
	} {
		a, b := clients.At(netip.MustParseAddr(test.a)), clients.At(netip.MustParseAddr(test.b))
		if (a == b) != test.isSame {
			t.Errorf("%s and %s are one client: %v", test.a, test.b, a == b)
		}
	}
	if clients.Named("a") == clients.Named("b") || clients.Named(strings.Repeat("a", 200)) != clients.Named(strings.Repeat("a", 300)) {
		t.Error("names are mixed up")
	}
}

func TestTheTableIsBounded(t *testing.T) {
	l := clients.New(clients.Limit{Rate: 1, Burst: 1})
	for i := range clients.MaxClients + 100 {
		l.Take(clients.Named(fmt.Sprint(i)), start)
	}
	if l.Len() != clients.MaxClients {
		t.Errorf("%d clients are remembered", l.Len())
	}
	if l.Take(clients.Named("0"), start) != 0 || l.Take(clients.Named(fmt.Sprint(clients.MaxClients+99)), start) == 0 {
		t.Error("another client than the oldest was forgotten")
	}
}

func TestConcurrentRequestsAreCounted(t *testing.T) {
	l := clients.New(clients.Limit{Rate: 0.001, Burst: 100})
	var asking sync.WaitGroup
	var mu sync.Mutex
	allowed := 0
	for range 8 {
		asking.Go(func() {
			for range 100 {
				if l.Take(clients.Named("me"), start) == 0 {
					mu.Lock()
					allowed++
					mu.Unlock()
				}
			}
		})
	}
	if asking.Wait(); allowed != 100 {
		t.Errorf("%d requests are allowed", allowed)
	}
}
