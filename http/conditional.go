package http

import (
	"net/http"
	"strings"
	"time"
)

// notModified answers with 304 and returns true if the client has c already.
func (e *exchange) notModified(r *http.Request, c content) bool {
	if !isUnchanged(r.Header, c) {
		return false
	}
	e.Header().Set("ETag", c.etag)
	e.Header().Set("Cache-Control", c.cacheControl)
	e.begin(http.StatusNotModified, 0)
	return true
}

// isUnchanged evaluates If-None-Match, and If-Modified-Since only where that is missing. Only
// the very date that was sent counts: a later one may be from a machine whose clock is wrong.
func isUnchanged(h http.Header, c content) bool {
	if lists, ok := h["If-None-Match"]; ok {
		return matches(lists, c.etag)
	}
	since, ok := dateIn(h, "If-Modified-Since")
	return ok && !c.modified.IsZero() && c.modified.Equal(since)
}

// checkMatch evaluates If-Match, and If-Unmodified-Since only where that is missing. Clients
// that read a file in parts send them to be told when it has been replaced.
func checkMatch(h http.Header, etag string, changed time.Time) error {
	holds := true
	if lists, ok := h["If-Match"]; ok {
		holds = matchesStrongly(lists, etag)
	} else if since, ok := dateIn(h, "If-Unmodified-Since"); ok {
		holds = !changed.After(since)
	}
	if holds {
		return nil
	}
	return &failure{status: http.StatusPreconditionFailed, code: "precondition_failed", message: "the version does not match If-Match or If-Unmodified-Since"}
}

// dateIn reads the date in a header. It does not parse a header that is missing: that would allocate nine
// errors for each request of a kept picture.
func dateIn(h http.Header, name string) (date time.Time, ok bool) {
	text := h.Get(name)
	if text == "" {
		return time.Time{}, false
	}
	date, err := http.ParseTime(text)
	return date, err == nil
}

// matches reports whether the lists of an If-None-Match contain etag. The comparison is
// weak, as RFC 9110 has it for that header: a proxy that compresses an answer makes its
// validator weak.
func matches(lists []string, etag string) bool {
	return anyETag(lists, func(candidate string, _ bool) bool { return candidate == etag })
}

// matchesStrongly reports whether the lists of an If-Match contain etag, and not as a weak one.
func matchesStrongly(lists []string, etag string) bool {
	return anyETag(lists, func(candidate string, isWeak bool) bool { return candidate == etag && !isWeak })
}

// anyETag reports whether any entity tag of the lists is accepted. "*" always is.
func anyETag(lists []string, accepts func(etag string, isWeak bool) bool) bool {
	for _, list := range lists {
		for list != "" {
			var candidate string
			var isWeak bool
			candidate, isWeak, list = nextETag(list)
			if candidate == "*" || accepts(candidate, isWeak) {
				return true
			}
		}
	}
	return false
}

// nextETag cuts the first entity tag off a list. A comma between its quotes is part of it.
func nextETag(list string) (etag string, isWeak bool, rest string) {
	list, isWeak = strings.CutPrefix(strings.TrimLeft(list, " \t,"), "W/")
	end := strings.IndexByte(list, ',')
	if strings.HasPrefix(list, `"`) {
		if closing := strings.IndexByte(list[1:], '"'); closing >= 0 {
			end = closing + 2
		}
	}
	if end < 0 {
		end = len(list)
	}
	return strings.TrimSpace(list[:end]), isWeak, list[end:]
}

// changed is a time since which no picture at any address has changed: since then, no layer has
// come, gone, been configured anew or been given another version of its file. The time of a file
// would not do: the program, a style or an older copy of the file change a picture, too. HTTP
// counts in seconds, so it is rounded up.
func (s *server) changed() time.Time {
	return s.Catalog.ChangedAt().Add(time.Second - 1).Truncate(time.Second)
}

// lastModified is changed as clients are told of it: not before its second is over, or two versions
// within one second would have the same time. It must be read before the picture is prepared.
func (s *server) lastModified() time.Time {
	changed := s.changed()
	if changed.After(time.Now()) {
		return time.Time{}
	}
	return changed
}

// unlessChanged is a time that lastModified returned before, or the zero time if something has
// changed since then: a picture that was prepared meanwhile may be of either version.
func (s *server) unlessChanged(modified time.Time) time.Time {
	if !s.changed().Equal(modified) {
		return time.Time{}
	}
	return modified
}
