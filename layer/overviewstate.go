package layer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tileserver/pyramid"
	"tileserver/raster"
)

// OverviewState says what becomes of the overviews that a file lacks and that take longer to make
// than a request may.
type OverviewState struct {
	Building bool    // now, and not only once a picture needs them
	Progress float64 // from 0 to 1
}

// OverviewState returns ok false for a layer that needs no such overviews, or has them.
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

// missingOverviews returns what must be built before the picture can be made, or nil.
func (j *Job) missingOverviews(ctx context.Context) (*pyramid.TooExpensiveError, error) {
	plan, err := j.plan(ctx)
	if err != nil {
		return nil, err
	}
	return j.providers.downsampled.Missing(ctx, &plan)
}

// AwaitOverviews has the overviews made that the picture needs, and waits for them no longer than
// patience. If they are not there by then, they go on being made, and the error is Busy.
func (j *Job) AwaitOverviews(ctx context.Context, timeout time.Duration) error {
	if j.catalog.pictures.Contains(j.key) {
		return nil
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		missing, err := j.missingOverviews(ctx)
		if err != nil || missing == nil {
			return nil // Picture meets the same error
		}
		target := overviewTarget(j, missing)
		b, err := j.catalog.overviews.joinOrStart(j, missing, target)
		if err == nil {
			err = b.wait(ctx, timer.C, j.layer.ID())
		}
		switch {
		case errors.Is(err, raster.ErrChanged):
			return nil // Picture is of the next version
		case err != nil:
			return classify(err)
		case b.target == target:
			return nil
		}
	}
}

// wait waits for the end of a build, or until the patience is over.
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
		return fmt.Errorf("making overviews: %w", b.err)
	}
	return nil
}
