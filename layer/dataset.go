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

// A Dataset is one opened version of a file with its side files.
type Dataset struct {
	Provider raster.Provider // uncached blocks, as stored in the file
	CRS      *geo.CRS        // nil for an image without a known place on the earth
	CRSError error           // why CRS is nil

	// Placement maps pixels to CRS. It is nil if CRS is nil.
	Placement geo.Placement
	Close     func() error

	// Identity identifies the content of the file on this machine. It is stricter than the key of
	// Provider, which replicas share: two files of equal name, size and time have equal keys.
	// Statistics are stored on disk only for datasets with an Identity.
	Identity string

	// IsCurrent reports whether opening the file again would give the same dataset. It must be
	// cheap. If it is nil, the file never changes.
	IsCurrent func() bool

	// Settle waits until the next version of the file is likely to be complete. If it is nil, files
	// appear complete at once.
	Settle func(ctx context.Context) error
}

// Open opens the current version of a file. The error is fs.ErrNotExist if the file is gone.
type Open func(ctx context.Context) (*Dataset, error)

// A version is one dataset with the providers built on it. See versions for its states.
type version struct {
	dataset *Dataset
	providers
	describe func() Description // cached after the first call
	damage   damageLog
}

// versions holds the current version of a layer and opens the next one when the file has changed.
//
// States of a version:
//
//	opening ──ok──> current ──file changed──> superseded ──> closed
//	   │             │   ^
//	 error        removed returned
//	   │             v   │
//	   v             gone
//	discarded
//
// The states in detail:
//
//   - Opening: one attempt opens the file while other callers wait for its result. If it fails, the
//     previous version stays current, and a check after checkInterval tries again.
//   - Current: active points to it, and new requests use it.
//   - Gone: the last check found no file. New requests fail with errGone. The version becomes
//     current again if the same file returns; a different file is opened as the next version.
//   - Superseded: active points to a later version. Requests that hold this version finish.
//   - Closed: no request references the version any more, and the garbage collector closes its
//     files. Catalog.Close closes only the current version.
type versions struct {
	open          Open
	build         func(*Dataset) (providers, error)
	onReopenError func(error) // reports why the next version cannot be opened; may be nil
	describe      func(*Dataset, *pyramid.Pyramid) Description
	onChange      func()                         // called after each change but the first version
	assignKey     func(*Dataset) raster.Provider // gives the first version its key; may be nil
	keys          *keySequence                   // for the keys of later versions
	active        atomic.Pointer[version]        // current, or last one if gone
	lastCheck     atomic.Int64                   // Unix nanoseconds of the last call of IsCurrent
	gone          atomic.Bool                    // whether the last check found no file

	mu            sync.Mutex // guards the fields below
	attempt       *attempt   // the attempt that opens the next version, or nil
	reportedError string     // the error last passed to onReopenError
}

// An attempt opens the next version. Callers wait on done; next and err are valid once it is
// closed.
type attempt struct {
	done chan struct{}
	next *version
	err  error
}

// errGone means that the file of a layer existed and has been removed.
var errGone = errors.New("the file is gone")

// checkInterval is the minimum time between two checks of whether a file has changed.
const checkInterval = time.Second

// current returns the current version. At most once per checkInterval it checks whether the file
// has changed, and opens the next version if so. If the next version cannot be opened (for example
// because the file is still being written), the current version stays until the next check. If the
// file is gone, current returns the last version and errGone.
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

// mayCheck reports whether this caller should check the file: one caller per checkInterval does.
func (s *versions) mayCheck() bool {
	previous, now := s.lastCheck.Load(), time.Now().UnixNano()
	return now-previous >= int64(checkInterval) && s.lastCheck.CompareAndSwap(previous, now)
}

// check returns v if its file is unchanged or the next version cannot be opened, else the next
// version.
func (s *versions) check(v *version) *version {
	if v.dataset.IsCurrent() {
		s.setGone(false)
		return v
	}
	// Other requests use the result, so canceling this request must not stop the opening.
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

// reopen replaces old, which has changed, by the next version. Concurrent callers share one attempt
// and its error. Requests that still use old keep it; the garbage collector closes its files.
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

// finish publishes the result of an attempt, or reports its error, and wakes the waiting callers.
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
		ctx = context.WithoutCancel(ctx) // other callers wait for the result too
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

// newVersion builds the providers of a dataset.
func (s *versions) newVersion(dataset *Dataset) (*version, error) {
	p, err := s.build(dataset)
	if err != nil {
		return nil, err
	}
	return &version{dataset: dataset, providers: p, describe: sync.OnceValue(func() Description { return s.describe(dataset, p.pyramid) })}, nil
}

// takeOver makes the current version of another layer with the same dataset the first version.
func (s *versions) takeOver(other *versions) error {
	v, err := s.newVersion(other.active.Load().dataset)
	if err != nil {
		return err
	}
	s.active.Store(v)
	s.gone.Store(other.gone.Load())
	return nil
}

// keyRecord returns the record of the current version's key.
func (s *versions) keyRecord() *keyRecord { return keyRecordOf(s.active.Load().dataset) }

// withCurrent calls do with the current version. If do finds that the file has changed, withCurrent
// opens the next version and calls do once more.
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
