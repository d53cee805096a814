package layer

import (
	"sync/atomic"
	"time"
)

// A changeTime is the time of the last change.
type changeTime struct{ nanoseconds atomic.Int64 }

// record sets the time to now. It always increases, even if the clock does not.
func (c *changeTime) record() {
	for {
		last := c.nanoseconds.Load()
		if c.nanoseconds.CompareAndSwap(last, max(time.Now().UnixNano(), last+1)) {
			return
		}
	}
}

// ChangedAt returns the time of the last change: of the list of layers, of a configuration, or of a
// file. It never decreases.
func (c *Catalog) ChangedAt() time.Time { return time.Unix(0, c.lastChange.nanoseconds.Load()) }

// NoteChange records a change that does not concern a layer, such as a new configuration of the
// server.
func (c *Catalog) NoteChange() { c.lastChange.record() }

// maxRefreshed bounds the files that one request checks.
const maxRefreshed = 1000

// Refresh checks whether the files of layers have changed, each at most once per checkInterval, and
// then returns ChangedAt. Callers that cache documents about all layers use it to notice changes.
// With more than maxRefreshed layers, successive calls check them in turn.
func (c *Catalog) Refresh() time.Time {
	list := c.served.Load().Layers()
	count := min(len(list), maxRefreshed)
	end := c.refreshed.Add(uint64(count))
	for i := end - uint64(count); i < end; i++ {
		_, _ = list[i%uint64(len(list))].versions.Current() // records a change if the file is gone
	}
	return c.ChangedAt()
}
