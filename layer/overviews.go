package layer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"tileserver/cache"
	"tileserver/pyramid"
	"tileserver/raster"
)

// overviews makes the coarse levels that files lack, where that takes longer than
// a request may: in the background, for one picture after the other of a layer and
// few layers at a time. Pictures wait for a build that has just begun, and are
// told to come back by one that goes on for long. That one gives way to them.
type overviewBuilder struct {
	gate     *Gate // of the pictures
	memory   *cache.Budget
	timeout  time.Duration
	slots    chan struct{}
	isServed func(*Layer) bool

	ctx     context.Context // of all builds; ends with the catalog
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu            sync.Mutex               // guards what follows
	builds        map[*rebuildGroup]*build // the one that goes on, or the last one if it failed
	built, failed int64
}

// lineage is what layers have in common that follow each other on one dataset: overviews are
// built for all of them.
type rebuildGroup struct {
	layerID   string
	wasServed bool // one of them was, be it long ago; guarded by the mu of the catalog
	isStopped bool // none of them is served any more; guarded by the mu of overviews
}

const (
	maxConcurrentBuilds = 2

	// DefaultOverviewTimeout is longer than it takes to make the overviews of most files.
	DefaultOverviewTimeout = 20 * time.Second
)

func newOverviewBuilder(config *CatalogConfig) *overviewBuilder {
	o := &overviewBuilder{
		gate: config.Gate, memory: config.Pictures, timeout: config.OverviewTimeout,
		slots: make(chan struct{}, maxConcurrentBuilds), builds: make(map[*rebuildGroup]*build),
	}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	return o
}

// close cancels all builds and waits until they have ended.
func (o *overviewBuilder) close() {
	o.mu.Lock() // so that none begins meanwhile
	o.cancel()
	o.mu.Unlock()
	o.running.Wait()
}

// targetOf names what is to be made for a job.
func overviewTarget(j *Job, missing *pyramid.TooExpensiveError) string {
	return fmt.Sprint(j.providers.downsampled.Key(), missing.Level, missing.IDs, missing.Bands)
}

// await has a target made, and returns when that is worth another look. made is
// true if it was what the caller wants that is there now. Of a build that goes on
// for longer than the patience, and of one that has failed, it returns an error.
func (o *overviewBuilder) await(ctx context.Context, j *Job, missing *pyramid.TooExpensiveError, target string) (built bool, err error) {
	b, err := o.joinOrStart(j, missing, target)
	if err != nil {
		return false, err
	}
	if !b.waitWithin(ctx, o.timeout) {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		return false, b.busyError(j.layer.ID())
	}
	switch {
	case o.ctx.Err() != nil:
		return false, errStopping
	case b.target != target:
		return false, nil // it was for others
	case b.err != nil:
		return false, fmt.Errorf("making overviews: %w", b.err)
	}
	return true, nil
}

var (
	errStopping     = &Error{Code: Busy, Message: "the server is stopping"}
	errLayerRemoved = &Error{Code: Busy, Message: "the layer is being replaced or removed"}
)

// retire ends what is built for layers that are not served any more, and lets nothing begin.
func (o *overviewBuilder) stop(group *rebuildGroup) {
	o.mu.Lock()
	defer o.mu.Unlock()
	group.isStopped = true
	if b := o.builds[group]; b != nil {
		b.cancel(errLayerRemoved)
		delete(o.builds, group)
	}
}

// welcome lets overviews be built for layers that are served, as ones may be that were not for a while.
func (o *overviewBuilder) resume(group *rebuildGroup) {
	o.mu.Lock()
	defer o.mu.Unlock()
	group.isStopped = false
}

// join finds the build to wait for, or begins one. A job of a version that another
// has taken the place of gets ErrChanged: what it began would be of no use, and
// what goes on is none of its business. No more is it that of a layer that another of its
// lineage is served in place of, which may have another version before it, or after it.
func (o *overviewBuilder) joinOrStart(j *Job, missing *pyramid.TooExpensiveError, target string) (*build, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx.Err() != nil {
		return nil, errStopping
	}
	group := j.layer.group
	if group.isStopped {
		return nil, errLayerRemoved
	}
	if j.layer.versions.active.Load() != j.version {
		return nil, raster.ErrChanged
	}
	version := j.version.dataset.Provider.Key()
	b := o.builds[group]
	switch {
	case b == nil:
	case b.isRunning():
		if b.datasetKey != version && o.isServed(j.layer) {
			b.cancel(raster.ErrChanged) // and nobody wants the version before
		}
		return b, nil
	case b.target == target && time.Now().Before(b.retryTime):
		return b, nil
	}
	b = &build{datasetKey: version, target: target, started: time.Now(), done: make(chan struct{})}
	o.builds[group] = b
	var ctx context.Context
	ctx, b.cancel = context.WithCancelCause(o.ctx)
	o.running.Go(func() { o.finish(group, b, o.run(ctx, b, j.providers.downsampled, missing)) })
	return b, nil
}

// run builds in one of the places.
func (o *overviewBuilder) run(ctx context.Context, b *build, downsampled *pyramid.Downsampled, missing *pyramid.TooExpensiveError) error {
	defer b.cancel(nil)
	select {
	case o.slots <- struct{}{}:
		defer func() { <-o.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	bytes := downsampled.BuildBytes(missing)
	if err := o.memory.Acquire(ctx, bytes); err != nil {
		return err
	}
	defer o.memory.Release(bytes)
	err := downsampled.Build(ctx, missing, func(fraction float64) {
		b.fractionBits.Store(math.Float64bits(fraction))
		o.yieldToPictures(ctx, b)
	})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// breather is about twice as long as it takes to read and halve a piece of a file.
const yieldPause = 20 * time.Millisecond

// giveWay holds a build back that nobody waits for any more, while pictures are
// being made.
func (o *overviewBuilder) yieldToPictures(ctx context.Context, b *build) {
	working, _ := o.gate.Load()
	if working == 0 || o.timeout < 0 || time.Since(b.started) < o.timeout {
		return
	}
	select {
	case <-time.After(yieldPause):
	case <-ctx.Done():
	}
}

// The times for which a build that has failed is not tried again: as long as it
// took, within bounds.
const (
	minRetryDelay = 5 * time.Second
	maxRetryDelay = 10 * time.Minute
)

// end wakes those who wait. A failure stays for a while: who asks meanwhile is told
// of it and does not begin the same work again.
func (o *overviewBuilder) finish(group *rebuildGroup, b *build, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	b.err = err
	b.retryTime = time.Now().Add(min(max(time.Since(b.started), minRetryDelay), maxRetryDelay))
	switch {
	case err == nil:
		o.built++
		if o.builds[group] == b {
			delete(o.builds, group)
		}
	case !errors.Is(err, errLayerRemoved):
		o.failed++
	}
	close(b.done)
}

// OverviewProgress returns how much is done of the overviews that are being made, from 0 to 1, by the ids
// of layers.
func (c *Catalog) OverviewProgress() map[string]float64 { return c.overviews.stats().Building }

// OverviewStats is what the builder of overviews is doing.
type OverviewStats struct {
	Built, Failed int64              // builds since the start
	Building      map[string]float64 // the part that is done, by layer
}

func (o *overviewBuilder) stats() OverviewStats {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := OverviewStats{Built: o.built, Failed: o.failed, Building: make(map[string]float64)}
	for group, b := range o.builds {
		if b.isRunning() {
			s.Building[group.layerID] = b.progress()
		}
	}
	return s
}
