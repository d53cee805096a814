package admission

import (
	"sync"
	"sync/atomic"
	"time"
)

// A crowd is the answers that pass without a visit. They take so little time that they need no slot,
// but all cores at work make each wait for the kernel to interrupt one of them.
type crowd struct {
	passed atomic.Int64

	mu      sync.Mutex // guards the fields below
	since   time.Time  // the start of the current period
	counted int64      // passed then
	isLarge bool       // in the period before
}

// The rate that makes a crowd, and the period it is measured over. One person who pans a map asks for
// fewer tiles, and waits for the dear ones among them longer than for the cached ones.
const (
	crowdRate   = 100 // in a second
	crowdPeriod = 250 * time.Millisecond
)

// isThere reports whether answers pass at the rate of a crowd.
func (c *crowd) isThere() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if took := time.Since(c.since); took >= crowdPeriod {
		passed := c.passed.Load()
		c.isLarge = float64(passed-c.counted) >= crowdRate*took.Seconds()
		c.since, c.counted = time.Now(), passed
	}
	return c.isLarge
}
