package library

import (
	"context"
	"time"
)

// openings open files in the background, those of each storage in a batch of its own: a storage that
// stalls delays the files of no other.
type openings struct {
	running map[string]*batch // by storage
	fresh   []*batch          // started since the last call of await
	ended   chan struct{}     // has an element after a batch has ended
}

// batch is a list of files that are being opened. Once done is closed, results are fixed.
type batch struct {
	list    []desiredLayer
	done    chan struct{}
	results []openResult // of the first ones of the list
}

// openPatience is how long the library waits for the batches that it starts. They take publishInterval
// and the time of a file, unless their storage stalls.
const openPatience = 2 * publishInterval

func newOpenings() openings {
	return openings{running: make(map[string]*batch), ended: make(chan struct{}, 1)}
}

// openReady opens some of the files that are ready and publishes them. Those that take long are
// published later.
func (l *Library) openReady(ctx context.Context) {
	l.startOpening(ctx)
	l.openings.await(ctx)
	l.takeOpened(ctx)
}

// canOpen reports whether files are ready whose storage is free.
func (l *Library) canOpen() bool {
	for storage := range l.pending.ready {
		if l.openings.running[storage] == nil {
			return true
		}
	}
	return false
}

// startOpening starts to open files of the storages that are free.
func (l *Library) startOpening(ctx context.Context) {
	for storage := range l.pending.ready {
		if l.openings.running[storage] != nil {
			continue
		}
		next := &batch{list: l.pending.takeReady(storage), done: make(chan struct{})}
		for _, w := range next.list {
			l.pending.opening[w.id] = openingLayer{w, next}
		}
		l.openings.running[storage] = next
		l.openings.fresh = append(l.openings.fresh, next)
		go l.openBatch(ctx, next, l.desired.shared)
	}
}

// openBatch opens files of a batch for a moment. If ctx ends, nobody takes the results.
func (l *Library) openBatch(ctx context.Context, b *batch, shared Shared) {
	results := l.openFiles(ctx, b.list, shared, time.Now().Add(publishInterval))
	if ctx.Err() != nil {
		l.discard(results)
		results = nil
	}
	b.results = results
	close(b.done)
	select {
	case l.openings.ended <- struct{}{}:
	default:
	}
}

// await waits for the batches that were started last, or if there are none for any other, but not long.
func (o *openings) await(ctx context.Context) {
	patience := time.NewTimer(openPatience)
	defer patience.Stop()
	if len(o.fresh) == 0 {
		select {
		case <-o.ended:
		case <-patience.C:
		case <-ctx.Done():
		}
	}
	for _, b := range o.fresh {
		select {
		case <-b.done:
			continue
		case <-patience.C:
		case <-ctx.Done():
		}
		break
	}
	o.fresh = nil
}

// takeOpened publishes the files of batches that have ended. Files that these did not reach are ready
// again.
func (l *Library) takeOpened(ctx context.Context) {
	hasEnded := false
	for storage, b := range l.openings.running {
		select {
		case <-b.done:
			hasEnded = true
			delete(l.openings.running, storage)
			l.takeBatch(storage, b)
		default:
		}
	}
	if hasEnded && ctx.Err() == nil {
		l.publish()
	}
}

// takeBatch takes the results of a batch, except for files that are no longer desired as they were when
// it began.
func (l *Library) takeBatch(storage string, b *batch) {
	var unreached []desiredLayer
	for i, w := range b.list {
		isDesired := l.pending.endOpening(w.id, b)
		switch {
		case i >= len(b.results) && isDesired:
			unreached = append(unreached, w)
		case i >= len(b.results):
		case !isDesired:
			l.discard(b.results[i : i+1])
		case b.results[i].err == nil:
			l.opened[w.id] = openLayer{w, b.results[i].layer}
			l.changes.added = append(l.changes.added, w)
		case l.pending.noteFailure(w, b.results[i].state, b.results[i].err):
			l.logSkipped(w, b.results[i])
		}
	}
	l.pending.putBack(storage, unreached)
}
