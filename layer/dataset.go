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
type opened struct {
	dataset *Dataset
	view
	describe func() Description // works it out once
	known    knownDamage
}

// reopening holds the present version of a dataset, and opens the next one when
// it has changed.
type reopening struct {
	open     Open
	build    func(*Dataset) (view, error)
	stale    func(error) // or nil
	describe func(*Dataset, *pyramid.Pyramid) Description
	changed  func()                         // told of every change of what is to be seen but the first
	admit    func(*Dataset) raster.Provider // what the first version is to go by; or nil
	numbers  *numbers                       // for the versions that follow it
	present  atomic.Pointer[opened]
	looked   atomic.Int64 // when it was last asked whether that is current, as Unix nanoseconds
	gone     atomic.Bool  // at the last look there was nothing to open

	mu      sync.Mutex // guards what follows
	attempt *attempt   // to open the next version, if one is under way
	told    string     // why the next version could not be opened, when that was told last
}

// attempt is an opening that others wait for. The version and the error are set once
// done is closed.
type attempt struct {
	done chan struct{}
	next *opened
	err  error
}

// errGone says that a dataset was there and is not any more.
var errGone = errors.New("the file is gone")

// lookInterval is for how long a version is taken for current without a look.
const lookInterval = time.Second

// now is the present version. One caller in a while looks whether it still is,
// and opens the next one if not. If that cannot be opened, as a file that is still
// being written, the old version goes on until the next look; if there is none, the
// error is errGone.
func (r *reopening) now() (*opened, error) {
	now := r.present.Load()
	if now.dataset.IsCurrent != nil && r.mayLook() {
		now = r.look(now)
	}
	if r.gone.Load() {
		return now, errGone
	}
	return now, nil
}

func (r *reopening) mayLook() bool {
	last, now := r.looked.Load(), time.Now().UnixNano()
	return now-last >= int64(lookInterval) && r.looked.CompareAndSwap(last, now)
}

// look finds out whether there is a version after now, and which is the present one.
func (r *reopening) look(now *opened) *opened {
	if now.dataset.IsCurrent() {
		r.setGone(false)
		return now
	}
	// For all who come, so it does not end with the request that found it out.
	next, err := r.reopen(context.Background(), now)
	r.setGone(errors.Is(err, fs.ErrNotExist))
	if err != nil {
		return now
	}
	return next
}

func (r *reopening) setGone(gone bool) {
	if r.gone.Swap(gone) != gone {
		r.changed()
	}
}

// reopen replaces a version that was found to have changed. Whoever comes while
// another is at it gets what that one opened, or its error. The old version is left
// to those who still use it: its file is closed when nobody holds it any more.
func (r *reopening) reopen(ctx context.Context, old *opened) (*opened, error) {
	r.mu.Lock()
	if now := r.present.Load(); now != old {
		r.mu.Unlock()
		return now, nil
	}
	a, others := r.attempt, r.attempt != nil
	if !others {
		a = &attempt{done: make(chan struct{}), err: errors.New("opening was interrupted")}
		r.attempt = a
	}
	r.mu.Unlock()
	if others {
		select {
		case <-a.done:
			return a.next, a.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	defer r.finish(a)
	a.next, a.err = r.openNext(ctx, old)
	return a.next, a.err
}

// finish ends an attempt, whatever became of it.
func (r *reopening) finish(a *attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.next != nil {
		if before := r.present.Swap(a.next); before != nil {
			r.changed()
		}
		r.told = ""
	} else if r.stale != nil && r.present.Load() != nil && r.told != a.err.Error() {
		r.told = a.err.Error()
		r.stale(a.err)
	}
	r.attempt = nil
	close(a.done)
}

func (r *reopening) openNext(ctx context.Context, old *opened) (*opened, error) {
	if old != nil {
		ctx = context.WithoutCancel(ctx) // others wait too, who have not left when this one has
	}
	if old != nil && old.dataset.Settle != nil {
		if err := old.dataset.Settle(ctx); err != nil {
			return nil, fmt.Errorf("waiting for the next version: %w", err)
		}
	}
	dataset, err := r.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening: %w", err)
	}
	switch {
	case old != nil:
		dataset.Provider = formerOf(old.dataset).successor(dataset.Provider, r.numbers)
	case r.admit != nil:
		dataset.Provider = r.admit(dataset)
	}
	next, err := r.built(dataset)
	if err != nil {
		return nil, errors.Join(err, dataset.Close())
	}
	return next, nil
}

// built is a version of a dataset with what is built on it.
func (r *reopening) built(dataset *Dataset) (*opened, error) {
	v, err := r.build(dataset)
	if err != nil {
		return nil, err
	}
	return &opened{dataset: dataset, view: v, describe: sync.OnceValue(func() Description { return r.describe(dataset, v.pyramid) })}, nil
}

// takeOver begins with the present version of another layer of the dataset.
func (r *reopening) takeOver(other *reopening) error {
	now, err := r.built(other.present.Load().dataset)
	if err != nil {
		return err
	}
	r.present.Store(now)
	r.gone.Store(other.gone.Load())
	return nil
}

// asFormer is the present version for one that comes after it.
func (r *reopening) asFormer() *former { return formerOf(r.present.Load().dataset) }

// withPresent runs do on the present version, and once more on the next one if
// that finds that the dataset has changed.
func withPresent[T any](ctx context.Context, r *reopening, do func(*opened) (T, error)) (T, error) {
	now, err := r.now()
	if err != nil {
		var none T
		return none, err
	}
	value, err := do(now)
	if !errors.Is(err, raster.ErrChanged) {
		return value, err
	}
	next, reopenErr := r.reopen(ctx, now)
	if reopenErr != nil {
		return value, fmt.Errorf("%w, and %w", err, reopenErr)
	}
	return do(next)
}
