package pyramid

import (
	"context"

	"tileserver/raster"
)

// Prefetch loads what a plan needs and what is not in memory, so that a Read of it waits for less. Nobody has
// asked for the pixels yet, and none are made.
func (p *Pyramid) Prefetch(ctx context.Context, plan *Plan) error {
	r := reader{pyramid: p, plan: plan, level: p.info.Levels[plan.Level]}
	for i := range plan.Parts {
		part := plan.Parts[i]
		if !raster.HasWindows(p.provider, plan.Level) {
			if part.Blocks = p.missing(plan, part.Blocks); len(part.Blocks) == 0 {
				continue
			}
		}
		if _, err := r.fetch(ctx, &part); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// NeedsPrefetch reports whether something that a plan needs may not be in memory. What a provider of windows
// has there is not known.
func (p *Pyramid) NeedsPrefetch(plan *Plan) bool {
	return len(plan.Parts) > 0 && (raster.HasWindows(p.provider, plan.Level) || len(p.missing(plan, plan.Blocks())) > 0)
}

// missing returns those blocks that are not in memory.
func (p *Pyramid) missing(plan *Plan, ids []raster.BlockID) (missing []raster.BlockID) {
	for i, isCached := range raster.IsCached(p.provider, plan.Level, ids, plan.Bands) {
		if !isCached {
			missing = append(missing, ids[i])
		}
	}
	return missing
}
