package serve

import (
	"context"
	"net/http"
	"regexp"
	"sync"
	"time"
)

// maxHosts is for how many base URLs documents of all layers are written and cached. Clients choose
// the host of a request, so without a bound they could have such documents written all the time.
const maxHosts = 32

// hostMemory is how long a base URL counts after the last request.
const hostMemory = 10 * time.Minute

// hosts are the base URLs of documents of all layers that were asked for recently.
type hosts struct {
	mu    sync.Mutex // guards the field below
	asked map[string]time.Time
}

// admit reports whether a base URL is one of at most maxHosts.
func (h *hosts) admit(base string) bool {
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.asked[base]; !known && len(h.asked) >= maxHosts {
		h.forget(now)
		if len(h.asked) >= maxHosts {
			return false
		}
	}
	h.asked[base] = now
	return true
}

// forget removes base URLs that nobody asks for any more. The lock must be held.
func (h *hosts) forget(now time.Time) {
	for base, asked := range h.asked {
		if now.Sub(asked) > hostMemory {
			delete(h.asked, base)
		}
	}
}

// baseKey is the context key of the base URL of a document of all layers.
type baseKey struct{}

// ForAllLayers returns r with its base URL fixed, for a document that SendCachedDocument sends. If
// clients use too many hosts, the base URL is the path alone: addresses then are relative to the host
// that the client used, and all of these hosts share a document.
func (s *Server) ForAllLayers(r *http.Request) *http.Request {
	base := s.BaseURL(r)
	if s.Origin == "" && !s.hosts.admit(base) {
		base = s.prefix(r)
	}
	return r.WithContext(context.WithValue(r.Context(), baseKey{}, base))
}

// maxHostBytes is the length of the longest host name, and a port.
const maxHostBytes = 255 + len(":65535")

var hostPattern = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`)

// IsHost reports whether text is a host name or an IP address, with an optional port.
func IsHost(text string) bool { return len(text) <= maxHostBytes && hostPattern.MatchString(text) }
