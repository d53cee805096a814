package layer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tileserver/layer/areas"
	"tileserver/pyramid/overview"
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
	current, err := l.versions.Current()
	if err != nil {
		return OverviewState{}, false
	}
	p, err := c.partOf(current, Request{Layer: l, Area: areas.Preview{MaxSize: 1}, Style: l.config.Style})
	if err != nil {
		return OverviewState{}, false
	}
	missing, err := p.missingOverviews(ctx)
	return OverviewState{}, err == nil && missing != nil
}

// missingOverviews returns the overviews that must be built before the part can be drawn, or nil.
func (p *part) missingOverviews(ctx context.Context) (*overview.TooExpensiveError, error) {
	plan, err := p.plan(ctx)
	if err != nil {
		return nil, err
	}
	for i := range plan.Parts {
		missing, err := p.providers.overviews.Missing(ctx, plan.Level, plan.Parts[i].Blocks, plan.Bands)
		if err != nil || missing != nil {
			return missing, err
		}
	}
	return nil, nil
}

// AwaitOverviews starts the builds of the overviews that the picture needs, and waits for them up to
// timeout. After that, the builds continue and the error is Busy.
func (c *Composition) AwaitOverviews(ctx context.Context, timeout time.Duration) error {
	if c.catalog.pictures.Contains(c.key) {
		return nil
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for i := range c.parts {
		if err := c.catalog.overviews.awaitAll(ctx, &c.parts[i], timer.C); err != nil {
			return Classify(err)
		}
	}
	return nil
}

// awaitAll starts the builds of the overviews that a part is missing, and waits for them.
func (o *overviewBuilder) awaitAll(ctx context.Context, p *part, timeout <-chan time.Time) error {
	for {
		missing, err := p.missingOverviews(ctx)
		if err != nil || missing == nil {
			return nil // Picture returns the same error
		}
		target := overviewTarget(p, missing)
		b, err := o.joinOrStart(p, missing, target)
		if err == nil {
			err = b.wait(ctx, timeout, p.layer.ID())
		}
		switch {
		case errors.Is(err, raster.ErrChanged):
			return nil // Picture uses the next version
		case err != nil:
			return err
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
