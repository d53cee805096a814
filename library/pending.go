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
	hasList bool                      // update has been called
	ready   map[string][]desiredLayer // may be opened now, by storage
	opening map[string]openingLayer   // are being opened, by id
	waiting []desiredLayer            // files still being written, or that failed to open

	states    map[dataset.Address]source.State // of the waiting files, at the last check
	failures  map[dataset.Address]openFailure
	nextCheck time.Time // when to check files that may still be written, or did not answer; zero if none
}

// openingLayer is a layer whose file is being opened in a batch.
type openingLayer struct {
	desiredLayer
	batch *batch
}

// openFailure records why a file could not be opened.
type openFailure struct {
	state      source.State
	reason     string
	retryAfter time.Time // an unchanged file is not tried again before this
	isStalled  bool      // the storage did not answer
	isRemote   bool      // the file is named, and lies on a server
}

const (
	// settleTime is how long a file must stay unchanged before it is opened. A running copy writes
	// more often than this.
	settleTime = 2 * time.Second

	// retryInterval is the pause before an unchanged file is tried again, as the cause of the
	// failure may lie outside the file.
	retryInterval = 5 * time.Minute

	// remoteCheck is the pause before a file on a server that failed is looked for again, also without a folder to
	// scan: it is in other hands.
	remoteCheck = time.Minute
)

func newPendingFiles(files source.Store) pendingFiles {
	return pendingFiles{
		files: files, ready: make(map[string][]desiredLayer), opening: make(map[string]openingLayer),
		states: make(map[dataset.Address]source.State), failures: make(map[dataset.Address]openFailure),
	}
}

// isEmpty reports whether every file was opened, unless it waits.
func (p *pendingFiles) isEmpty() bool { return len(p.ready)+len(p.opening) == 0 }

// left returns how many files are ready or being opened.
func (p *pendingFiles) left() int {
	left := len(p.opening)
	for _, own := range p.ready {
		left += len(own)
	}
	return left
}

func (p *pendingFiles) addReady(w desiredLayer) {
	storage := p.files.Storage(w.image.Path)
	p.ready[storage] = append(p.ready[storage], w)
}

// takeReady removes some of the files of a storage that are ready, and returns them.
func (p *pendingFiles) takeReady(storage string) []desiredLayer {
	all := p.ready[storage]
	delete(p.ready, storage)
	count := min(len(all), maxOpensPerInterval)
	p.putBack(storage, all[count:])
	return all[:count:count]
}

// putBack makes files of a storage ready, before the others.
func (p *pendingFiles) putBack(storage string, list []desiredLayer) {
	if len(list) > 0 {
		p.ready[storage] = append(list, p.ready[storage]...)
	}
}

// endOpening ends the opening of a layer. It reports whether the layer is still desired as it was when
// the batch began.
func (p *pendingFiles) endOpening(id string, b *batch) (isDesired bool) {
	if p.opening[id].batch != b {
		return false
	}
	delete(p.opening, id)
	return true
}

// openAgain makes the files ready that are being opened: the results are of no use.
func (p *pendingFiles) openAgain() {
	for _, w := range p.opening {
		p.addReady(w.desiredLayer)
	}
	clear(p.opening)
}

// statesOf returns the states of the files of layers. Those that cannot be read are zero.
func statesOf(ctx context.Context, files source.Store, list []desiredLayer) []source.State {
	paths, states := make([]string, len(list)), make([]source.State, len(list))
	for i, w := range list {
		paths[i] = w.image.Path
	}
	for i, found := range source.StatAll(ctx, files, paths) {
		if found.Err == nil {
			states[i] = found.State
		}
	}
	return states
}

// update replaces the pending files by those layers of a list that are not open. The files of the
// first list are ready at once, so that the server starts without delay.
func (p *pendingFiles) update(ctx context.Context, list []desiredLayer, opened map[string]openLayer) {
	queued := make(map[string]bool, p.left())
	for _, own := range p.ready {
		for _, w := range own {
			queued[w.id] = true
		}
	}
	failures, opening := p.failures, p.opening
	*p = pendingFiles{
		files: p.files, hasList: p.hasList, states: p.states, nextCheck: p.nextCheck,
		ready: make(map[string][]desiredLayer), opening: make(map[string]openingLayer), failures: make(map[dataset.Address]openFailure, len(failures)),
	}
	for _, w := range list {
		if _, isOpen := opened[w.id]; isOpen {
			continue
		}
		failure, hasFailed := failures[w.image]
		if hasFailed {
			p.failures[w.image] = failure
		}
		running, isOpening := opening[w.id]
		switch {
		case isOpening && running.isOpenedAs(w) && running.isWrittenAs(w):
			p.opening[w.id] = running
		case isOpening, queued[w.id], !p.hasList && !hasFailed:
			p.addReady(w)
		default:
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
	found := statesOf(ctx, p.files, waiting)
	for i, w := range waiting {
		state := found[i]
		var earlier *source.State
		if seen, ok := states[w.image]; ok {
			earlier = &seen
		}
		switch failure, hasFailed := p.failures[w.image]; {
		case hasFailed && failure.state == state && now.Before(failure.retryAfter):
			p.waiting = append(p.waiting, w)
			p.checkAgain(failure, now)
		case state.IsComplete(earlier, settleTime, now):
			p.addReady(w)
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

// checkAgain sees to it that a file that failed is checked again where no scan of a folder does that.
func (p *pendingFiles) checkAgain(failure openFailure, now time.Time) {
	switch {
	case failure.isStalled:
		p.checkAt(failure.retryAfter)
	case failure.isRemote:
		p.checkAt(now.Add(remoteCheck))
	}
}

// noteFailure makes a file wait that could not be opened. It reports whether the reason is new.
func (p *pendingFiles) noteFailure(w desiredLayer, state source.State, err error) (isNew bool) {
	earlier, hasFailed := p.failures[w.image]
	now := time.Now()
	failure := openFailure{state, err.Error(), now.Add(retryInterval), errors.Is(err, source.ErrStalled), w.isNamed && source.IsRemote(w.image.Path)}
	if failure.isStalled {
		failure.retryAfter = now.Add(stalledRetry)
	}
	p.checkAgain(failure, now)
	p.failures[w.image] = failure
	p.waiting = append(p.waiting, w)
	p.states[w.image] = state
	return !hasFailed || earlier.reason != err.Error()
}
