package transport

import (
	"sync"
	"time"
)

// allowance bounds extra requests to a share of the requests, and some more.
type allowance struct {
	share float64       // earned by a request
	every time.Duration // one more is earned in this time; 0 is never
	max   float64       // that can be saved

	mu     sync.Mutex // guards the fields below
	saved  float64    // extra requests that may be made now
	earned time.Time  // up to when time counts
}

// Retries suffice for a viewport of tiles whose requests all break once. In an outage they become few.
const (
	retryShare = 0.1
	retryEvery = time.Second
	maxRetries = 100
)

const (
	hedgeShare = 0.05
	maxHedges  = 10
)

// earn is called for each request.
func (a *allowance) earn() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now(); a.every > 0 {
		if !a.earned.IsZero() {
			a.saved += now.Sub(a.earned).Seconds() / a.every.Seconds()
		}
		a.earned = now
	}
	a.saved = min(a.saved+a.share, a.max)
}

// spend reports whether an extra request may be made, and counts it.
func (a *allowance) spend() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.saved < 1 {
		return false
	}
	a.saved--
	return true
}
