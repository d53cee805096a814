package main

import (
	"context"
	"errors"
	"os"
	"time"
)

// startPatience is how long a server waits with its first answer for the files that it
// finds. Those that take longer come while it answers.
const startPatience = 5 * time.Second

// start applies the first configuration and opens what is there, for a while.
func (l *library) start(ctx context.Context, c config) error {
	if err := l.apply(ctx, c); err != nil {
		return err
	}
	began := time.Now()
	for len(l.newcomers.ready) > 0 && time.Since(began) < startPatience && ctx.Err() == nil {
		l.openReady(ctx)
	}
	l.started.Store(len(l.newcomers.ready) == 0)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(l.newcomers.ready) > 0:
		l.logger.Info("serving while files are still being opened", "opened", len(l.opened), "left", len(l.newcomers.ready))
	case len(l.opened) == 0 && !l.asked.watches():
		return errors.New("nothing to serve: no file could be opened")
	case len(l.opened) == 0:
		l.logger.Info("nothing to serve yet, waiting for files", "rescan", l.asked.rescan)
	}
	return nil
}

// ready says what there is to wait for before the server is asked. It may be called while
// the library is in use.
func (l *library) ready() error {
	if !l.started.Load() {
		return errStillOpening
	}
	return nil
}

var errStillOpening = errors.New("files are still being opened")

// pause is how long there is nothing to do; never is true if that is for ever.
//
// Folders are looked into again and again, for what systems tell of changes they do not tell
// of folders on the network, and that is where rasters are.
func (l *library) pause() (pause time.Duration, never bool) {
	if len(l.newcomers.ready) > 0 {
		return 0, false
	}
	due := l.newcomers.unsettled
	if l.asked.watches() && (due.IsZero() || l.nextScan.Before(due)) {
		due = l.nextScan
	}
	return max(time.Until(due), 0), due.IsZero()
}

// step does some of what there is to do.
func (l *library) step(ctx context.Context) {
	now := time.Now()
	switch unsettled := l.newcomers.unsettled; {
	case l.asked.watches() && !now.Before(l.nextScan):
		l.rescan(ctx)
	case len(l.newcomers.ready) > 0:
		l.openReady(ctx)
	case !unsettled.IsZero() && !now.Before(unsettled):
		l.newcomers.look()
	}
	if len(l.newcomers.ready) == 0 && !l.started.Swap(true) {
		l.logger.Info("all files opened", "layers", len(l.opened))
	}
}

// watch keeps the library in step with the folders until ctx ends, and calls reload at each
// signal.
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
