// Package clients bounds how many requests a client may make: so many in a second, after a burst.
// Package http tells it who asks. The package owns the table of clients, which is bounded: a client that
// has not asked for long is forgotten. It must never know headers, proxies or answers.
package clients

import (
	"net/netip"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// A Client is who asks: a network, or a name. Only one of them is set.
type Client struct {
	network netip.Prefix
	name    string
}

// maxNameBytes bounds the memory of a name.
const maxNameBytes = 128

// Named returns the client with a name. Names that begin with the same 128 bytes are one client.
func Named(name string) Client { return Client{name: name[:min(len(name), maxNameBytes)]} }

// At returns the client at an address. All addresses of an IPv6 network of 64 bits, which a home or a
// phone has, are one client.
func At(address netip.Addr) Client {
	const homeBits = 64
	address = address.Unmap().WithZone("")
	network, _ := address.Prefix(min(address.BitLen(), homeBits)) // of any address, also of none
	return Client{network: network}
}

// Limit is what each client may ask for.
type Limit struct {
	Rate  float64 // requests a second
	Burst int     // requests at once, at least one
}

// MaxClients bounds the clients that are remembered, each in about 200 bytes. Beyond, the one that has
// not asked for longest is forgotten, and has its burst again.
const MaxClients = 16384

// A Limiter bounds the requests of clients.
type Limiter struct {
	interval time.Duration // between requests at the rate
	burst    time.Duration // by which requests may come earlier than the rate allows

	mu sync.Mutex // guards the table, and the times in it
	// next has the time at which the next request of a client would come, if all of them came at the rate.
	next *simplelru.LRU[Client, time.Time]
}

// New returns a limiter, or nil, which limits nobody, if the rate is 0.
func New(limit Limit) *Limiter {
	if limit.Rate == 0 {
		return nil
	}
	interval := time.Duration(float64(time.Second) / limit.Rate)
	next, err := simplelru.NewLRU[Client, time.Time](MaxClients, nil)
	if err != nil {
		panic(err) // only about a size that is not positive
	}
	return &Limiter{interval: interval, burst: time.Duration(limit.Burst-1) * interval, next: next}
}

// Take counts a request of a client, unless it must not make it yet. It returns how long the client
// must wait; 0 if it need not.
func (l *Limiter) Take(client Client, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	next, known := l.next.Get(client)
	if !known || next.Before(now) {
		next = now
	}
	if wait := next.Add(-l.burst).Sub(now); wait > 0 {
		return wait
	}
	l.next.Add(client, next.Add(l.interval))
	return 0
}

// Len returns how many clients are remembered.
func (l *Limiter) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next.Len()
}
