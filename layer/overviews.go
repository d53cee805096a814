package layer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"tileserver/cache"
	"tileserver/pyramid/overview"
	"tileserver/raster"
)

// An overviewBuilder builds missing overviews in the background, if that takes too long for a
// request. It runs at most one build per rebuildGroup and maxConcurrentBuilds in total. Pictures
// wait for a recent build and fail as Busy during a long one. A long build pauses while pictures
// are rendered.
type overviewBuilder struct {
	gate     *Gate // of pictures
	memory   *cache.Budget
	timeout  time.Duration
	slots    chan struct{}
	isServed func(*Layer) bool

	ctx     context.Context // of all builds; canceled by close
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu            sync.Mutex               // guards the fields below
	builds        map[*rebuildGroup]*build // running, or last failed, build
	built, failed int64
}

// A rebuildGroup is shared by a layer and the layers rebuilt from it, which serve the same dataset.
// Overviews are built once per group.
type rebuildGroup struct {
	layerID   string
	wasServed bool // whether a layer of the group was ever served; guarded by Catalog.mu
	isStopped bool // whether no layer of the group is served now; guarded by overviewBuilder.mu
}

const (
	maxConcurrentBuilds = 2

	// DefaultOverviewTimeout is longer than most builds take.
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

// close cancels all builds and waits for their end.
func (o *overviewBuilder) close() {
	o.mu.Lock() // no build may start meanwhile
	o.cancel()
	o.mu.Unlock()
	o.running.Wait()
}

// overviewTarget returns a string that identifies the overviews that a part is missing.
func overviewTarget(p *part, missing *overview.TooExpensiveError) string {
	return fmt.Sprint(p.providers.overviews.Key(), missing.Level, missing.IDs, missing.Bands)
}

// await starts or joins a build and waits for its end. built reports whether it built target; if
// not, the caller must plan again. await returns an error if the build failed or has been running
// for longer than the timeout.
func (o *overviewBuilder) await(ctx context.Context, p *part, missing *overview.TooExpensiveError, target string) (built bool, err error) {
	b, err := o.joinOrStart(p, missing, target)
	if err != nil {
		return false, err
	}
	if !b.waitWithin(ctx, o.timeout) {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		return false, b.busyError(p.layer.ID())
	}
	switch {
	case o.ctx.Err() != nil:
		return false, errStopping
	case b.target != target:
		return false, nil // it built other overviews
	case b.err != nil:
		return false, fmt.Errorf("building overviews: %w", b.err)
	}
	return true, nil
}

var (
	errStopping     = &Error{Code: Busy, Message: "the server is stopping"}
	errLayerRemoved = &Error{Code: Busy, Message: "the layer is being replaced or removed"}
)

// stop cancels the build of a group that is no longer served, and prevents new ones.
func (o *overviewBuilder) stop(group *rebuildGroup) {
	o.mu.Lock()
	defer o.mu.Unlock()
	group.isStopped = true
	if b := o.builds[group]; b != nil {
		b.cancel(errLayerRemoved)
		delete(o.builds, group)
	}
}

// resume allows builds for a group that is served again.
func (o *overviewBuilder) resume(group *rebuildGroup) {
	o.mu.Lock()
	defer o.mu.Unlock()
	group.isStopped = false
}

// joinOrStart returns the running build of the part's group, or starts one. It returns ErrChanged
// for a part of a superseded version, which must neither use nor cancel the builds of the current
// one. A layer that has been replaced by another one of its group must not cancel a build either,
// since the two may differ in which version is current.
func (o *overviewBuilder) joinOrStart(p *part, missing *overview.TooExpensiveError, target string) (*build, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx.Err() != nil {
		return nil, errStopping
	}
	group := p.layer.group
	if group.isStopped {
		return nil, errLayerRemoved
	}
	if p.layer.versions.Last() != p.version {
		return nil, raster.ErrChanged
	}
	version := p.version.dataset.Provider.Key()
	b := o.builds[group]
	switch {
	case b == nil:
	case b.isRunning():
		if b.datasetKey != version && o.isServed(p.layer) {
			b.cancel(raster.ErrChanged) // the build of a superseded version is useless
		}
		return b, nil
	case b.target == target && time.Now().Before(b.retryTime):
		return b, nil
	}
	b = &build{datasetKey: version, target: target, started: time.Now(), done: make(chan struct{})}
	o.builds[group] = b
	var ctx context.Context
	ctx, b.cancel = context.WithCancelCause(o.ctx)
	o.running.Go(func() { o.finish(group, b, o.run(ctx, b, p.providers.overviews, missing)) })
	return b, nil
}

// run waits for a slot and memory, and builds.
func (o *overviewBuilder) run(ctx context.Context, b *build, overviews *overview.Provider, missing *overview.TooExpensiveError) error {
	defer b.cancel(nil)
	select {
	case o.slots <- struct{}{}:
		defer func() { <-o.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	bytes := overviews.BuildBytes(missing)
	if err := o.memory.Acquire(ctx, bytes); err != nil {
		return err
	}
	defer o.memory.Release(bytes)
	err := overviews.Build(ctx, missing, func(fraction float64) {
		b.fractionBits.Store(math.Float64bits(fraction))
		o.yieldToPictures(ctx, b)
	})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// yieldPause is about twice the time to read and halve one piece of a file.
const yieldPause = 20 * time.Millisecond

// yieldToPictures pauses a build that no request waits for any more, while pictures are rendered.
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

// A failed build is retried after a delay equal to its duration, within these bounds.
const (
	minRetryDelay = 5 * time.Second
	maxRetryDelay = 10 * time.Minute
)

// finish records the result of a build and wakes the waiting requests. A failure is kept until
// retryTime: requests get the error meanwhile, instead of repeating the work.
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

// OverviewProgress returns the fraction done of running builds of overviews, from 0 to 1, by layer
// id.
func (c *Catalog) OverviewProgress() map[string]float64 { return c.overviews.stats().Building }

// OverviewStats describes the activity of the overview builder.
type OverviewStats struct {
	Built, Failed int64              // builds since the start
	Building      map[string]float64 // fraction done, by layer id
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
