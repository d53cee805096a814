package prefetch

import (
	"context"
	"errors"

	"tileserver/admission"
	"tileserver/geo"
	"tileserver/layer"
)

// maxLoaders is how many tiles are loaded ahead at a time.
const maxLoaders = 4

// A load is a tile to load ahead for a viewer.
type load struct {
	viewer  *viewer
	ctx     context.Context
	picture *layer.Composition // of another tile
	tile    geo.TileID
}

// startLoaders starts goroutines for some more tiles. They end when there are no tiles. The caller holds the lock.
func (p *Prefetcher) startLoaders(tiles int) {
	for ; tiles > 0 && p.loaders < maxLoaders; tiles-- {
		p.loaders++
		p.running.Go(p.loadAll)
	}
}

func (p *Prefetcher) loadAll() {
	for {
		l, ok := p.next()
		if !ok {
			return
		}
		bytes, err := l.run()
		p.note(&l, bytes, err)
	}
}

// next returns the next tile of the viewer whose turn it is. If there is none, the loader ends.
func (p *Prefetcher) next() (load, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.turns) > 0 {
		v := p.turns[0]
		p.turns, v.hasTurn = p.turns[1:], false
		if len(v.ahead) == 0 {
			v.like = nil
			continue
		}
		l := load{v, v.ctx, v.like, v.ahead[0]}
		v.ahead = v.ahead[1:]
		p.giveTurn(v)
		if !v.walk.HasAsked(l.tile) {
			return l, true
		}
	}
	p.loaders--
	return load{}, false
}

// giveTurn puts a viewer behind the others that have tiles to load. The caller holds the lock.
func (p *Prefetcher) giveTurn(v *viewer) {
	if !v.hasTurn {
		v.hasTurn = true
		p.turns = append(p.turns, v)
	}
}

// run loads the blocks of a tile, and returns about how many bytes they take.
func (l *load) run() (bytes int64, err error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	picture, err := l.picture.OtherTile(l.tile)
	if err != nil {
		return 0, err
	}
	return picture.Prefetch(l.ctx)
}

// note counts a load. One that gave way is tried again when there is time.
func (p *Prefetcher) note(l *load, bytes int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v, isCurrent := l.viewer, l.ctx.Err() == nil
	switch {
	case err == nil && bytes == 0:
		p.stats.Cached++
	case err == nil:
		p.stats.Loaded++
		v.bytes += bytes
	case !isCurrent:
		p.stats.Canceled++
		return
	case errors.Is(err, admission.ErrOutranked):
		p.stats.Canceled++
		v.ahead, v.like = append([]geo.TileID{l.tile}, v.ahead...), l.picture
		p.giveTurn(v)
		return
	default:
		p.stats.Failed++
	}
	if isCurrent && (err != nil || v.bytes > p.maxBytes) {
		v.cancelLoads()
	}
}
