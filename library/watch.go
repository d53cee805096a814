package library

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"time"
)

// maxStartWait is how long the start of a server waits for files to open. The remaining files are
// opened while it serves.
const maxStartWait = 5 * time.Second

// Start applies what is desired first and opens files for up to maxStartWait.
func (l *Library) Start(ctx context.Context, d Desired) error {
	if err := l.Apply(ctx, d); err != nil {
		return err
	}
	began := time.Now()
	for !l.pending.isEmpty() && time.Since(began) < maxStartWait && ctx.Err() == nil {
		l.openReady(ctx)
	}
	l.started.Store(l.hasOpenedAll())
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !l.pending.isEmpty():
		l.Logger.Info("serving while files are still being opened", "opened", len(l.opened), "left", l.pending.left())
	case len(d.Layers)+len(d.Paths) == 0: // the server shows files that requests name
	case len(l.opened)+len(l.offered) == 0 && !l.mayScan():
		return errors.New("nothing to serve: no file could be opened")
	case len(l.opened)+len(l.offered) == 0:
		l.Logger.Info("nothing to serve yet, waiting for files", "rescan", l.desired.rescan)
	}
	return nil
}

// Ready returns an error until the files found at the start are open. It is safe for concurrent
// use.
func (l *Library) Ready() error {
	if !l.started.Load() {
		return errStillOpening
	}
	return nil
}

// hasOpenedAll reports whether every folder was listed, and every file in it opened, or that failed.
func (l *Library) hasOpenedAll() bool { return l.pending.isEmpty() && len(l.scans.running) == 0 }

// maxProblems bounds the lines of Problems.
const maxProblems = 20

// Problems returns a line for each folder that cannot be read. It is safe for concurrent use.
func (l *Library) Problems() []string {
	if problems := l.problems.Load(); problems != nil {
		return *problems
	}
	return nil
}

// Skipped returns how many files could not be opened. It must not be called while Watch runs.
func (l *Library) Skipped() int { return len(l.pending.failures) }

var errStillOpening = errors.New("files are still being opened")

// pause returns how long until the next step is due; never is true if none is.
//
// Folders are polled, because file systems report no changes on network folders, where most large
// rasters are.
func (l *Library) pause() (pause time.Duration, never bool) {
	if l.canOpen() {
		return 0, false
	}
	due := l.pending.nextCheck
	if l.mayScan() && (due.IsZero() || l.nextScan.Before(due)) {
		due = l.nextScan
	}
	return max(time.Until(due), 0), due.IsZero()
}

// mayScan reports whether folders are scanned again.
func (l *Library) mayScan() bool { return len(l.desired.pathsToScan()) > 0 }

// step does the work that is due.
func (l *Library) step(ctx context.Context) {
	now := time.Now()
	switch unsettled := l.pending.nextCheck; {
	case l.mayScan() && !now.Before(l.nextScan):
		l.rescan(ctx)
	case l.canOpen():
		l.openReady(ctx)
	case !unsettled.IsZero() && !now.Before(unsettled):
		l.pending.check(ctx)
	}
	l.noteStart()
}

// noteStart tells once that the start has ended.
func (l *Library) noteStart() {
	if l.hasOpenedAll() && !l.started.Swap(true) {
		l.Logger.Info("all files opened", "layers", len(l.opened))
	}
}

// Watch keeps the library in step with the folders until ctx ends, calls reload at each signal, and scans when
// Rescan asks for that. A panic does not end the server: what is served stays, and the work is tried again
// later.
func (l *Library) Watch(ctx context.Context, signals <-chan os.Signal, reload func(context.Context)) {
	for ctx.Err() == nil {
		if panicked := l.watchOnce(ctx, signals, reload); panicked {
			select {
			case <-ctx.Done():
			case <-time.After(panicPause):
			}
		}
	}
}

// panicPause is how long nothing is tried after a panic, which would come again at once.
const panicPause = 10 * time.Second

// watchOnce waits for the next thing to do, and does it.
func (l *Library) watchOnce(ctx context.Context, signals <-chan os.Signal, reload func(context.Context)) (panicked bool) {
	defer func() {
		if value := recover(); value != nil {
			panicked = true
			l.Logger.Error("panic while watching files", "panic", value, "stack", string(debug.Stack()))
		}
	}()
	pause, never := l.pause()
	wake := time.NewTimer(pause)
	defer wake.Stop()
	var due <-chan time.Time
	if !never {
		due = wake.C
	}
	select {
	case <-ctx.Done():
	case <-signals:
		reload(ctx)
	case answer := <-l.asked:
		l.scanAsked(ctx, answer)
		l.noteStart()
	case <-l.scans.ended:
		l.takeScans(ctx)
		l.noteStart()
	case <-l.openings.ended:
		l.takeOpened(ctx)
		l.noteStart()
	case <-due:
		l.step(ctx)
	}
	return false
}
