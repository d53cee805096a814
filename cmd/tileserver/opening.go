package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"tileserver/layer"
)

const (
	// openedAtATime is how many files are opened side by side. It is waiting for them that
	// takes time, and pictures want the rest.
	openedAtATime = 4

	// publishInterval is after what time files that were opened are served while others are
	// still to be opened: not at each one, for that costs more the more there are.
	publishInterval = 250 * time.Millisecond

	// openedPerInterval is more than can be.
	openedPerInterval = 4096
)

// attempt is what became of opening a file.
type attempt struct {
	layer *layer.Layer // nil where there is an error
	looks looks        // before it was opened
	err   error
	stack string // where opening it broke, if it did: the same failure may have another one
}

// openReady opens some of the newcomers that are ready and serves them.
func (l *library) openReady(ctx context.Context) {
	ready := l.newcomers.ready
	attempts := l.openEach(ctx, ready[:min(len(ready), openedPerInterval)], l.asked.shared, time.Now().Add(publishInterval))
	if ctx.Err() != nil {
		l.discard(attempts)
		return
	}
	l.newcomers.ready = ready[len(attempts):]
	for i, a := range attempts {
		w := ready[i]
		switch {
		case a.err == nil:
			l.opened[w.id] = held{w, a.layer}
			l.news.added = append(l.news.added, w)
		case l.newcomers.refuse(w, a.looks, a.err):
			l.tellOfRefusal(w, a)
		}
	}
	l.publish()
}

func (l *library) tellOfRefusal(w wanted, a attempt) {
	logger := l.logger
	if a.stack != "" {
		logger = logger.With("stack", a.stack)
	}
	logger.Warn("skipped file", "path", w.from, "err", fileError{w.from, w.id, a.err}.reason())
}

// openEach opens files until all are open, or until a time, if there is one. It returns what
// became of those that it came to, which are the first ones.
func (l *library) openEach(ctx context.Context, list []wanted, shared shared, until time.Time) []attempt {
	attempts := make([]attempt, len(list))
	next := 0
	var mu sync.Mutex // guards next
	take := func() (at int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(list) || ctx.Err() != nil || !until.IsZero() && next > 0 && !time.Now().Before(until) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	var working sync.WaitGroup
	for range openedAtATime {
		working.Go(func() {
			for at, ok := take(); ok; at, ok = take() {
				attempts[at] = l.open(ctx, list[at], shared)
			}
		})
	}
	working.Wait()
	return attempts[:next]
}

// open opens a file. One that the server cannot cope with must not end it.
func (l *library) open(ctx context.Context, w wanted, shared shared) (a attempt) {
	defer func() {
		if broken := recover(); broken != nil {
			a.err, a.stack = fmt.Errorf("panic while opening %v: %v", w.from, broken), string(debug.Stack())
		}
		if a.err != nil {
			l.discard([]attempt{a})
			a.layer = nil
		}
	}()
	a.looks = looksOf(w.from.path)
	var c layer.Config
	if c, a.err = l.configOf(w, shared); a.err != nil {
		return a
	}
	if a.layer, a.err = l.catalog.Open(ctx, c); a.err == nil {
		a.err = l.check(w, a.layer)
	}
	return a
}

// discard closes the files of layers that are not to be served after all.
func (l *library) discard(attempts []attempt) {
	for _, a := range attempts {
		if a.layer == nil {
			continue
		}
		if err := l.catalog.Discard(a.layer); err != nil {
			l.logger.Warn("cannot close file", "layer", a.layer.ID(), "err", err)
		}
	}
}

// news is what has come and gone since it was told last.
type news struct{ added, removed []wanted }

// maxTold is how many files have a line each in the log when they come or go together.
const maxTold = 20

func (n *news) tell(logger *slog.Logger) {
	for _, what := range []struct {
		happened string
		layers   []wanted
	}{{"layer added", n.added}, {"layer removed", n.removed}} {
		if len(what.layers) > maxTold {
			logger.Info(what.happened, "count", len(what.layers), "first", what.layers[0].id)
			continue
		}
		for _, w := range what.layers {
			logger.Info(what.happened, "layer", w.id, "path", w.from)
		}
	}
}
