package layer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tileserver/pyramid"
	"tileserver/raster"
)

// An OverviewState describes the missing overviews of a file that are too large to build within a
// request.
type OverviewState struct {
	Building bool    // whether a build is running; otherwise it starts when a picture needs it
	Progress float64 // from 0 to 1
}

// OverviewState returns the state of a layer's overviews. ok is false if the layer needs no build,
// or has its overviews cached.
func (c *Catalog) OverviewState(ctx context.Context, l *Layer) (state OverviewState, ok bool) {
	if fraction, isBuilding := c.OverviewProgress()[l.ID()]; isBuilding {
		return OverviewState{Building: true, Progress: fraction}, true
	}
	current, err := l.versions.current()
	if err != nil {
		return OverviewState{}, false
	}
	job, err := c.prepare(l, current, Request{Layer: l.ID(), Area: PreviewArea{MaxSize: 1}, Style: l.config.Style})
	if err != nil {
		return OverviewState{}, false
	}
	missing, err := job.missingOverviews(ctx)
	return OverviewState{}, err == nil && missing != nil
}

// missingOverviews returns the overviews that must be built before the picture can be rendered, or
// nil.
func (j *Job) missingOverviews(ctx context.Context) (*pyramid.TooExpensiveError, error) {
	plan, err := j.plan(ctx)
	if err != nil {
		return nil, err
	}
	return j.providers.downsampled.Missing(ctx, &plan)
}

// AwaitOverviews starts the build of the overviews that the picture needs, and waits for it up to
// timeout. After that, the build continues and the error is Busy.
func (j *Job) AwaitOverviews(ctx context.Context, timeout time.Duration) error {
	if j.catalog.pictures.Contains(j.key) {
		return nil
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		missing, err := j.missingOverviews(ctx)
		if err != nil || missing == nil {
			return nil // Picture returns the same error
		}
		target := overviewTarget(j, missing)
		b, err := j.catalog.overviews.joinOrStart(j, missing, target)
		if err == nil {
			err = b.wait(ctx, timer.C, j.layer.ID())
		}
		switch {
		case errors.Is(err, raster.ErrChanged):
			return nil // Picture uses the next version
		case err != nil:
			return classify(err)
		case b.target == target:
			return nil
		}
	}
}

// wait waits for the end of the build, or for timeout.
func (b *build) wait(ctx context.Context, timeout <-chan time.Time, layer string) error {
	select {
	case <-b.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timeout:
		if b.isRunning() {
			return b.busyError(layer)
		}
	}
	if b.err != nil {
		return fmt.Errorf("building overviews: %w", b.err)
	}
	return nil
}
