package build

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"tileserver/raster"
	"tileserver/raster/stream"
)

// Lost is what of a source could not be decoded.
type Lost struct {
	Blocks int      // of the source, of which all or some pixels are lost
	Texts  []string // of the first few, sorted
}

// ErrDamaged means that pixels of a block are damaged.
var ErrDamaged = errors.New("pixels are lost")

// maxTexts is how many losses are described.
const maxTexts = 64

// lostBlocks collects which blocks of a source are lost. Several views may need the same one.
type lostBlocks struct {
	mu    sync.Mutex
	seen  map[raster.BlockID]bool
	texts []string

	hasData atomic.Bool // whether anything was decoded
}

// noteData notes whether pixels of a tile were decoded.
func (l *lostBlocks) noteData(tile raster.Tile) {
	if !l.hasData.Load() && !tile.Damage().IsTotal() && tile.AnyValid() {
		l.hasData.Store(true)
	}
}

func (l *lostBlocks) add(id raster.BlockID, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[id] {
		return
	}
	l.seen[id] = true
	text := fmt.Sprintf("block %d,%d: %s", id.Col, id.Row, why)
	at, _ := slices.BinarySearch(l.texts, text)
	if l.texts = slices.Insert(l.texts, at, text); len(l.texts) > maxTexts {
		l.texts = l.texts[:maxTexts]
	}
}

// report returns what is lost, or an error if that is everything.
func (l *lostBlocks) report() (Lost, error) {
	if len(l.seen) > 0 && !l.hasData.Load() {
		return Lost{}, fmt.Errorf("%w: nothing of the image could be decoded; first: %s", ErrDamaged, l.texts[0])
	}
	return Lost{len(l.seen), l.texts}, nil
}

// tileOf returns the pixels of a view.
func (b *builder) tileOf(ctx context.Context, v *stream.View) (raster.Tile, error) {
	tile, err := v.Tile()
	switch {
	case err == nil && tile.Damage().IsZero():
		return tile, nil
	case b.IsDamage == nil && err == nil:
		return raster.Tile{}, fmt.Errorf("%w: %v; first: %s", ErrDamaged, tile.Damage(), tile.Damage().Losses()[0].Text)
	case err != nil && (b.IsDamage == nil || !b.IsDamage(err)):
		return raster.Tile{}, err
	}
	return b.intactPixels(ctx, v)
}

// intactPixels reads the blocks under a view one by one, and leaves out those that are lost.
func (b *builder) intactPixels(ctx context.Context, v *stream.View) (raster.Tile, error) {
	level := &b.info.Levels[0]
	pixels := raster.NewStitcher(b.info.Type, v.Rect, len(b.info.Bands))
	pixels.LeaveOut(v.Rect)
	for _, id := range level.Covering(v.Rect) {
		isEmpty, err := raster.IsEmpty(ctx, b.Source, 0, level.Block(id))
		var tiles []raster.Tile
		if err == nil && !isEmpty {
			tiles, err = b.Source.Blocks(ctx, 0, []raster.BlockID{id}, nil)
		}
		switch {
		case err != nil && !b.IsDamage(err):
			return raster.Tile{}, fmt.Errorf("block %d,%d: %w", id.Col, id.Row, err)
		case err != nil:
			b.lost.add(id, err.Error())
		case len(tiles) == 1 && !tiles[0].IsZero():
			if damage := tiles[0].Damage(); !damage.IsZero() {
				b.lost.add(id, damage.Losses()[0].Text)
			}
			pixels.Put(tiles[0], level.Block(id))
		}
	}
	return pixels.Freeze(), nil
}
