package layer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Dataset is an opened image and where it lies.
type Dataset struct {
	Provider raster.Provider // uncached, as the file is
	CRS      *geo.CRS        // nil: not on the earth, or nobody knows where
	CRSError error           // why CRS is nil

	// Placement is where the pixels lie in CRS; nil without one.
	Placement geo.Placement
	Close     func() error

	// Identity names the content of the dataset on this machine, beyond what its key
	// tells, which replicas share: copies of different content may have one key, as files
	// of one name, size and time do. Statistics are kept beyond the end of the process for
	// datasets that have one only.
	Identity string

	// IsCurrent tells, at little cost, whether opening the dataset again would
	// give the same one; nil: it always would.
	IsCurrent func() bool

	// Settle waits until the version that follows this one is likely to be whole,
	// or fails; nil: there are no others than whole ones.
	Settle func(ctx context.Context) error
}

// Open opens the present version of a dataset. The error is fs.ErrNotExist if it is
// gone.
type Open func(ctx context.Context) (*Dataset, error)

// opened is one version of a layer's dataset, with what is built on it.
type version struct {
	dataset *Dataset
	providers
	describe func() Description // works it out once
	damage   damageLog
}

// reopening holds the present version of a dataset, and opens the next one when
// it has changed.
type versions struct {
	open          Open
	build         func(*Dataset) (providers, error)
	onReopenError func(error) // or nil
	describe      func(*Dataset, *pyramid.Pyramid) Description
	onChange      func()                         // told of every change of what is to be seen but the first
	assignKey     func(*Dataset) raster.Provider // what the first version is to go by; or nil
	keys          *keySequence                   // for the versions that follow it
	active        atomic.Pointer[version]
	lastCheck     atomic.Int64 // when it was last asked whether that is current, as Unix nanoseconds
	gone          atomic.Bool  // at the last look there was nothing to open

	mu            sync.Mutex // guards what follows
	attempt       *attempt   // to open the next version, if one is under way
	reportedError string     // why the next version could not be opened, when that was told last
}

// attempt is an opening that others wait for. The version and the error are set once
// done is closed.
type attempt struct {
	done chan struct{}
	next *version
	err  error
}

// errGone says that a dataset was there and is not any more.
var errGone = errors.New("the file is gone")

// lookInterval is for how long a version is taken for current without a look.
const checkInterval = time.Second

// now is the present version. One caller in a while looks whether it still is,
// and opens the next one if not. If that cannot be opened, as a file that is still
// being written, the old version goes on until the next look; if there is none, the
// error is errGone.
func (s *versions) current() (*version, error) {
	v := s.active.Load()
	if v.dataset.IsCurrent != nil && s.mayCheck() {
		v = s.check(v)
	}
	if s.gone.Load() {
		return v, errGone
	}
	return v, nil
}

func (s *versions) mayCheck() bool {
	previous, now := s.lastCheck.Load(), time.Now().UnixNano()
	return now-previous >= int64(checkInterval) && s.lastCheck.CompareAndSwap(previous, now)
}

// look finds out whether there is a version after now, and which is the present one.
func (s *versions) check(v *version) *version {
	if v.dataset.IsCurrent() {
		s.setGone(false)
		return v
	}
	// For all who come, so it does not end with the request that found it out.
	next, err := s.reopen(context.Background(), v)
	s.setGone(errors.Is(err, fs.ErrNotExist))
	if err != nil {
		return v
	}
	return next
}

func (s *versions) setGone(gone bool) {
	if s.gone.Swap(gone) != gone {
		s.onChange()
	}
}

// reopen replaces a version that was found to have changed. Whoever comes while
// another is at it gets what that one opened, or its error. The old version is left
// to those who still use it: its file is closed when nobody holds it any more.
func (s *versions) reopen(ctx context.Context, old *version) (*version, error) {
	s.mu.Lock()
	if v := s.active.Load(); v != old {
		s.mu.Unlock()
		return v, nil
	}
	a, isWaiter := s.attempt, s.attempt != nil
	if !isWaiter {
		a = &attempt{done: make(chan struct{}), err: errors.New("opening was interrupted")}
		s.attempt = a
	}
	s.mu.Unlock()
	if isWaiter {
		select {
		case <-a.done:
			return a.next, a.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	defer s.finish(a)
	a.next, a.err = s.openNext(ctx, old)
	return a.next, a.err
}

// finish ends an attempt, whatever became of it.
func (s *versions) finish(a *attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.next != nil {
		if previous := s.active.Swap(a.next); previous != nil {
			s.onChange()
		}
		s.reportedError = ""
	} else if s.onReopenError != nil && s.active.Load() != nil && s.reportedError != a.err.Error() {
		s.reportedError = a.err.Error()
		s.onReopenError(a.err)
	}
	s.attempt = nil
	close(a.done)
}

func (s *versions) openNext(ctx context.Context, old *version) (*version, error) {
	if old != nil {
		ctx = context.WithoutCancel(ctx) // others wait too, who have not left when this one has
	}
	if old != nil && old.dataset.Settle != nil {
		if err := old.dataset.Settle(ctx); err != nil {
			return nil, fmt.Errorf("waiting for the next version: %w", err)
		}
	}
	dataset, err := s.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening: %w", err)
	}
	switch {
	case old != nil:
		dataset.Provider = keyRecordOf(old.dataset).rekeySuccessor(dataset.Provider, s.keys)
	case s.assignKey != nil:
		dataset.Provider = s.assignKey(dataset)
	}
	next, err := s.newVersion(dataset)
	if err != nil {
		return nil, errors.Join(err, dataset.Close())
	}
	return next, nil
}

// built is a version of a dataset with what is built on it.
func (s *versions) newVersion(dataset *Dataset) (*version, error) {
	p, err := s.build(dataset)
	if err != nil {
		return nil, err
	}
	return &version{dataset: dataset, providers: p, describe: sync.OnceValue(func() Description { return s.describe(dataset, p.pyramid) })}, nil
}

// takeOver begins with the present version of another layer of the dataset.
func (s *versions) takeOver(other *versions) error {
	v, err := s.newVersion(other.active.Load().dataset)
	if err != nil {
		return err
	}
	s.active.Store(v)
	s.gone.Store(other.gone.Load())
	return nil
}

// asFormer is the present version for one that comes after it.
func (s *versions) keyRecord() *keyRecord { return keyRecordOf(s.active.Load().dataset) }

// withPresent runs do on the present version, and once more on the next one if
// that finds that the dataset has changed.
func withCurrent[T any](ctx context.Context, s *versions, do func(*version) (T, error)) (T, error) {
	v, err := s.current()
	if err != nil {
		var zero T
		return zero, err
	}
	value, err := do(v)
	if !errors.Is(err, raster.ErrChanged) {
		return value, err
	}
	next, reopenErr := s.reopen(ctx, v)
	if reopenErr != nil {
		return value, fmt.Errorf("%w, and %w", err, reopenErr)
	}
	return do(next)
}
