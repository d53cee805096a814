package disk

import (
	"context"
	"errors"
	"sync"
	"time"

	"tileserver/internal/oscall"
)

// Storage is the disk or the file server that folders of values lie on. A caller waits for it only so
// long; after that the value counts as not stored. The storage is then away: for a while nobody asks it,
// and one call after that finds out whether it answers. A nil Storage is waited for without end.
type Storage struct {
	config        StorageConfig
	reads, writes *oscall.Threads

	mu                sync.Mutex // guards the fields below
	isAway            bool
	nextProbe         time.Time
	timeouts, refused int64
}

// StorageConfig configures a Storage.
type StorageConfig struct {
	OnAway   func(err error) // is told that the storage does not answer; nil is not
	OnReturn func()          // is told that it answers again; nil is not
}

const (
	// The time that a call may take, and may wait for others before it. What is read is waited for by
	// requests, and made again sooner than that.
	readTimeout  = 2 * time.Second
	writeTimeout = 10 * time.Second

	// awayTime is how long a storage is not asked after a call that took too long.
	awayTime = 30 * time.Second

	// The calls that run at a time. A storage that hangs holds as many, each with one value. Those that
	// write do not delay those that read.
	maxReads  = 4
	maxWrites = 4
)

// NewStorage returns a storage that answers.
func NewStorage(config StorageConfig) *Storage {
	if config.OnAway == nil {
		config.OnAway = func(error) {}
	}
	if config.OnReturn == nil {
		config.OnReturn = func() {}
	}
	return &Storage{config: config, reads: oscall.NewThreads(maxReads), writes: oscall.NewThreads(maxWrites)}
}

// errAway is the error of calls that are not made, because the storage did not answer before.
var errAway = errors.New("the storage does not answer")

// reading makes a call that reads, unless the storage is away.
func reading[T any](ctx context.Context, s *Storage, call func() (T, error)) (value T, err error) {
	if s == nil {
		return oscall.Make(ctx, nil, call)
	}
	return ask(ctx, s, s.reads, readTimeout, call)
}

// writing makes a call that writes, unless the storage is away.
func writing(ctx context.Context, s *Storage, call func() error) error {
	do := func() (struct{}, error) { return struct{}{}, call() }
	if s == nil {
		_, err := oscall.Make(ctx, nil, do)
		return err
	}
	_, err := ask(ctx, s, s.writes, writeTimeout, do)
	return err
}

// beginning makes a call that must be made in the end. Its caller waits as for one that writes.
func beginning(s *Storage, call func() error) error {
	if s == nil {
		return call()
	}
	if !s.isAsked() {
		go func() { _ = call() }() // nobody is told
		return errAway
	}
	return writing(context.Background(), s, call)
}

// await waits for the end of many calls, of which each is short on a storage that answers. It does not
// wait longer than limit, and then says nothing of the storage.
func await(ctx context.Context, s *Storage, limit time.Duration, ended <-chan error) error {
	if s == nil {
		return <-ended
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

func ask[T any](ctx context.Context, s *Storage, threads *oscall.Threads, limit time.Duration, call func() (T, error)) (value T, err error) {
	isProbe, err := s.admit()
	if err != nil {
		return value, err
	}
	value, err = oscall.MakeWithin(ctx, threads, limit, call)
	switch {
	case isTimeout(err):
		s.noteTimeout(err)
	case isProbe && ctx.Err() == nil && !errors.Is(err, oscall.ErrBusy): // the call ended, for a caller who waits
		s.noteAnswer()
	}
	return value, err
}

// isTimeout reports whether a call, or those before it, took too long.
func isTimeout(err error) bool {
	return errors.As(err, new(*oscall.TimeoutError)) || errors.As(err, new(*oscall.HangingError))
}

// isUnanswered reports whether a call failed because the storage did not answer it, or was not made.
func isUnanswered(err error) bool {
	return isTimeout(err) || errors.Is(err, errAway) || errors.Is(err, oscall.ErrBusy)
}

// admit returns an error if the storage is away, unless the call is a probe.
func (s *Storage) admit() (isProbe bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isAway {
		return false, nil
	}
	if time.Now().Before(s.nextProbe) {
		s.refused++
		return false, errAway
	}
	s.nextProbe = time.Now().Add(awayTime)
	return true, nil
}

// isAsked reports whether a call would be made now.
func (s *Storage) isAsked() bool {
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.isAway || !time.Now().Before(s.nextProbe)
}

func (s *Storage) noteTimeout(err error) {
	s.mu.Lock()
	s.timeouts++
	wasAway := s.isAway
	s.isAway, s.nextProbe = true, time.Now().Add(awayTime)
	s.mu.Unlock()
	if !wasAway {
		s.config.OnAway(err)
	}
}

func (s *Storage) noteAnswer() {
	s.mu.Lock()
	wasAway := s.isAway
	s.isAway = false
	s.mu.Unlock()
	if wasAway {
		s.config.OnReturn()
	}
}

// StorageStats describes a storage.
type StorageStats struct {
	IsAway            bool
	Timeouts, Refused int64 // calls that took too long, and calls that were not made because of that
	Hanging           int   // calls that go on although nobody waits for them
}

// Stats returns what is known of the storage.
func (s *Storage) Stats() StorageStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return StorageStats{IsAway: s.isAway, Timeouts: s.timeouts, Refused: s.refused, Hanging: s.reads.Hanging() + s.writes.Hanging()}
}
