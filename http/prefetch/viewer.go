package prefetch

import (
	"context"
	"time"

	"tileserver/geo"
	"tileserver/http/prefetch/walk"
	"tileserver/layer"
)

// A viewer is a client with a map. The lock of the prefetcher guards it.
type viewer struct {
	walk      walk.Walk
	answering int                // tiles that it waits for
	answered  time.Time          // the last one
	asked     *layer.Composition // the last one of a burst; nil after that, since it keeps a file open

	settling   *time.Timer
	isSettling bool
	isGone     bool

	ahead   []geo.TileID       // to load, the next one first
	hasTurn bool               // to load them
	like    *layer.Composition // a picture of another tile; nil if there are none

	bytes  int64 // loaded since the last pause
	ctx    context.Context
	cancel context.CancelFunc // of the loads since the last pause; nil if there are none
	expiry *time.Timer        // of these
}

func (p *Prefetcher) newViewer() *viewer {
	v := new(viewer)
	v.settling = time.AfterFunc(settleTime, func() { p.settle(v) })
	v.settling.Stop()
	return v
}

// settle ends a burst of a viewer, unless the viewer has asked for more meanwhile.
func (p *Prefetcher) settle(v *viewer) {
	picture := p.settled(v)
	if picture == nil {
		return
	}
	limits := limitsOf(picture) // without the lock, since it may look whether the file is current
	p.mu.Lock()
	defer p.mu.Unlock()
	v.cancelLoads()
	tiles := v.walk.Pause(limits)
	if len(tiles) == 0 || v.isGone {
		return
	}
	v.ahead, v.like, v.bytes = tiles, picture, 0
	v.ctx, v.cancel = context.WithCancel(p.ctx)
	v.expiry = time.AfterFunc(maxAge, v.cancel)
	p.giveTurn(v)
	p.startLoaders(len(v.ahead))
}

// settled returns the last picture that a viewer asked for if it has paused, or nil.
func (p *Prefetcher) settled(v *viewer) *layer.Composition {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rest := settleTime - time.Since(v.answered); v.answering == 0 && rest > 0 && !v.isGone {
		v.settling.Reset(rest)
		return nil
	}
	v.isSettling = false
	if v.answering > 0 || v.isGone {
		return nil
	}
	last := v.asked
	v.asked = nil
	return last
}

// maxAge is how long a guess is believed.
const maxAge = 10 * time.Second

// limitsOf returns which tiles there are of the map of a picture.
func limitsOf(picture *layer.Composition) walk.Limits {
	l, tile, _ := picture.Tile()
	set, ok := l.TileSet(tile.TileSet)
	return func(zoom int) (walk.Box, bool) {
		if !ok || zoom > set.MaxZoom {
			return walk.Box{}, false
		}
		minColumn, minRow, maxColumn, maxRow, ok := set.Limits(zoom)
		return walk.Box{X0: minColumn, Y0: minRow, X1: maxColumn + 1, Y1: maxRow + 1}, ok
	}
}

// cancelLoads cancels what is loaded ahead for the viewer.
func (v *viewer) cancelLoads() {
	if v.cancel == nil {
		return
	}
	v.cancel()
	v.expiry.Stop()
	v.ahead, v.like, v.cancel = nil, nil, nil
}

// forget ends all that goes on for a viewer.
func (v *viewer) forget() {
	v.isGone, v.asked = true, nil
	v.settling.Stop()
	v.cancelLoads()
}
