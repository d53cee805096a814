package combine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tileserver/decode/container"
	"tileserver/raster"
)

// Levels is an image whose levels are images of their own.
type Levels struct {
	container.Image // level 0
	key             string
	info            raster.Info
	reduced         []container.Image // of level 1 and on
}

var (
	_ raster.SparseProvider = (*Levels)(nil)
	_ raster.WindowProvider = (*Levels)(nil)
)

// NewLevels returns an image that has only its own level yet.
func NewLevels(m container.Image) *Levels {
	l := &Levels{Image: m, key: m.Key(), info: *m.Info()}
	l.info.Levels = slices.Clone(l.info.Levels)
	return l
}

// SetKey sets the key of the image with its levels.
func (r *Levels) SetKey(key string) { r.key = key }

// Add makes an image the next level, if it shows the same with fewer pixels.
func (r *Levels) Add(m container.Image) error {
	if err := m.Unsupported(); err != nil {
		return err
	}
	info, l, last := m.Info(), m.Info().Levels[0], r.info.Levels[len(r.info.Levels)-1]
	full := r.info.Levels[0]
	l.ScaleX, l.ScaleY = float64(full.Width)/float64(l.Width), float64(full.Height)/float64(l.Height)
	const pixels = 2 // sides are rounded
	isSimilar := math.Abs(l.ScaleX-l.ScaleY)*float64(min(l.Width, l.Height)) <= pixels*l.ScaleX
	if info.Type != r.info.Type || len(info.Bands) != len(r.info.Bands) || l.Width >= last.Width || l.Height >= last.Height || !isSimilar {
		return fmt.Errorf("%dx%d pixels of %s of %v are no overview of the image", l.Width, l.Height, container.Counted(len(info.Bands), "band"), info.Type)
	}
	r.info.Levels, r.reduced = append(r.info.Levels, l), append(r.reduced, m)
	return nil
}

// Key returns the key of the image with its levels.
func (r *Levels) Key() string { return r.key }

// Info describes the image with its levels.
func (r *Levels) Info() *raster.Info { return &r.info }

// level returns the image that has a level.
func (r *Levels) level(n int) container.Image {
	if n < 1 || n > len(r.reduced) {
		return r.Image
	}
	return r.reduced[n-1]
}

// Blocks reads blocks of the file that has the level.
func (r *Levels) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := r.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	return r.level(level).Blocks(ctx, 0, ids, bands)
}

// Empty asks the file that has the level.
func (r *Levels) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := r.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	return raster.IsEmpty(ctx, r.level(level), 0, rect)
}

// HasWindows asks the file that has the level.
func (r *Levels) HasWindows(level int) bool { return raster.HasWindows(r.level(level), 0) }

// Window reads a window of the file that has the level.
func (r *Levels) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	if err := r.info.CheckWindow(level, rect, bands); err != nil {
		return raster.Tile{}, err
	}
	return raster.ReadWindow(ctx, r.level(level), 0, rect, bands)
}

// AddStorage adds to the facts how the image is stored, with its levels.
func (r *Levels) AddStorage(to *container.Facts) {
	r.Image.AddStorage(to)
	for _, l := range r.info.Levels[1:] {
		to.Overviews = append(to.Overviews, [2]int{l.Width, l.Height})
	}
}
