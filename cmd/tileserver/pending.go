package main

import (
	"io/fs"
	"os"
	"time"

	"tileserver/dataset"
)

// pendingFiles tracks the desired layers that are not open yet.
type pendingFiles struct {
	hasList bool           // update has been called
	ready   []desiredLayer // may be opened now
	waiting []desiredLayer // files still being written, or that failed to open

	states    map[dataset.Address]fileState // of the waiting files, at the last check
	failures  map[dataset.Address]openFailure
	nextCheck time.Time // when to check files that may still be written; zero if none
}

// fileState is the metadata by which a change to a file is detected.
type fileState struct {
	size     int64
	modified int64 // in Unix nanoseconds
	mode     fs.FileMode
}

// openFailure records why a file could not be opened.
type openFailure struct {
	state      fileState
	reason     string
	retryAfter time.Time // an unchanged file is not tried again before this
}

const (
	// settleTime is how long a file must stay unchanged before it is opened. A running copy writes
	// more often than this.
	settleTime = 2 * time.Second

	// retryInterval is the pause before an unchanged file is tried again, as the cause of the
	// failure may lie outside the file.
	retryInterval = 5 * time.Minute
)

func newPendingFiles() pendingFiles {
	return pendingFiles{states: make(map[dataset.Address]fileState), failures: make(map[dataset.Address]openFailure)}
}

// statFile returns the state of the file at a path. It is zero if the file cannot be read.
func statFile(path string) fileState {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}
	}
	return fileState{info.Size(), info.ModTime().UnixNano(), info.Mode()}
}

// isOlderThan reports whether a file was last modified at least age ago. A time in the future
// counts as recent: the clock of the writing machine may be wrong.
func (l fileState) isOlderThan(age time.Duration, now time.Time) bool {
	return l != fileState{} && now.Sub(time.Unix(0, l.modified)) >= age
}

// update replaces the pending files by those layers of a list that are not open. The files of the
// first list are ready at once, so that the server starts without delay.
func (p *pendingFiles) update(list []desiredLayer, opened map[string]openLayer) {
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
	p.check()
}

// check moves waiting files that have settled, or that are due for another try, to ready.
func (p *pendingFiles) check() {
	now := time.Now()
	waiting, states := p.waiting, p.states
	p.waiting, p.states, p.nextCheck = nil, make(map[dataset.Address]fileState, len(waiting)), time.Time{}
	for _, w := range waiting {
		state := statFile(w.image.Path)
		earlier, isKnown := states[w.image]
		switch failure, hasFailed := p.failures[w.image]; {
		case hasFailed && failure.state == state && now.Before(failure.retryAfter):
			p.waiting = append(p.waiting, w)
		case isKnown && earlier == state, !isKnown && state.isOlderThan(settleTime, now):
			p.ready = append(p.ready, w)
			continue
		default:
			p.waiting = append(p.waiting, w)
			p.nextCheck = now.Add(settleTime)
		}
		p.states[w.image] = state
	}
}

// noteFailure makes a file wait that could not be opened. It reports whether the reason is new.
func (p *pendingFiles) noteFailure(w desiredLayer, state fileState, err error) (isNew bool) {
	earlier, hasFailed := p.failures[w.image]
	p.failures[w.image] = openFailure{state, err.Error(), time.Now().Add(retryInterval)}
	p.waiting = append(p.waiting, w)
	p.states[w.image] = state
	return !hasFailed || earlier.reason != err.Error()
}
