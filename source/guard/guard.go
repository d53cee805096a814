// Package guard wraps a store, so that a storage that fails or stalls is given up soon and then left
// alone. Every call gets a deadline. After several failures a storage is away: calls fail at once with
// a StalledError, except for a probe now and then, and for reads of what is in memory. A read that turns
// out to need its storage may become a probe; those that do not take none from it. A probe that succeeds
// ends the absence for calls of its kind. When no kind fails, the storage is back. A storage that answers for
// some objects, and that others fail, stays: those are left alone in the same way.
//
// The program wraps its store. The package owns what is known of each storage. It must never know
// what kind of store it wraps, nor what is served from it. It needs stores whose calls end soon after
// their contexts, and whose reads tell when they need their storage (source.Reach): a store that does not
// tell stays away.
//
// Words: a *storage* is what fails as one, such as a disk or a host; the store names it. A storage is
// *away* or it *answers*. An error about an object, such as one that does not exist, is an answer. A
// call *reaches* its storage if its answer is not in memory.
package guard

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tileserver/source"
)

// Store is a guarded store.
type Store struct {
	source.Store
	config Config

	mu       sync.Mutex // guards the field below
	storages map[string]*storage
}

var _ source.Store = (*Store)(nil)

// Config configures a Store.
type Config struct {
	Timeout time.Duration // of a call
	Logger  *slog.Logger  // for storages that go away or return; nil for none

	// OnWait is told of a call that begins to wait for its storage, and then of its end; nil is not.
	// What is in memory is not waited for.
	OnWait func(ctx context.Context) (end func())
}

const (
	// checkShare is the part of the time of a call that a check of the state of an object may take: it
	// is small, and requests and the start of a server wait for it.
	checkShare = 10

	// minCheckTime is for timeouts that are short already.
	minCheckTime = time.Second
)

// checkTime returns the time for a check.
func (c *Config) checkTime() time.Duration {
	return min(max(c.Timeout/checkShare, minCheckTime), c.Timeout)
}

// Wrap returns a guarded store.
func Wrap(store source.Store, config Config) *Store {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.OnWait == nil {
		config.OnWait = func(context.Context) func() { return func() {} }
	}
	return &Store{Store: store, config: config, storages: make(map[string]*storage)}
}

// maxStorages bounds the storages that are remembered. A store has few: disks, mounted folders, hosts.
const maxStorages = 256

// at returns what a call is about.
func (s *Store) at(path string) place {
	return place{s.storageOf(path), path, s.config.Timeout}
}

// storageOf returns the storage that a path lies on.
func (s *Store) storageOf(path string) *storage {
	name := s.Storage(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.storages[name]
	if !ok {
		if len(s.storages) >= maxStorages {
			s.forget()
		}
		found = newStorage(name, &s.config)
		s.storages[name] = found
	}
	return found
}

// forget forgets storages that never failed, and all if that is not enough. The caller holds the lock.
func (s *Store) forget() {
	for name, known := range s.storages {
		if known.status().Failures == 0 {
			delete(s.storages, name)
		}
	}
	if len(s.storages) >= maxStorages {
		clear(s.storages)
	}
}

// Stat returns the state of what lies at a path.
func (s *Store) Stat(ctx context.Context, path string) (source.State, error) {
	return call(ctx, s.at(path).within(s.config.checkTime()), asking, func(ctx context.Context) (source.State, error) { return s.Store.Stat(ctx, path) })
}

// List returns what lies in a folder.
func (s *Store) List(ctx context.Context, folder string) ([]source.Entry, error) {
	return call(ctx, s.at(folder), asking, func(ctx context.Context) ([]source.Entry, error) { return s.Store.List(ctx, folder) })
}

// Open opens the current version of an object. Its reads are guarded, too.
func (s *Store) Open(ctx context.Context, path string) (source.Object, error) {
	opened, err := call(ctx, s.at(path), asking, func(ctx context.Context) (source.Object, error) { return s.Store.Open(ctx, path) })
	if err != nil {
		return nil, err
	}
	return &object{opened, s.at(path)}, nil
}

// Status is what is known of a storage.
type Status struct {
	Name     string
	IsAway   bool
	Reason   string // why it is away
	Failures int64  // calls that failed because of the storage
	Refused  int64  // calls that failed at once because it was away
}

// Storages returns the storages, those that are away first.
func (s *Store) Storages() []Status {
	s.mu.Lock()
	all := make([]Status, 0, len(s.storages))
	for _, known := range s.storages {
		all = append(all, known.status())
	}
	s.mu.Unlock()
	slices.SortFunc(all, func(a, b Status) int { return cmp.Or(a.rank()-b.rank(), cmp.Compare(a.Name, b.Name)) })
	return all
}

func (s Status) rank() int {
	if s.IsAway {
		return 0
	}
	return 1
}
