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
)

// Clock is the clock of a service that refuses signatures of another time. It is that of the machine until the
// service says otherwise. The zero value is ready.
type Clock struct {
	// OnSkew is told by how much the service is ahead, whenever that is learned; nil is not.
	OnSkew func(ahead time.Duration)

	mu    sync.Mutex // guards the field below
	ahead time.Duration
}

// Now returns the time that the service has.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// Learn learns the time from an answer that refused a signature because of its time, and reports whether a new one
// would have another time.
func (c *Clock) Learn(header http.Header) (again bool) {
	told, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return false
	}
	ahead := time.Until(told)
	if ahead.Abs() > maxSkew || !c.set(ahead.Round(time.Second)) {
		return false
	}
	if c.OnSkew != nil {
		c.OnSkew(ahead.Round(time.Second))
	}
	return true
}

// set sets by how much the service is ahead, and reports whether it was believed to be elsewhere.
func (c *Clock) set(ahead time.Duration) (isNew bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if (ahead - c.ahead).Abs() < minSkew {
		return false
	}
	c.ahead = ahead
	return true
}
