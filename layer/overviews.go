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
type overviews struct {
	gate     *Gate // of the pictures
	memory   *cache.Budget
	patience time.Duration
	places   chan struct{}
	isServed func(*Layer) bool

	ctx     context.Context // of all builds; ends with the catalog
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu            sync.Mutex          // guards what follows
	builds        map[*lineage]*build // the one that goes on, or the last one if it failed
	built, failed int64
}

// lineage is what layers have in common that follow each other on one dataset: overviews are
// built for all of them.
type lineage struct {
	id        string
	wasServed bool // one of them was, be it long ago; guarded by the mu of the catalog
	retired   bool // none of them is served any more; guarded by the mu of overviews
}

const (
	buildsAtATime = 2

	// DefaultOverviewTimeout is longer than it takes to make the overviews of most files.
	DefaultOverviewTimeout = 20 * time.Second
)

func newOverviews(config *CatalogConfig) *overviews {
	o := &overviews{
		gate: config.Gate, memory: config.Pictures, patience: config.OverviewTimeout,
		places: make(chan struct{}, buildsAtATime), builds: make(map[*lineage]*build),
	}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	return o
}

// close cancels all builds and waits until they have ended.
func (o *overviews) close() {
	o.mu.Lock() // so that none begins meanwhile
	o.cancel()
	o.mu.Unlock()
	o.running.Wait()
}

// targetOf names what is to be made for a job.
func targetOf(j *Job, dear *pyramid.TooDearError) string {
	return fmt.Sprint(j.from.made.Key(), dear.Level, dear.IDs, dear.Bands)
}

// await has a target made, and returns when that is worth another look. made is
// true if it was what the caller wants that is there now. Of a build that goes on
// for longer than the patience, and of one that has failed, it returns an error.
func (o *overviews) await(ctx context.Context, j *Job, dear *pyramid.TooDearError, target string) (made bool, err error) {
	b, err := o.join(j, dear, target)
	if err != nil {
		return false, err
	}
	if !b.within(ctx, o.patience) {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		return false, b.busy(j.layer.ID())
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
	errStopping = &Error{Code: Busy, Message: "the server is stopping"}
	errRetired  = &Error{Code: Busy, Message: "the layer is being replaced or removed"}
)

// retire ends what is built for layers that are not served any more, and lets nothing begin.
func (o *overviews) retire(of *lineage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	of.retired = true
	if b := o.builds[of]; b != nil {
		b.cancel(errRetired)
		delete(o.builds, of)
	}
}

// welcome lets overviews be built for layers that are served, as ones may be that were not for a while.
func (o *overviews) welcome(of *lineage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	of.retired = false
}

// join finds the build to wait for, or begins one. A job of a version that another
// has taken the place of gets ErrChanged: what it began would be of no use, and
// what goes on is none of its business. No more is it that of a layer that another of its
// lineage is served in place of, which may have another version before it, or after it.
func (o *overviews) join(j *Job, dear *pyramid.TooDearError, target string) (*build, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx.Err() != nil {
		return nil, errStopping
	}
	of := j.layer.lineage
	if of.retired {
		return nil, errRetired
	}
	if j.layer.version.present.Load() != j.now {
		return nil, raster.ErrChanged
	}
	version := j.now.dataset.Provider.Key()
	b := o.builds[of]
	switch {
	case b == nil:
	case b.goesOn():
		if b.version != version && o.isServed(j.layer) {
			b.cancel(raster.ErrChanged) // and nobody wants the version before
		}
		return b, nil
	case b.target == target && time.Now().Before(b.rest):
		return b, nil
	}
	b = &build{version: version, target: target, started: time.Now(), done: make(chan struct{})}
	o.builds[of] = b
	var ctx context.Context
	ctx, b.cancel = context.WithCancelCause(o.ctx)
	o.running.Go(func() { o.end(of, b, o.run(ctx, b, j.from.made, dear)) })
	return b, nil
}

// run builds in one of the places.
func (o *overviews) run(ctx context.Context, b *build, made *pyramid.Downsampled, dear *pyramid.TooDearError) error {
	defer b.cancel(nil)
	select {
	case o.places <- struct{}{}:
		defer func() { <-o.places }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	bytes := made.BuildBytes(dear)
	if err := o.memory.Acquire(ctx, bytes); err != nil {
		return err
	}
	defer o.memory.Release(bytes)
	err := made.Build(ctx, dear, func(part float64) {
		b.part.Store(math.Float64bits(part))
		o.giveWay(ctx, b)
	})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// breather is about twice as long as it takes to read and halve a piece of a file.
const breather = 20 * time.Millisecond

// giveWay holds a build back that nobody waits for any more, while pictures are
// being made.
func (o *overviews) giveWay(ctx context.Context, b *build) {
	working, _ := o.gate.Load()
	if working == 0 || o.patience < 0 || time.Since(b.started) < o.patience {
		return
	}
	select {
	case <-time.After(breather):
	case <-ctx.Done():
	}
}

// The times for which a build that has failed is not tried again: as long as it
// took, within bounds.
const (
	minRest = 5 * time.Second
	maxRest = 10 * time.Minute
)

// end wakes those who wait. A failure stays for a while: who asks meanwhile is told
// of it and does not begin the same work again.
func (o *overviews) end(of *lineage, b *build, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	b.err = err
	b.rest = time.Now().Add(min(max(time.Since(b.started), minRest), maxRest))
	switch {
	case err == nil:
		o.built++
		if o.builds[of] == b {
			delete(o.builds, of)
		}
	case !errors.Is(err, errRetired):
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

func (o *overviews) stats() OverviewStats {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := OverviewStats{Built: o.built, Failed: o.failed, Building: make(map[string]float64)}
	for of, b := range o.builds {
		if b.goesOn() {
			s.Building[of.id] = b.progress()
		}
	}
	return s
}
