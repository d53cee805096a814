package transport

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// temporaryTime is how long a temporary redirect is remembered that does not say for how long, and
	// maxTemporaryTime one that does, at most. Others are remembered for permanentTime.
	temporaryTime    = 10 * time.Second
	maxTemporaryTime = time.Minute
	permanentTime    = 10 * time.Minute

	// maxDetours bounds the redirects that are remembered, and maxDetourBytes the length of each.
	maxDetours     = 1024
	maxDetourBytes = 4 << 10
)

// detours remembers where servers redirect to, so that a range of an object takes one request.
type detours struct {
	mu    sync.Mutex // guards the field below
	known map[detourKey]detour
}

// detourKey is the address of an object, which may be a secret, as a hash, and whether the operator named it.
type detourKey struct {
	address   [sha256.Size]byte
	isTrusted bool
}

func detourKeyOf(r Request) detourKey {
	return detourKey{sha256.Sum256([]byte(r.URL.String())), r.IsTrusted}
}

// detour is where an object lies: the addresses of all redirects to it.
type detour struct {
	hops  []*url.URL
	until time.Time
}

// get returns the addresses of the redirects to an object, or nil.
func (t *detours) get(key detourKey) []*url.URL {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := t.known[key]
	if !time.Now().Before(found.until) {
		delete(t.known, key)
		return nil
	}
	return found.hops
}

// put remembers the redirects to an object.
func (t *detours) put(key detourKey, found detour) {
	length := 0
	for _, hop := range found.hops {
		length += len(hop.String())
	}
	if length > maxDetourBytes || !time.Now().Before(found.until) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= maxDetours {
		clear(t.known)
	}
	t.known[key] = found
}

// forget forgets the redirects to an object.
func (t *detours) forget(key detourKey) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.known, key)
}

// lifetime returns how long a redirect may be remembered.
func lifetime(redirect *http.Response) time.Duration {
	usual, most := temporaryTime, maxTemporaryTime
	if redirect.StatusCode == http.StatusMovedPermanently || redirect.StatusCode == http.StatusPermanentRedirect {
		usual, most = permanentTime, permanentTime
	}
	for directive := range strings.SplitSeq(redirect.Header.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return 0
		case "max-age":
			if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
				usual = time.Duration(seconds) * time.Second
			}
		}
	}
	return min(usual, most)
}
