package pyramid

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"tileserver/cache"
)

// together does n pieces of work, so many at a time, and returns the first error.
// Once one has failed, no other is begun and those under way are cancelled.
func together(ctx context.Context, n, atATime int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := safely(func() error { return do(ctx, i) }); err != nil {
				cancel(err)
			}
		}
	}
	var helpers sync.WaitGroup
	for range min(n, atATime) - 1 {
		helpers.Go(work)
	}
	work()
	helpers.Wait()
	return context.Cause(ctx)
}

// safely makes an error of a panic, which would end the process on a goroutine
// that nobody watches.
func safely(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &cache.PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return do()
}
