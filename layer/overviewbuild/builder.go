package overviewbuild

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/admission"
	"tileserver/raster"
)

// A Builder builds missing overviews in the background, if that takes too long for a request. It
// runs at most one build per Group, and one for requests. Pictures wait for a recent build and get a
// BusyError during a long one. A long build pauses while pictures are rendered, and one for requests
// always does.
type Builder struct {
	gate    *admission.Gate
	timeout time.Duration

	ctx     context.Context // of all builds; canceled by Close
	cancel  context.CancelFunc
	running sync.WaitGroup

	forStyles atomic.Int64 // builds for styles that have a slot

	mu                     sync.Mutex       // guards the fields below
	builds                 map[place]*build // running, or last failed, build
	waiters                int              // callers of AwaitUntil that wait
	built, failed, refused int64
}

// A place is where one build runs at a time.
type place struct {
	group       *Group
	isRequested bool // whether it is for builds that only requests need
}

// DefaultTimeout is longer than most builds take.
const DefaultTimeout = 20 * time.Second

// Config configures a Builder.
type Config struct {
	Gate *admission.Gate // bounds builds and their memory; long builds yield to its pictures

	// Timeout is how long pictures wait for a build, counted from its start. Negative values mean
	// no limit.
	Timeout time.Duration
}

// New returns a builder without builds.
func New(config Config) *Builder {
	o := &Builder{
		gate: config.Gate, timeout: config.Timeout, builds: make(map[place]*build),
	}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	return o
}

// Close cancels all builds and waits for their end.
func (o *Builder) Close() {
	o.mu.Lock() // no build may start meanwhile
	o.cancel()
	o.mu.Unlock()
	o.running.Wait()
}

// Await starts or joins a build and waits for its end. isBuilt reports whether it built target; if
// not, the caller must plan again. Await returns an error if the build failed or has been running
// for longer than the timeout.
func (o *Builder) Await(ctx context.Context, target Target) (isBuilt bool, err error) {
	b, err := o.joinOrStart(target)
	if err != nil {
		return false, err
	}
	if !b.waitWithin(ctx, o.timeout) {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		return false, b.busyError(target.Group.layerID)
	}
	switch {
	case o.ctx.Err() != nil:
		return false, errStopping
	case b.target != target.ID():
		return false, nil // it built other overviews
	case b.err != nil:
		return false, fmt.Errorf("building overviews: %w", b.err)
	}
	return true, nil
}

// AwaitUntil starts or joins a build and waits for its end, but not beyond the end of timeout. It
// does not wait if many callers do already. isBuilt reports whether it built target; if not, the
// caller must plan again.
func (o *Builder) AwaitUntil(ctx context.Context, target Target, timeout <-chan time.Time) (isBuilt bool, err error) {
	b, err := o.joinOrStart(target)
	if err != nil {
		return false, err
	}
	if o.addWaiter(b) {
		defer o.removeWaiter(b)
		err = b.waitUntil(ctx, timeout, target.Group.layerID)
	} else {
		err = b.waitUntil(ctx, ended(), target.Group.layerID)
	}
	return err == nil && b.target == target.ID(), err
}

// ended returns a timeout that is over.
func ended() <-chan time.Time {
	over := make(chan time.Time)
	close(over)
	return over
}

// Clients choose how long AwaitUntil waits, which may be long, and each keeps a connection. These
// bounds leave most connections to others.
const (
	maxWaiters      = 256
	maxBuildWaiters = 64
)

// addWaiter counts a caller that is about to wait for a build. It returns false if there are too
// many.
func (o *Builder) addWaiter(b *build) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiters >= maxWaiters || b.waiters >= maxBuildWaiters {
		return false
	}
	o.waiters++
	b.waiters++
	return true
}

func (o *Builder) removeWaiter(b *build) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiters--
	b.waiters--
}

// Stop cancels the build of a group that is no longer served, and prevents new ones.
func (o *Builder) Stop(group *Group) {
	o.mu.Lock()
	defer o.mu.Unlock()
	group.isStopped = true
	for _, at := range []place{{group, false}, {group, true}} {
		if b := o.builds[at]; b != nil {
			b.cancel(errLayerRemoved)
			delete(o.builds, at)
		}
	}
}

