package main

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/config"
)

// headers are the headers of an entry of the configuration. Those that come from files are read again when these change:
// tokens are replaced there.
type headers struct {
	entry    *config.Remote
	told     *notices
	hasFiles bool
	current  atomic.Pointer[http.Header]

	mu      sync.Mutex // guards the fields below, and is held while files are read
	stamps  []fileStamp
	lookAt  time.Time // when the files are looked at again
	changed time.Time // when they were last found to say something else
	failed  string    // why they could not be read the last time, which was told
}

// fileStamp tells the versions of a file apart.
type fileStamp struct {
	modified time.Time
	size     int64
}

// lookPause is the time between two looks at the files.
const lookPause = 5 * time.Second

// underwayTime is how long requests may be underway that were sent with the headers before.
const underwayTime = 30 * time.Second

// readHeaders returns the headers of an entry.
func readHeaders(entry *config.Remote, told *notices) (*headers, error) {
	h := &headers{entry: entry, told: told, stamps: stampsOf(entry.Headers), lookAt: time.Now().Add(lookPause)}
	h.hasFiles = len(h.stamps) > 0
	first, err := entry.Headers.Read()
	h.current.Store(&first)
	return h, err
}

// stampsOf returns the stamps of the files of headers. That of a file which cannot be seen is zero.
func stampsOf(all config.Headers) (stamps []fileStamp) {
	for i := range all {
		if all[i].File == "" {
			continue
		}
		var stamp fileStamp
		if there, err := os.Stat(all[i].File); err == nil {
			stamp = fileStamp{there.ModTime(), there.Size()}
		}
		stamps = append(stamps, stamp)
	}
	return stamps
}

// Header returns the headers as they are now. Only one caller at a time looks at the files.
func (h *headers) Header() http.Header {
	if h.hasFiles && h.mu.TryLock() {
		defer h.mu.Unlock()
		if !time.Now().Before(h.lookAt) {
			h.look()
		}
	}
	return *h.current.Load()
}

// Renew reads the files because a server refuses what was sent, and reports whether the headers are others now: also if
// they have just changed, since many requests are underway at a time.
func (h *headers) Renew() (isNew bool) {
	if !h.hasFiles {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.read(stampsOf(h.entry.Headers))
	return time.Since(h.changed) < underwayTime
}

// look reads the files if they have changed. The caller holds the lock.
func (h *headers) look() {
	if stamps := stampsOf(h.entry.Headers); !slices.EqualFunc(stamps, h.stamps, fileStamp.isSame) {
		h.read(stamps)
	}
	h.lookAt = time.Now().Add(lookPause)
}

// read reads the files, of which the stamps were seen before. Until they can be read, the last headers stand. The caller
// holds the lock.
func (h *headers) read(stamps []fileStamp) {
	found, err := h.entry.Headers.Read()
	if err == nil {
		h.stamps, h.failed = stamps, ""
		if !maps.EqualFunc(found, *h.current.Load(), slices.Equal) {
			h.current.Store(&found)
			h.changed = time.Now()
		}
		return
	}
	if reason := err.Error(); reason != h.failed {
		h.failed = reason
		h.told.warn("headers cannot be read again, the last ones are used", "prefix", h.entry.Prefix, "err", err)
	}
}

func (s fileStamp) isSame(other fileStamp) bool {
	return s.size == other.size && s.modified.Equal(other.modified)
}
