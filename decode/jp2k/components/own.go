package components

import "tileserver/decode/jp2k/wavelet"

// A request in bulk has groups of its own: no sample outside of the request needs them. They would only drive
// others out of the cache, so they are not cached.

// groups are groups that a request needs.
type groups struct {
	keys    []groupKey
	values  []coefficients     // of keys
	indexes map[groupKey]int32 // of keys, or nil if these may have repetitions
}

// index returns the index of a group, or the one that it would have.
func (g *groups) index(key groupKey) int32 {
	if index, isKnown := g.indexes[key]; isKnown {
		return index
	}
	return int32(len(g.keys))
}

// add adds a group with the index that it has.
func (g *groups) add(key groupKey, index int32) {
	if int(index) < len(g.keys) {
		return
	}
	if g.keys = append(g.keys, key); g.indexes != nil {
		g.indexes[key] = index
	}
}

// resetGroups removes all groups.
func (r *Request) resetGroups() {
	r.shared, r.own, r.coded = groups{}, groups{indexes: make(map[groupKey]int32)}, 0
}

// ownMissing takes the request's own groups from the cache, where earlier requests may have left some. It returns
// all others, with their indexes.
func (r *Request) ownMissing() (missing []groupKey, indexes []int) {
	r.own.values = make([]coefficients, len(r.own.keys))
	for i, key := range r.own.keys {
		value, isCached := r.stream.shared.blocks.Get(key)
		if r.own.values[i] = value; !isCached {
			missing, indexes = append(missing, key), append(indexes, i)
		}
	}
	return missing, indexes
}

// isOwn reports whether a group is one of the request's own.
func (w *bandWindow) isOwn(grid *groupGrid, group groupKey) bool {
	in := grid.blocks(group.index)
	first, last := w.Block(in.X0, in.Y0), w.Block(in.X1-1, in.Y1-1)
	rect := wavelet.Rect{X0: first.X0, Y0: first.Y0, X1: last.X1, Y1: last.Y1}
	return rect.Intersect(w.own) == rect
}

// samplesKey identifies the tile windows of the same samples of a tile.
type samplesKey struct {
	tile, reduction, component int
	transformed                bool
}

func (w *tileWindow) samplesKey() samplesKey {
	return samplesKey{w.tile.Number, w.reduction, w.components[0].component, w.transformed}
}

// findOwn finds what of each band only the request needs, in the rectangle around its tile windows.
func (r *Request) findOwn() {
	around := make(map[samplesKey]wavelet.Rect)
	for _, w := range r.tileWindows {
		rect, isKnown := around[w.samplesKey()]
		if !isKnown {
			rect = w.window
		}
		around[w.samplesKey()] = wavelet.Rect{
			X0: min(rect.X0, w.window.X0), Y0: min(rect.Y0, w.window.Y0), X1: max(rect.X1, w.window.X1), Y1: max(rect.Y1, w.window.Y1),
		}
	}
	for _, w := range r.tileWindows {
		for i := range w.components {
			w.components[i].findOwn(around[w.samplesKey()])
		}
	}
}

// findOwn finds which coefficients no sample outside of a rectangle needs.
func (w *componentWindow) findOwn(rect wavelet.Rect) {
	rect = w.unhalved(rect)
	for i := len(w.resolutions) - 1; i > 0; i-- {
		exclusive := w.filter().Exclusive(w.coding.Resolutions[i].Rect, rect)
		for b := range w.resolutions[i].bands {
			band := &w.resolutions[i].bands[b]
			band.own = exclusive[band.Orientation]
		}
		rect = exclusive[wavelet.LL]
	}
	w.resolutions[0].bands[0].own = rect
}
