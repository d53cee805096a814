package overviewbuild

import "time"

// A client that asks for one nodata value after the other must not keep the disk and the processors
// busy for ever, so a layer has builds for a few values in a while.
const (
	maxRequested   = 4
	requestedWhile = 10 * time.Minute
)

// A quota records which overviews were built for requests, by the keys of the overviews.
type quota struct{ startedAt map[string]time.Time }

// wait returns how long a build must wait until the quota has room for it. Overviews that are in the
// quota may be continued.
func (q *quota) wait(key string, now time.Time) time.Duration {
	var oldest time.Time
	for other, started := range q.startedAt {
		switch {
		case now.Sub(started) >= requestedWhile:
			delete(q.startedAt, other)
		case oldest.IsZero() || started.Before(oldest):
			oldest = started
		}
	}
	if _, isIn := q.startedAt[key]; isIn || len(q.startedAt) < maxRequested {
		return 0
	}
	return oldest.Add(requestedWhile).Sub(now)
}

// take records the start of a build.
func (q *quota) take(key string, now time.Time) {
	if q.startedAt == nil {
		q.startedAt = make(map[string]time.Time, maxRequested)
	}
	if _, isIn := q.startedAt[key]; !isIn {
		q.startedAt[key] = now
	}
}
