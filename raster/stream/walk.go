package stream

import (
	"context"
	"runtime/debug"
	"sync"

	"tileserver/cache"
)

// Each calls do for each view as it comes, several at a time. It returns the first error of do, or why ctx
// ended; then it begins nothing more, and what runs is canceled. When it returns, nothing runs any more.
//
// A view whose blocks cannot be read is passed to do like others, and its Parts and Tile tell why. So do
// decides whether the stream goes on.
func (s *Stream) Each(ctx context.Context, do func(ctx context.Context, v *View) error) error {
	return s.walk(ctx, &walk{do: do, parallel: s.config.Parallel})
}

// InOrder is Each in the order of the views, one at a time, while the blocks of the next ones are read.
func (s *Stream) InOrder(ctx context.Context, do func(ctx context.Context, v *View) error) error {
	return s.walk(ctx, &walk{do: do, parallel: 1, isInOrder: true})
}

// walk is one pass over a stream. One goroutine plans views, others read their blocks, and again others call
// do. Each passes views on through a channel.
type walk struct {
	*Stream
	do        func(ctx context.Context, v *View) error
	parallel  int // calls of do at a time
	isInOrder bool

	memory  *memory
	views   chan *View    // to be passed to do
	reading chan struct{} // has an element for each batch that is being read
	readers sync.WaitGroup
	stop    context.CancelCauseFunc
}

func (s *Stream) walk(ctx context.Context, w *walk) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w.Stream, w.memory, w.stop = s, newMemory(s), stop
	w.views, w.reading = make(chan *View, s.config.Parallel), make(chan struct{}, s.config.Parallel)
	var others sync.WaitGroup
	others.Go(func() {
		defer close(w.views)
		w.guard(func() error { return w.plan(ctx) })
		w.readers.Wait()
	})
	for range w.parallel - 1 {
		others.Go(func() { w.deliver(ctx) })
	}
	w.deliver(ctx)
	others.Wait()
	return context.Cause(ctx)
}

// deliver passes views to do until there are no more, or the walk has stopped.
func (w *walk) deliver(ctx context.Context) {
	for v := range w.views {
		w.guard(func() error {
			defer w.memory.release(v)
			if err := v.await(ctx); err != nil {
				return err
			}
			return w.do(ctx, v)
		})
	}
}

// await waits until the blocks of a view were read.
func (v *View) await(ctx context.Context) error {
	for _, b := range v.blocks {
		select {
		case <-b.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return context.Cause(ctx)
}

// guard stops the walk if f fails. A panic is an error, since in a goroutine it would end the process.
func (w *walk) guard(f func() error) {
	defer func() {
		if value := recover(); value != nil {
			w.stop(&cache.PanicError{Value: value, Stack: debug.Stack()})
		}
	}()
	if err := f(); err != nil {
		w.stop(err)
	}
}
