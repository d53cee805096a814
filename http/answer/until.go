package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// limitCaching keeps caches from answering with the response after CacheUntil.
func (e *Exchange) limitCaching() {
	if e.CacheUntil.IsZero() {
		return
	}
	h := e.Header()
	h.Set("Cache-Control", cacheControlFor(h.Get("Cache-Control"), time.Until(e.CacheUntil)))
}

// cacheControlFor returns a Cache-Control that holds for no longer than a time, not even for answers
// that could not be revalidated.
func cacheControlFor(control string, left time.Duration) string {
	seconds := max(0, int64(left/time.Second))
	limit := fmt.Sprintf("max-age=%d", seconds)
	kept := []string{}
	for directive := range strings.SplitSeq(control, ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return control // no cache answers by itself
		case "", "immutable", "stale-while-revalidate", "stale-if-error", "must-revalidate":
		case "max-age", "s-maxage":
			if age, err := strconv.ParseInt(value, 10, 64); err != nil || age > seconds {
				value = strconv.FormatInt(seconds, 10)
			}
			kept = append(kept, name+"="+value)
		default:
			kept = append(kept, strings.TrimSpace(directive))
		}
	}
	if !slices.ContainsFunc(kept, func(directive string) bool { return strings.HasPrefix(directive, "max-age=") }) {
		kept = append(kept, limit)
	}
	return strings.Join(append(kept, "must-revalidate"), ", ")
}
