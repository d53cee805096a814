package raster

import "context"

type bulkKey struct{}

// InBulk returns a context for reads that pass over a level once, such as for overviews. A provider need not
// keep for later what it computes on the way to pixels.
func InBulk(ctx context.Context) context.Context { return context.WithValue(ctx, bulkKey{}, true) }

// IsInBulk reports whether a context is one of InBulk.
func IsInBulk(ctx context.Context) bool { return ctx.Value(bulkKey{}) != nil }
