package walk

import (
	"cmp"
	"slices"

	"tileserver/geo"
)

// predict returns what the view shows next if it moves on, or zooms in further, but for what was asked for.
func (w *Walk) predict(limits Limits) []geo.TileID {
	w.expected, w.zoom = Box{}, 0
	next := w.view
	switch {
	case w.moveX != 0 || w.moveY != 0:
		next.box = next.box.shifted(w.moveX, w.moveY)
	case w.zoomedIn:
		next = view{next.zoom + 1, next.box.magnified()}
	default:
		return nil
	}
	there, ok := limits(next.zoom)
	if !ok {
		return nil
	}
	var tiles []geo.TileID
	next.box.intersect(there).each(func(x, y int) {
		if t := (geo.TileID{Z: next.zoom, X: x, Y: y}); !w.asked.has(t) {
			tiles = append(tiles, t)
		}
	})
	w.expected, w.zoom = next.box, next.zoom
	w.sort(tiles, &next)
	return tiles
}

// sort puts those tiles first that a small move exposes, and of these the ones in the middle.
func (w *Walk) sort(tiles []geo.TileID, next *view) {
	now := w.view.box
	if next.zoom != w.view.zoom {
		now = Box{}
	}
	middleX, middleY := next.box.middle(1)
	place := func(t geo.TileID) (beyond, fromMiddle int) {
		if !now.isEmpty() {
			beyond = max(now.X0-t.X, t.X-now.X1+1, now.Y0-t.Y, t.Y-now.Y1+1)
		}
		dx, dy := t.X-middleX, t.Y-middleY
		return beyond, dx*dx + dy*dy
	}
	slices.SortFunc(tiles, func(a, b geo.TileID) int {
		beyondA, middleA := place(a)
		beyondB, middleB := place(b)
		return cmp.Or(cmp.Compare(beyondA, beyondB), cmp.Compare(middleA, middleB))
	})
}
