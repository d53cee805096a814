package answer

import (
	"net/http"
	"strings"
	"time"
)

// NotModified answers with 304 and returns true if the client has c.
func (e *Exchange) NotModified(r *http.Request, c Content) bool {
	if !isUnchanged(r.Header, c) {
		return false
	}
	e.Header().Set("ETag", c.ETag)
	e.Header().Set("Cache-Control", c.CacheControl)
	e.Begin(http.StatusNotModified)
	return true
}

// isUnchanged evaluates If-None-Match, or If-Modified-Since if that is missing. The date must be
// the one that was sent: a later one may come from a machine with a wrong clock.
func isUnchanged(h http.Header, c Content) bool {
	if lists, ok := h["If-None-Match"]; ok {
		return matches(lists, c.ETag)
	}
	since, ok := dateIn(h, "If-Modified-Since")
	return ok && !c.Modified.IsZero() && c.Modified.Equal(since)
}

// CheckMatch evaluates If-Match, or If-Unmodified-Since if that is missing. Clients that read a
// file in ranges send them to detect that it has been replaced.
func CheckMatch(h http.Header, etag string, changed time.Time) error {
	holds := true
	if lists, ok := h["If-Match"]; ok {
		holds = matchesStrongly(lists, etag)
	} else if since, ok := dateIn(h, "If-Unmodified-Since"); ok {
		holds = !changed.After(since)
	}
	if holds {
		return nil
	}
	return &Failure{Status: http.StatusPreconditionFailed, Code: "precondition_failed", Message: "the version does not match If-Match or If-Unmodified-Since"}
}

// dateIn parses the date in a header. It skips a missing header, because http.ParseTime would
// allocate nine errors for each request of a cached picture.
func dateIn(h http.Header, name string) (date time.Time, ok bool) {
	text := h.Get(name)
	if text == "" {
		return time.Time{}, false
	}
	date, err := http.ParseTime(text)
	return date, err == nil
}

// matches reports whether the lists of If-None-Match contain etag. The comparison is weak, as
// RFC 9110 demands for that header: a compressing proxy makes validators weak.
func matches(lists []string, etag string) bool {
	return anyETag(lists, func(candidate string, _ bool) bool { return candidate == etag })
}

// matchesStrongly reports whether the lists of If-Match contain etag as a strong validator.
func matchesStrongly(lists []string, etag string) bool {
	return anyETag(lists, func(candidate string, isWeak bool) bool { return candidate == etag && !isWeak })
}

// anyETag reports whether accepts returns true for an entity tag of the lists. "*" always matches.
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
