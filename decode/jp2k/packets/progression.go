package packets

import (
	"context"
	"slices"

	"tileserver/decode/jp2k/codestream"
)

// packet is what one layer adds to one precinct.
type packet struct {
	level    *level
	precinct int // number in its resolution, row by row
	layer    int
}

// order yields the packets of a tile in their order.
type order struct {
	ctx    context.Context
	layout *layout

	// next is the next layer of each precinct. It is needed only if several progressions may visit
	// a packet twice.
	next []uint16

	idle int // remaining idle visits
}

// The limits for progressions that yield nothing new. To begin a progression costs some visits for
// each level.
const (
	idleVisits     = 1 << 27
	visitsPerLevel = 16
)

func newOrder(ctx context.Context, l *layout) *order {
	o := &order{ctx: ctx, layout: l, idle: idleVisits}
	if len(l.tile.Progressions) > 1 {
		o.next = make([]uint16, l.precincts)
	}
	return o
}

// packets yields all packets, progression by progression, until the context ends.
func (o *order) packets(yield func(packet) bool) {
	for _, p := range o.layout.tile.Progressions {
		p.EndLayer = min(p.EndLayer, o.layout.tile.Layers)
		if o.idle -= visitsPerLevel * len(o.layout.levels); o.idle <= 0 || o.ctx.Err() != nil {
			return
		}
		if !o.follow(p, yield) {
			return
		}
	}
}

// follow yields the packets of one progression that did not come before.
func (o *order) follow(p codestream.Progression, yield func(packet) bool) bool {
	levels := o.selected(p)
	switch p.Order {
	case codestream.LRCP:
		slices.SortStableFunc(levels, byResolution)
		return o.layers(levels, p.EndLayer, yield)
	case codestream.RLCP:
		slices.SortStableFunc(levels, byResolution)
		return each(levels, byResolution, func(group []*level) bool { return o.layers(group, p.EndLayer, yield) })
	case codestream.RPCL:
		slices.SortStableFunc(levels, byResolution)
		return each(levels, byResolution, func(group []*level) bool { return o.positions(group, p.EndLayer, yield) })
	case codestream.PCRL:
		return o.positions(levels, p.EndLayer, yield)
	default:
		return each(levels, byComponent, func(group []*level) bool { return o.positions(group, p.EndLayer, yield) })
	}
}

// selected returns the levels of a progression that have precincts, ordered by component.
func (o *order) selected(p codestream.Progression) []*level {
	var levels []*level
	for i := range o.layout.levels {
		v := &o.layout.levels[i]
		if v.precincts > 0 && v.component >= p.FirstComponent && v.component < p.EndComponent &&
			v.resolution >= p.FirstResolution && v.resolution < p.EndResolution {
			levels = append(levels, v)
		}
	}
	return levels
}

func byResolution(a, b *level) int { return a.resolution - b.resolution }
func byComponent(a, b *level) int  { return a.component - b.component }

// each calls do for each group of equal consecutive levels.
func each(levels []*level, compare func(a, b *level) int, do func([]*level) bool) bool {
	for len(levels) > 0 {
		end := 1
		for end < len(levels) && compare(levels[0], levels[end]) == 0 {
			end++
		}
		if !do(levels[:end]) {
			return false
		}
		levels = levels[end:]
	}
	return true
}

// layers yields layer by layer, and the precincts of each level in the order of their numbers.
func (o *order) layers(levels []*level, endLayer int, yield func(packet) bool) bool {
	if len(levels) == 0 {
		return true
	}
	for layer := range endLayer {
		for _, v := range levels {
			for precinct := range v.precincts {
				if !o.visit(packet{v, precinct, layer}, yield) {
					return false
				}
			}
		}
	}
	return true
}

// positions yields the precincts by their position on the reference grid, with all layers of each.
// Without layers it returns at once, since no visit would account for the cost of the sweep.
func (o *order) positions(levels []*level, endLayer int, yield func(packet) bool) bool {
	if endLayer <= 0 {
		return true
	}
	return newSweep(o.layout, levels).precincts(func(v *level, precinct int) bool {
		for layer := range endLayer {
			if !o.visit(packet{v, precinct, layer}, yield) {
				return false
			}
		}
		return true
	})
}

// visit yields a packet unless it came before.
func (o *order) visit(p packet, yield func(packet) bool) bool {
	if o.next != nil {
		next := &o.next[p.level.firstPrecinct+p.precinct]
		if int(*next) != p.layer {
			o.idle--
			return o.idle > 0
		}
		*next++
	}
	return o.ctx.Err() == nil && yield(p)
}
