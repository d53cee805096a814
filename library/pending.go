package library

import (
	"context"
	"errors"
	"time"

	"tileserver/dataset"
	"tileserver/source"
)

// pendingFiles tracks the desired layers that are not open yet.
type pendingFiles struct {
	files   source.Store
	hasList bool           // update has been called
	ready   []desiredLayer // may be opened now
	waiting []desiredLayer // files still being written, or that failed to open

	states    map[dataset.Address]source.State // of the waiting files, at the last check
	failures  map[dataset.Address]openFailure
	nextCheck time.Time // when to check files that may still be written, or did not answer; zero if none
}

// openFailure records why a file could not be opened.
type openFailure struct {
	state      source.State
	reason     string
	retryAfter time.Time // an unchanged file is not tried again before this
	isStalled  bool      // the storage did not answer
}

const (
	// settleTime is how long a file must stay unchanged before it is opened. A running copy writes
	// more often than this.
	settleTime = 2 * time.Second

	// retryInterval is the pause before an unchanged file is tried again, as the cause of the
	// failure may lie outside the file.
	retryInterval = 5 * time.Minute
)

func newPendingFiles(files source.Store) pendingFiles {
	return pendingFiles{files: files, states: make(map[dataset.Address]source.State), failures: make(map[dataset.Address]openFailure)}
}

// stat returns the state of the file of a layer. It is zero if the file cannot be read.
func (p *pendingFiles) stat(ctx context.Context, w desiredLayer) source.State {
	state, err := p.files.Stat(ctx, w.image.Path)
	if err != nil {
		return source.State{}
	}
	return state
}

// update replaces the pending files by those layers of a list that are not open. The files of the
// first list are ready at once, so that the server starts without delay.
func (p *pendingFiles) update(ctx context.Context, list []desiredLayer, opened map[string]openLayer) {
	queued := make(map[string]bool, len(p.ready))
	for _, w := range p.ready {
		queued[w.id] = true
	}
	failures := p.failures
	p.ready, p.waiting, p.failures = nil, nil, make(map[dataset.Address]openFailure, len(failures))
	for _, w := range list {
		if _, isOpen := opened[w.id]; isOpen {
			continue
		}
		failure, hasFailed := failures[w.image]
		if hasFailed {
			p.failures[w.image] = failure
		}
		if queued[w.id] || !p.hasList && !hasFailed {
			p.ready = append(p.ready, w)
		} else {
			p.waiting = append(p.waiting, w)
		}
	}
	p.hasList = true
	p.check(ctx)
}

// check moves waiting files that have settled, or that are due for another try, to ready.
func (p *pendingFiles) check(ctx context.Context) {
	now := time.Now()
	waiting, states := p.waiting, p.states
	p.waiting, p.states, p.nextCheck = nil, make(map[dataset.Address]source.State, len(waiting)), time.Time{}
	for _, w := range waiting {
		state := p.stat(ctx, w)
		var earlier *source.State
		if seen, ok := states[w.image]; ok {
			earlier = &seen
		}
		switch failure, hasFailed := p.failures[w.image]; {
		case hasFailed && failure.state == state && now.Before(failure.retryAfter):
			p.waiting = append(p.waiting, w)
			if failure.isStalled {
				p.checkAt(failure.retryAfter)
			}
		case state.IsComplete(earlier, settleTime, now):
			p.ready = append(p.ready, w)
			continue
		default:
			p.waiting = append(p.waiting, w)
			p.checkAt(now.Add(settleTime))
		}
		p.states[w.image] = state
	}
}

// checkAt sees to it that files are checked at a time, at the latest.
func (p *pendingFiles) checkAt(due time.Time) {
	if p.nextCheck.IsZero() || due.Before(p.nextCheck) {
		p.nextCheck = due
	}
}

// noteFailure makes a file wait that could not be opened. It reports whether the reason is new.
func (p *pendingFiles) noteFailure(w desiredLayer, state source.State, err error) (isNew bool) {
	earlier, hasFailed := p.failures[w.image]
	failure := openFailure{state, err.Error(), time.Now().Add(retryInterval), errors.Is(err, source.ErrStalled)}
	if failure.isStalled {
		failure.retryAfter = time.Now().Add(stalledRetry)
		p.checkAt(failure.retryAfter)
	}
	p.failures[w.image] = failure
	p.waiting = append(p.waiting, w)
	p.states[w.image] = state
	return !hasFailed || earlier.reason != err.Error()
}
