package child

import "time"

// The delays before a device that failed is started again. Each is twice the one before.
const (
	firstDelay   = time.Second
	longestDelay = 5 * time.Minute
)

// breaker says when a device that failed may be started again.
type breaker struct {
	failure error // nil if it did not fail
	delay   time.Duration
	until   time.Time
}

// open notes a failure.
func (b *breaker) open(failure error, now time.Time) {
	b.failure = failure
	b.delay = min(max(2*b.delay, firstDelay), longestDelay)
	b.until = now.Add(b.delay)
}

// refuses returns the failure until the delay has passed.
func (b *breaker) refuses(now time.Time) error {
	if now.Before(b.until) {
		return b.failure
	}
	return nil
}

// reset notes a success.
func (b *breaker) reset() { *b = breaker{} }
