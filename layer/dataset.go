package layer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

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
}

// Open opens the present version of a dataset.
type Open func(ctx context.Context) (*Dataset, error)

// opened is one version of a layer's dataset, with what is built on it.
type opened struct {
	dataset *Dataset
	view
}

// reopening holds the present version of a dataset, and opens the next one when
// it has changed.
type reopening struct {
	open    Open
	build   func(*Dataset) (view, error)
	present atomic.Pointer[opened]
	mu      sync.Mutex // held while opening
}

// now is the present version.
func (r *reopening) now() *opened { return r.present.Load() }

// reopen replaces a version that was found to have changed. Whoever comes while
// another is at it gets what that one opened. The old version is left to those
// who still use it: its file is closed when nobody holds it any more.
func (r *reopening) reopen(ctx context.Context, old *opened) (*opened, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now(); now != old {
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
	next := &opened{dataset, v}
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
