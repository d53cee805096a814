package layer

import (
	"context"
	"fmt"
	"strings"

	"tileserver/raster"
)

// again is a provider under another key. A dataset that has changed and cannot be
// told from the one before it, such as a file of the same size that was given the
// same time, must not find what is kept of that one.
type again struct {
	raster.Provider
	times int // that it was opened under its own key
}

var _ raster.Sparse = again{}

// tellApart is next, under another key than that of the version before it.
func tellApart(next, before raster.Provider) raster.Provider {
	own, times := before, 1
	if a, ok := before.(again); ok {
		own, times = a.Provider, a.times
	}
	if own.Key() != next.Key() {
		return next
	}
	return again{next, times + 1}
}

const againMark = ":again:"

// isAgain tells of the key of a provider whether it means nothing in another process: there,
// the same number of times may have led to other pixels.
func isAgain(key string) bool { return strings.Contains(key, againMark) }

// Key is the provider's with the number of times.
func (a again) Key() string { return a.Provider.Key() + againMark + fmt.Sprint(a.times) }

// Empty is the provider's.
func (a again) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if s, ok := a.Provider.(raster.Sparse); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}
