package web

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"tileserver/source"
	"tileserver/source/ranges"
	"tileserver/source/web/transport"
)

// flights reads ranges of an object in few requests. Ranges that wait for a turn are planned together, whoever
// asks for them, and what is under way is not asked for again.
type flights struct {
	fly   func(ctx context.Context, turn *transport.Turn, f *flight) error // fills the flight
	enter func() *transport.Turn                                           // waits for a turn
	gap   func() int64                                                     // between ranges that are read together

	mu      sync.Mutex // guards the fields below, and those of wants and flights
	waiting []*want    // for a turn, first come first served
	planned []*planned // flights of all that wait; none if that has changed
	flying  []*flight
	runners int // goroutines that wait for a turn or fly
}

// want is a range that callers wait for.
type want struct {
	source.Range
	callers int
	taken   chan struct{} // closed once there is a flight
	flight  *flight
}

// flight is a request, and what it reads.
type flight struct {
	source.Range
	data    []byte
	err     error
	done    chan struct{} // closed once data or err is set
	callers int           // of all its wants
	cancel  context.CancelFunc
}

const (
	// maxFlightBytes bounds what is read together. Longer ranges are read alone.
	maxFlightBytes = 2 << 20

	// maxRunners bounds the goroutines of an object.
	maxRunners = 64
)

// read reads ranges that are within the object and not empty.
func (f *flights) read(ctx context.Context, wanted []source.Range) ([][]byte, error) {
	requests, requestOf := ranges.Coalesce(wanted, f.gap(), maxFlightBytes)
	wants := f.enlist(requests)
	defer f.leave(wants)
	for _, w := range wants {
		if err := w.await(ctx); err != nil {
			return nil, err
		}
	}
	parts := make([][]byte, len(wanted))
	for i, r := range wanted {
		on := wants[requestOf[i]].flight
		parts[i] = on.data[r.Offset-on.Offset:][:r.Length:r.Length]
	}
	return parts, nil
}

// await waits for the bytes of a want.
func (w *want) await(ctx context.Context) error {
	select {
	case <-w.taken:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-w.flight.done:
		return w.flight.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// enlist returns a want for each request. One that lies in another shares it.
func (f *flights) enlist(requests []source.Range) []*want {
	f.mu.Lock()
	defer f.mu.Unlock()
	wants := make([]*want, len(requests))
	for i, r := range requests {
		wants[i] = f.shared(r)
		if wants[i] == nil {
			wants[i] = &want{Range: r, callers: 1, taken: make(chan struct{})}
			f.waiting, f.planned = append(f.waiting, wants[i]), nil
		}
	}
	for f.runners-len(f.flying) < len(f.waiting) && f.runners < maxRunners { // those that fly take none of these soon
		f.runners++
		go f.run()
	}
	return wants
}

// shared returns a want that covers a range and is under way or waits, with one caller more; or nil. The
// caller holds the lock.
func (f *flights) shared(r source.Range) *want {
	for _, on := range f.flying {
		if on.callers > 0 && covers(on.Range, r) {
			on.callers++
			taken := make(chan struct{})
			close(taken)
			return &want{Range: r, callers: 1, taken: taken, flight: on}
		}
	}
	for _, w := range f.waiting {
		if covers(w.Range, r) {
			w.callers++
			return w
		}
	}
	return nil
}

func covers(outer, inner source.Range) bool {
	return outer.Offset <= inner.Offset && inner.End() <= outer.End()
}

// leave takes a caller from its wants. What nobody waits for is canceled.
func (f *flights) leave(wants []*want) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range wants {
		w.callers--
		switch {
		case w.flight != nil:
			if w.flight.callers--; w.flight.callers == 0 {
				w.flight.cancel()
			}
		case w.callers == 0:
			f.planned = nil
			f.waiting = slices.DeleteFunc(f.waiting, func(other *want) bool { return other == w })
		}
	}
}

// run makes flights as long as ranges wait.
func (f *flights) run() {
	for {
		turn := f.enter()
		next, ctx := f.take()
		if next == nil {
			turn.Leave()
			return
		}
		f.land(next, f.flySafely(ctx, turn, next))
		turn.Leave()
	}
}

// flySafely fills a flight. A panic is an error, since nobody else would recover.
func (f *flights) flySafely(ctx context.Context, turn *transport.Turn, next *flight) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic in a request: %v\n%s", panicked, debug.Stack())
		}
	}()
	return f.fly(ctx, turn, next)
}

// take begins the flight of the range that waits longest, and of those that are read with it. Without one the
// runner ends.
func (f *flights) take() (*flight, context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.waiting) == 0 {
		f.runners--
		return nil, nil
	}
	if len(f.planned) == 0 {
		f.planned = plan(f.waiting, f.gap())
	}
	first := f.planned[0]
	f.planned = f.planned[1:]
	ctx, cancel := context.WithCancel(context.Background())
	next := &flight{Range: first.Range, done: make(chan struct{}), cancel: cancel}
	for _, w := range first.wants {
		w.flight = next
		next.callers += w.callers
		close(w.taken)
	}
	f.waiting = slices.DeleteFunc(f.waiting, func(w *want) bool { return w.flight != nil })
	f.flying = append(f.flying, next)
	return next, ctx
}

// planned is a flight to come, and what waits for it.
type planned struct {
	source.Range
	wants []*want
}

// plan returns the flights of wants, in the order in which their first ones came.
func plan(wants []*want, gap int64) (all []*planned) {
	wanted := make([]source.Range, len(wants))
	for i, w := range wants {
		wanted[i] = w.Range
	}
	requests, requestOf := ranges.Coalesce(wanted, gap, maxFlightBytes)
	of := make([]*planned, len(requests))
	for i, w := range wants {
		at := requestOf[i]
		if of[at] == nil {
			of[at] = &planned{Range: requests[at]}
			all = append(all, of[at])
		}
		of[at].wants = append(of[at].wants, w)
	}
	return all
}

// land ends a flight.
func (f *flights) land(ended *flight, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ended.err = err
	close(ended.done)
	ended.cancel()
	f.flying = slices.DeleteFunc(f.flying, func(other *flight) bool { return other == ended })
}
