package overview

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"tileserver/cache"
)

// runParallel calls do for 0 to n-1, with at most parallelism calls at once, and returns the first
// error. After an error it starts no more calls and cancels the running ones.
func runParallel(ctx context.Context, n, parallelism int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := recoverPanic(func() error { return do(ctx, i) }); err != nil {
				cancel(err)
			}
		}
	}
	var helpers sync.WaitGroup
	for range min(n, parallelism) - 1 {
		helpers.Go(work)
	}
	work()
	helpers.Wait()
	return context.Cause(ctx)
}

// recoverPanic converts a panic to an error, since a panic in a goroutine would end the process.
func recoverPanic(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &cache.PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return do()
}
