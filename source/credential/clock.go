package credential

import (
	"net/http"
	"sync"
	"time"
)

const (
	// minSkew is what services tolerate, and what their answers may be underway: it is no difference of clocks.
	minSkew = time.Minute

	// maxSkew bounds what is believed of a service. A clock that is wrong by more must be set.
	maxSkew = 24 * time.Hour

	// underwayTime is how long requests may be underway that were signed before the time was learned.
	underwayTime = 30 * time.Second
)

// Clock is the clock of a service that refuses signatures of another time. It is that of the machine until the
// service says otherwise. The zero value is ready.
type Clock struct {
	// OnSkew is told by how much the service is ahead, whenever that is learned; nil is not.
	OnSkew func(ahead time.Duration)

	mu      sync.Mutex // guards the fields below
	ahead   time.Duration
	learned time.Time // when that was learned
}

// Now returns the time that the service has.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// Learn learns the time from an answer that refused a signature because of its time, and reports whether a new one
// may have another time: also if another refusal has just told, since many requests are underway at a time.
func (c *Clock) Learn(header http.Header) (again bool) {
	told, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return false
	}
	ahead := time.Until(told).Round(time.Second)
	if ahead.Abs() > maxSkew {
		return false
	}
	isNew, isRecent := c.set(ahead)
	if isNew && c.OnSkew != nil {
		c.OnSkew(ahead)
	}
	return isRecent
}

// set sets by how much the service is ahead. It reports whether it was believed to be elsewhere, and whether it was
// a short time ago.
func (c *Clock) set(ahead time.Duration) (isNew, isRecent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if isNew = (ahead - c.ahead).Abs() >= minSkew; isNew {
		c.ahead, c.learned = ahead, time.Now()
	}
	return isNew, time.Since(c.learned) < underwayTime
}
