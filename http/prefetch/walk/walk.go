// Package walk guesses which tiles of a map a viewer will ask for next, from those that it has asked for.
// Package http/prefetch has a walk for each viewer, and tells it what is asked for. The package is
// arithmetic only: it must never know layers, requests or clocks.
//
// Words:
//
//   - A *burst* is the tiles that are asked for between two pauses.
//   - A *view* is the tiles that the viewer shows. A burst that fills a box is one, or what a move exposes.
//   - A *move* is how far the view went, in columns and rows.
package walk

import "tileserver/geo"

// Limits returns the tiles of a zoom that there are; false if there are none.
type Limits func(zoom int) (Box, bool)

// A Walk is what one viewer asked for lately. The zero value has asked for nothing.
type Walk struct {
	asked asked
	burst burst
	view  view

	moveX, moveY int  // of the view at the last pause
	zoomedIn     bool // to the view, which has not moved since

	expected Box // what was shown and predicted at the last pause
	zoom     int // of expected
}

// A view is what the viewer shows; without tiles if that is unknown.
type view struct {
	zoom int
	box  Box
}

// A burst is the tiles of one zoom since the last pause.
type burst struct {
	zoom, count int
	box         Box
}

// Ask notes that the viewer asks for a tile. It reports whether the walk goes on as expected.
func (w *Walk) Ask(t geo.TileID) (isExpected bool) {
	at := Box{t.X, t.Y, t.X + 1, t.Y + 1}
	if w.burst.count == 0 || w.burst.zoom != t.Z {
		w.burst = burst{zoom: t.Z, box: at}
	}
	w.burst.count++
	w.burst.box = w.burst.box.union(at)
	w.asked.add(t)
	return w.zoom == t.Z && w.expected.contains(t.X, t.Y) || w.view.zoom == t.Z && w.view.box.contains(t.X, t.Y)
}

// HasAsked reports whether the viewer has asked for a tile lately.
func (w *Walk) HasAsked(t geo.TileID) bool { return w.asked.has(t) }

// Pause ends a burst. It returns the tiles that the viewer is likely to ask for next, the likeliest first. There
// are none if it does not look like a viewer that pans or zooms in.
func (w *Walk) Pause(limits Limits) []geo.TileID {
	if w.burst.count > 0 {
		w.look(limits)
	}
	w.burst = burst{}
	return w.predict(limits)
}

// look finds out how the burst changes the view.
func (w *Walk) look(limits Limits) {
	b, before := &w.burst, w.view
	w.moveX, w.moveY = 0, 0
	if before.zoom == b.zoom && before.box.touches(b.box) {
		if w.move(limits) || w.grow() {
			return
		}
	}
	w.view, w.zoomedIn = view{}, false
	if w.isView(b.box) {
		w.view = view{b.zoom, b.box}
		w.zoomedIn = b.zoom == before.zoom+1 && before.box.contains(b.box.middle(2))
	}
}

// The size of views, in tiles. A screen of 4K has 17 by 10 tiles of 256 pixels. A client that asks for
// more at a time does not look at them.
const (
	minSide  = 2
	maxSide  = 20
	maxTiles = 200
)

// isView reports whether the burst asked for most tiles of a box that can be a view.
func (w *Walk) isView(b Box) bool {
	width, height := b.width(), b.height()
	return width >= minSide && height >= minSide && width <= maxSide && height <= maxSide && b.tiles() <= maxTiles &&
		w.asked.countIn(w.burst.zoom, b)*10 >= b.tiles()*7
}

// grow makes the view larger if the burst surrounds it, since a view may come in two bursts.
func (w *Walk) grow() bool {
	all := w.view.box.union(w.burst.box)
	if !w.isView(all) {
		return false
	}
	w.view.box = all
	return true
}

// maxMove is how far a view moves at most. What goes further has jumped.
const maxMove = 4

// move moves the view so that it shows the burst, if the burst is what such a move exposes.
func (w *Walk) move(limits Limits) bool {
	dx, isX := w.beyond(w.view.box.X0-w.burst.box.X0, w.burst.box.X1-w.view.box.X1, w.view.box.width())
	dy, isY := w.beyond(w.view.box.Y0-w.burst.box.Y0, w.burst.box.Y1-w.view.box.Y1, w.view.box.height())
	if !isX || !isY {
		return false
	}
	there, ok := limits(w.view.zoom)
	moved := w.view.box.shifted(dx, dy)
	exposed := moved.intersect(there).without(w.view.box)
	if !ok || w.asked.countOf(w.view.zoom, exposed)*2 < len(exposed) {
		return false
	}
	w.view.box, w.moveX, w.moveY = moved, dx, dy
	w.zoomedIn = w.zoomedIn && dx == 0 && dy == 0
	return true
}

// beyond returns how far a burst goes beyond one side of the view or the other. It is false if that is
// beyond both, or no move of a view of that length.
func (w *Walk) beyond(before, after, length int) (move int, ok bool) {
	switch {
	case before > 0 && after > 0:
		return 0, false
	case before > 0:
		move = -before
	case after > 0:
		move = after
	}
	far := max(move, -move)
	return move, far <= maxMove && far < length
}
