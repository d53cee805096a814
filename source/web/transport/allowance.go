package transport

import "sync"

// allowance bounds extra requests to a share of the requests.
type allowance struct {
	share float64 // earned by a request

	mu    sync.Mutex // guards the field below
	saved float64    // extra requests that may be made now
}

const (
	retryShare = 0.1
	hedgeShare = 0.05
	maxSaved   = 10
)

// earn is called for each request.
func (a *allowance) earn() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.saved = min(a.saved+a.share, maxSaved)
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
