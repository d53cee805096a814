// Package prefetch loads what a viewer that pans will ask for next, before it asks. Package http/serve tells
// it which tiles are asked for and answered. The package owns the walks of viewers, and the loads
// for them. It must never know pixels, files, or how a client is recognized.
//
// A viewer that has its answers, and asks for nothing for a moment, pauses. Its walk then says which tiles
// come next. Their blocks are loaded into the cache, not rendered, while nothing else is to be done. When
// the viewer goes elsewhere, these loads are canceled.
package prefetch

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tileserver/layer"
)

// MaxViewers bounds the viewers whose walks are remembered, each in 3 kB. Beyond, the one that has not asked for
// longest is forgotten.
const MaxViewers = 4096

// A Prefetcher loads tiles ahead. A nil Prefetcher loads none.
type Prefetcher struct {
	maxBytes int64 // that viewers may have loaded for one pause
	ctx      context.Context
	stop     context.CancelFunc
	running  sync.WaitGroup

	mu      sync.Mutex // guards the fields below, and viewers
	viewers *simplelru.LRU[key, *viewer]
	turns   []*viewer // that have tiles to load; the first one is next
	loaders int       // goroutines
	stats   Stats
}

// key identifies a viewer: a client with a map.
type key struct {
	client         uint64
	layer, tileSet string
}

// Stats counts the tiles for which blocks were to be loaded ahead, since the start.
type Stats struct {
	Loaded, Cached, Canceled, Failed int64

	Viewers int // remembered now
}

// New returns a prefetcher for a cache that keeps some bytes of what is loaded ahead, or nil if it keeps
// none. The caller closes it.
func New(maxBytes int64) *Prefetcher {
	if maxBytes <= 0 {
		return nil
	}
	const share = 4 // so that viewers do not evict what was just loaded for another
	p := &Prefetcher{maxBytes: maxBytes / share}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.viewers, _ = simplelru.NewLRU(MaxViewers, func(_ key, v *viewer) { v.forget() }) // fails for no size only
	return p
}

// Close cancels all loads and waits for them.
func (p *Prefetcher) Close() {
	if p == nil {
		return
	}
	p.stop()
	p.mu.Lock()
	p.viewers.Purge()
	p.mu.Unlock()
	p.running.Wait()
}

// Stats returns the counters.
func (p *Prefetcher) Stats() Stats {
	if p == nil {
		return Stats{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Viewers = p.viewers.Len()
	return s
}

// An Answering is a tile that a viewer waits for. The zero value is one of nobody.
type Answering struct {
	prefetcher *Prefetcher
	viewer     *viewer
}

// Asked notes that a client asks for a picture, if it is a tile for which a prefetch pays. The caller must
// call Done when it is answered. client is called only if that is the case.
func (p *Prefetcher) Asked(picture *layer.Composition, client func() uint64) Answering {
	if p == nil || !picture.PaysPrefetch() {
		return Answering{}
	}
	l, tile, ok := picture.Tile()
	if !ok {
		return Answering{}
	}
	by := key{client(), l.ID(), tile.TileSet}
	p.mu.Lock()
	defer p.mu.Unlock()
	v, ok := p.viewers.Get(by)
	if !ok {
		if p.ctx.Err() != nil {
			return Answering{}
		}
		v = p.newViewer()
		p.viewers.Add(by, v)
	}
	v.answering++
	v.asked = picture
	if !v.walk.Ask(tile.Tile) {
		v.cancelLoads()
	}
	return Answering{p, v}
}

// settleTime is how long a viewer that has its answers must ask for nothing until it pauses. A browser that
// asks for many tiles, a few at a time, sends the next request when it has an answer.
const settleTime = 60 * time.Millisecond

// Done notes that the tile is answered.
func (a Answering) Done() {
	if a.viewer == nil {
		return
	}
	a.prefetcher.mu.Lock()
	defer a.prefetcher.mu.Unlock()
	v := a.viewer
	v.answered = time.Now()
	if v.answering--; v.answering == 0 && !v.isSettling {
		v.isSettling = true
		v.settling.Reset(settleTime)
	}
}
