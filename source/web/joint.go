package web

import (
	"context"
	"sync"
)

// joint is a question that is asked once at a time, for all who want to know.
type joint[T any] struct {
	mu      sync.Mutex // guards the field below
	running *asked[T]  // or nil
	waiting int        // for that
}

// asked is a question that is being asked. Once done is closed, the other fields are fixed.
type asked[T any] struct {
	done    chan struct{}
	answer  T
	err     error
	hasLeft bool // whether the one that asked has left, so that others must ask
}

// ask returns what ask returns, for this caller or for one that came before and still waits.
func (j *joint[T]) ask(ctx context.Context, ask func(context.Context) (T, error)) (answer T, err error) {
	for {
		running, isOwn := j.join()
		if isOwn {
			j.finish(ctx, running, ask)
			return running.answer, running.err
		}
		err := j.await(ctx, running)
		if err != nil {
			return answer, err
		}
		if !running.hasLeft {
			return running.answer, running.err
		}
		if err := ctx.Err(); err != nil {
			return answer, err
		}
	}
}

// await waits for an answer.
func (j *joint[T]) await(ctx context.Context, running *asked[T]) error {
	defer func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.waiting--
	}()
	select {
	case <-running.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// join returns what is being asked, or a question that the caller asks.
func (j *joint[T]) join() (running *asked[T], isOwn bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.running != nil {
		j.waiting++
		return j.running, false
	}
	j.running = &asked[T]{done: make(chan struct{}), err: errPanicked}
	return j.running, true
}

// finish asks. Those that wait for one that panics get an error.
func (j *joint[T]) finish(ctx context.Context, own *asked[T], ask func(context.Context) (T, error)) {
	defer func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.running = nil
		close(own.done)
	}()
	own.answer, own.err = ask(ctx)
	own.hasLeft = own.err != nil && ctx.Err() != nil
}
