package source

import "context"

// Reach is called by a Source before it asks its storage for bytes that it does not find in memory. If
// it returns an error, the storage must not be asked now, and the read fails with it. Goroutines of a read
// may call it at the same time. While the storage is away, a read that does not call it soon is ended.
func Reach(ctx context.Context) error {
	if told, ok := ctx.Value(ReachKey{}).(interface{ Reach() error }); ok {
		return told.Reach()
	}
	return nil
}

// Advance is called by a Store during a call that takes long and goes on, such as after each page of a list. The time
// that the call has for its answer begins anew.
func Advance(ctx context.Context) {
	if told, ok := ctx.Value(ReachKey{}).(interface{ Advance() }); ok {
		told.Advance()
	}
}

// ReachKey is the key under which a context has whom Reach asks: a value with the method Reach() error.
type ReachKey struct{}
