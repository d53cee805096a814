package main

import (
	"context"
	"errors"
	"os"
	"time"

	"tileserver/config"
)

// maxStartWait is how long the start of a server waits for files to open. The remaining files are
// opened while it serves.
const maxStartWait = 5 * time.Second

// start applies the first configuration and opens files for up to maxStartWait.
func (l *library) start(ctx context.Context, c config.Config) error {
	if err := l.apply(ctx, c); err != nil {
		return err
	}
	began := time.Now()
	for len(l.pending.ready) > 0 && time.Since(began) < maxStartWait && ctx.Err() == nil {
		l.openReady(ctx)
	}
	l.started.Store(len(l.pending.ready) == 0)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(l.pending.ready) > 0:
		l.logger.Info("serving while files are still being opened", "opened", len(l.opened), "left", len(l.pending.ready))
	case len(l.opened) == 0 && !l.desired.watchesFolders():
		return errors.New("nothing to serve: no file could be opened")
	case len(l.opened) == 0:
		l.logger.Info("nothing to serve yet, waiting for files", "rescan", l.desired.rescan)
	}
	return nil
}

// ready returns an error until the files found at the start are open. It is safe for concurrent
// use.
func (l *library) ready() error {
	if !l.started.Load() {
		return errStillOpening
	}
	return nil
}

var errStillOpening = errors.New("files are still being opened")

// pause returns how long until the next step is due; never is true if none is.
//
// Folders are polled, because file systems report no changes on network folders, where most large
// rasters are.
func (l *library) pause() (pause time.Duration, never bool) {
	if len(l.pending.ready) > 0 {
		return 0, false
	}
	due := l.pending.nextCheck
	if l.desired.watchesFolders() && (due.IsZero() || l.nextScan.Before(due)) {
		due = l.nextScan
	}
	return max(time.Until(due), 0), due.IsZero()
}

// step does the work that is due.
func (l *library) step(ctx context.Context) {
	now := time.Now()
	switch unsettled := l.pending.nextCheck; {
	case l.desired.watchesFolders() && !now.Before(l.nextScan):
		l.rescan(ctx)
	case len(l.pending.ready) > 0:
		l.openReady(ctx)
	case !unsettled.IsZero() && !now.Before(unsettled):
		l.pending.check()
	}
	if len(l.pending.ready) == 0 && !l.started.Swap(true) {
		l.logger.Info("all files opened", "layers", len(l.opened))
	}
}

// watch keeps the library in step with the folders until ctx ends, and calls reload at each signal.
func (l *library) watch(ctx context.Context, signals <-chan os.Signal, reload func(context.Context)) {
	for ctx.Err() == nil {
		pause, never := l.pause()
		wake := time.NewTimer(pause)
		var due <-chan time.Time
		if !never {
			due = wake.C
		}
		select {
		case <-ctx.Done():
		case <-signals:
			reload(ctx)
		case <-due:
			l.step(ctx)
		}
		wake.Stop()
	}
}
