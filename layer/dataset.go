package layer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/geo"
	"tileserver/raster"
)

// Dataset is an opened image and where it lies.
type Dataset struct {
	Provider raster.Provider // uncached, as the file is
	CRS      *geo.CRS        // nil: not on the earth, or nobody knows where
	Affine   geo.Affine
	Place    error // why CRS is nil, where a file tried to say
	Close    func() error

	// IsCurrent tells, at little cost, whether opening the dataset again would
	// give the same one; nil: it always would.
	IsCurrent func() bool
}

// Open opens the present version of a dataset.
type Open func(ctx context.Context) (*Dataset, error)

// opened is one version of a layer's dataset, with what is built on it.
type opened struct {
	dataset *Dataset
	view
	describe func() Description // works it out once
}

// reopening holds the present version of a dataset, and opens the next one when
// it has changed.
type reopening struct {
	open    Open
	build   func(*Dataset) (view, error)
	present atomic.Pointer[opened]
	looked  atomic.Int64 // when it was last asked whether that is current, as Unix nanoseconds
	mu      sync.Mutex   // held while opening
}

// lookInterval is for how long a version is taken for current without a look.
const lookInterval = time.Second

// now is the present version. One caller in a while looks whether it still is,
// and opens the next one if not. If that cannot be opened, as a file that is still
// being written, the old version goes on until the next look.
func (r *reopening) now() *opened {
	now := r.present.Load()
	if now.dataset.IsCurrent == nil || !r.mayLook() || now.dataset.IsCurrent() {
		return now
	}
	// For all who come, so it does not end with the request that found it out.
	next, err := r.reopen(context.Background(), now)
	if err != nil {
		return now
	}
	return next
}

func (r *reopening) mayLook() bool {
	last, now := r.looked.Load(), time.Now().UnixNano()
	return now-last >= int64(lookInterval) && r.looked.CompareAndSwap(last, now)
}

// reopen replaces a version that was found to have changed. Whoever comes while
// another is at it gets what that one opened. The old version is left to those
// who still use it: its file is closed when nobody holds it any more.
func (r *reopening) reopen(ctx context.Context, old *opened) (*opened, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.present.Load(); now != old {
		return now, nil
	}
	dataset, err := r.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening: %w", err)
	}
	v, err := r.build(dataset)
	if err != nil {
		return nil, errors.Join(err, dataset.Close())
	}
	next := &opened{dataset, v, sync.OnceValue(func() Description { return describe(dataset, v.pyramid) })}
	r.present.Store(next)
	return next, nil
}

// withPresent runs do on the present version, and once more on the next one if
// that finds that the dataset has changed.
func withPresent[T any](ctx context.Context, r *reopening, do func(*opened) (T, error)) (T, error) {
	now := r.now()
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
