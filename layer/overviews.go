package layer

import (
	"context"
	"errors"
	"time"

	"tileserver/layer/areas"
	"tileserver/layer/overviewbuild"
	"tileserver/pyramid/overview"
	"tileserver/raster"
)

// An OverviewState describes the missing overviews of a file that are too large to build within a
// request.
type OverviewState struct {
	Building bool    // whether a build is running; otherwise it starts when a picture needs it
	Progress float64 // from 0 to 1
}

// OverviewProgress returns the fraction done of running builds of overviews, from 0 to 1, by layer
// id.
func (c *Catalog) OverviewProgress() map[string]float64 { return c.overviews.Stats().Building }

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
		missing, err := p.providers.Overviews.Missing(ctx, plan.Level, plan.Parts[i].Blocks, plan.Bands)
		if err != nil || missing != nil {
			return missing, err
		}
	}
	return nil, nil
}

// AwaitOverviews starts the builds of the overviews that the picture needs, and waits for them up to
// timeout, or as long as Picture waits if it is negative. After that, the builds continue and the
// error is Busy.
func (c *Composition) AwaitOverviews(ctx context.Context, timeout time.Duration) error {
	if c.catalog.pictures.Contains(c.key) {
		return nil
	}
	await := c.catalog.overviews.Await
	if timeout >= 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		await = func(ctx context.Context, target overviewbuild.Target) (bool, error) {
			return c.catalog.overviews.AwaitUntil(ctx, target, timer.C)
		}
	}
	for i := range c.parts {
		if err := c.parts[i].awaitOverviews(ctx, c.catalog, await); err != nil {
			return Classify(err)
		}
	}
	return nil
}

// An awaitBuild waits for overviews, and reports whether they are built.
type awaitBuild func(ctx context.Context, target overviewbuild.Target) (isBuilt bool, err error)

// awaitOverviews starts the builds of the overviews that the part is missing, and waits for them. There
// may be several, such as those without a nodata value before those with it.
func (p *part) awaitOverviews(ctx context.Context, c *Catalog, await awaitBuild) error {
	for built := make(map[string]bool); ; {
		missing, err := p.missingOverviews(ctx)
		if err != nil || missing == nil {
			return nil // Picture returns the same error
		}
		target := c.buildTarget(p, missing)
		id := target.ID()
		if built[id] {
			return nil // built before, but not cached: Picture says so
		}
		built[id], err = await(ctx, target)
		switch {
		case errors.Is(err, raster.ErrChanged):
			return nil // Picture uses the next version
		case err != nil:
			return err
		}
	}
}

// buildTarget returns the overviews that a part is missing, as the target of a background build.
func (c *Catalog) buildTarget(p *part, missing *overview.TooExpensiveError) overviewbuild.Target {
	dataset := p.version.dataset
	return overviewbuild.Target{
		Group: p.layer.group.overviews, DatasetKey: dataset.Provider.Key(), Source: dataset.source(),
		Overviews: missing.Of, Missing: missing,
		IsRequested: p.providers.IsRequested && missing.Of == p.providers.Overviews,
		IsCurrent:   func() bool { return p.layer.versions.Last() == p.version },
		IsServed:    func() bool { return c.isServed(p.layer) },
	}
}
