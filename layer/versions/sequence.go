// Package versions follows a file through its versions: it opens the next version when the file has
// changed, and sees to it that two versions never have the same key.
//
// Package layer calls it. It owns the state of a file, and the keys that datasets have had. It must
// never know what a version consists of, nor what its pixels are used for.
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
//   - Opening: one attempt opens the file while callers wait for its result. If it fails, the
//     previous version stays current, and a check after checkInterval tries again. A caller that
//     waits for long uses the previous version, and any may leave: the attempt goes on.
//   - Current: new requests use it.
//   - Gone: the last check found no file. New requests fail with ErrGone. The version becomes
//     current again if the same file returns; a different file is opened as the next version.
//   - Superseded: there is a later version. Requests that hold this version finish.
//   - Closed: no request references the version any more, and the garbage collector closes its
//     files.
package versions

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/raster"
)

// Config configures a Sequence.
type Config[V any] struct {
	// Open opens the version after previous, which is nil for the first one. The error is
	// fs.ErrNotExist if the file is gone. With a previous version it must not panic.
	Open func(ctx context.Context, previous *V) (*V, error)

	// IsCurrent reports whether opening the file again would give the same version. It must be
	// cheap.
	IsCurrent func(*V) bool

	// Settle waits until the version after this one is likely to be complete.
	Settle func(context.Context, *V) error

	OnChange func()      // called after each change but the first version
	OnError  func(error) // reports why the next version cannot be opened, once per distinct error; may be nil
}

// A Sequence holds the current version of a file, and opens the next one when the file has changed.
type Sequence[V any] struct {
	config    Config[V]
	active    atomic.Pointer[V] // current, or last one if gone
	created   time.Time
	lastCheck atomic.Int64 // nanoseconds from created to the last call of IsCurrent; 0 before the first
	checking  atomic.Bool  // whether a check is under way
	gone      atomic.Bool  // whether the last check found no file

	mu            sync.Mutex  // guards the fields below
	attempt       *attempt[V] // the attempt that opens the next version, or nil
	reportedError string      // the error last passed to OnError
}

// New returns a sequence without a version.
func New[V any](config Config[V]) *Sequence[V] {
	return &Sequence[V]{config: config, created: time.Now()}
}

// ErrUnsettled means that a file is being written to, so that its next version cannot be opened yet.
var ErrUnsettled = errors.New("waiting for the next version")

// ErrGone means that a file existed and has been removed.
var ErrGone = errors.New("the file is gone")

// Open opens the first version.
func (s *Sequence[V]) Open(ctx context.Context) error {
	_, err := s.Next(ctx, nil)
	return err
}

// Continue makes v the first version of s, which takes the place of another sequence of the same
// file. If the file is gone there, it is gone here too.
func (s *Sequence[V]) Continue(other *Sequence[V], v *V) {
	s.active.Store(v)
	s.gone.Store(other.gone.Load())
}

// Last returns the current version, or the last one if the file is gone. It checks nothing.
func (s *Sequence[V]) Last() *V { return s.active.Load() }

// Current returns the current version. At most once per checkInterval it checks whether the file
// has changed, and opens the next version if so. If the next version cannot be opened (for example
// because the file is still being written), the current version stays until the next check. If the
// file is gone, Current returns the last version and ErrGone.
func (s *Sequence[V]) Current() (*V, error) {
	if s.mayCheck() {
		s.check(s.active.Load())
	}
	v := s.active.Load()
	if s.gone.Load() {
		return v, ErrGone
	}
	return v, nil
}

// Use calls do with the current version. If do finds that the file has changed, Use opens the next
// version and calls do once more.
func Use[V, T any](ctx context.Context, s *Sequence[V], do func(*V) (T, error)) (T, error) {
	v, err := s.Current()
	if err != nil {
		var zero T
		return zero, err
	}
	value, err := do(v)
	if !errors.Is(err, raster.ErrChanged) {
		return value, err
	}
	next, openErr := s.Next(ctx, v)
	if openErr != nil {
		return value, openErr
	}
	return do(next)
}