// Resume allows builds for a group that is served again.
func (o *Builder) Resume(group *Group) {
	o.mu.Lock()
	defer o.mu.Unlock()
	group.isStopped = false
}

// joinOrStart returns the running build of the target's group, or starts one. It returns ErrChanged
// for a superseded version, which must neither use nor cancel the builds of the current one. A
// layer that has been replaced by another one of its group must not cancel a build either, since
// the two may differ in which version is current.
func (o *Builder) joinOrStart(target Target) (*build, error) {
	id := target.ID()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx.Err() != nil {
		return nil, errStopping
	}
	group := target.Group
	if group.isStopped {
		return nil, errLayerRemoved
	}
	if !target.IsCurrent() {
		return nil, raster.ErrChanged
	}
	at, now := place{group, target.IsRequested}, time.Now()
	if target.IsRequested {
		if wait := group.requested.wait(target.Overviews.Key(), now); wait > 0 {
			o.refused++
			return nil, quotaError(group.layerID, wait)
		}
		if b := o.builds[place{group, false}]; b != nil && b.isRunning() {
			return b, nil
		}
	}
	b := o.builds[at]
	switch {
	case b == nil:
	case b.isRunning():
		if b.datasetKey != target.DatasetKey && target.IsServed() {
			b.cancel(raster.ErrChanged) // the build of a superseded version is useless
		}
		return b, nil
	case b.target == id && now.Before(b.retryTime):
		return b, nil
	}
	if target.IsRequested {
		group.requested.take(target.Overviews.Key(), now)
	}
	b = &build{datasetKey: target.DatasetKey, target: id, isRequested: target.IsRequested, started: now, done: make(chan struct{})}
	o.builds[at] = b
	var ctx context.Context
	ctx, b.cancel = context.WithCancelCause(o.ctx)
	o.running.Go(func() { o.finish(at, b, o.run(ctx, b, target)) })
	return b, nil
}

// run waits for a slot and memory, and builds.
func (o *Builder) run(ctx context.Context, b *build, target Target) error {
	defer b.cancel(nil)
	ctx, leave, err := o.gate.Enter(ctx, target.work())
	if err != nil {
		return err
	}
	defer leave()
	if !b.isRequested {
		o.forStyles.Add(1)
		defer o.forStyles.Add(-1)
	}
	err = target.Overviews.Build(ctx, target.Missing, func(fraction float64) {
		b.fractionBits.Store(math.Float64bits(fraction))
		o.yield(ctx, b)
	})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// yieldPause is about twice the time to read and halve one piece of a file.
const yieldPause = 20 * time.Millisecond

// yield pauses a build that no request waits for any more, while pictures are rendered. A build for
// requests pauses from the beginning, and stops while there are builds for styles.
func (o *Builder) yield(ctx context.Context, b *build) {
	isAwaited := !b.isRequested && (o.timeout < 0 || time.Since(b.started) < o.timeout)
	if working, _ := o.gate.Load(); working > 0 && !isAwaited {
		pause(ctx)
	}
	for b.isRequested && o.forStyles.Load() > 0 && ctx.Err() == nil {
		pause(ctx)
	}
}

func pause(ctx context.Context) {
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
func (o *Builder) finish(at place, b *build, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	b.err = err
	b.retryTime = time.Now().Add(min(max(time.Since(b.started), minRetryDelay), maxRetryDelay))
	switch {
	case err == nil:
		o.built++
		if o.builds[at] == b {
			delete(o.builds, at)
		}
	case !errors.Is(err, errLayerRemoved):
		o.failed++
	}
	close(b.done)
}

// Stats describes the activity of a Builder.
type Stats struct {
	Built, Failed int64              // builds since the start
	Refused       int64              // requests for overviews beyond the quota of their layer
	Building      map[string]float64 // fraction done, by layer id; of those of its styles, if these are being built
}

// Stats returns the activity of the builder.
func (o *Builder) Stats() Stats {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := Stats{Built: o.built, Failed: o.failed, Refused: o.refused, Building: make(map[string]float64)}
	for at, b := range o.builds {
		if _, hasOther := s.Building[at.group.layerID]; b.isRunning() && !(hasOther && at.isRequested) {
			s.Building[at.group.layerID] = b.progress()
		}
	}
	return s
}
