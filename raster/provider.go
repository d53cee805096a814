package raster

import (
	"context"
	"errors"
	"fmt"
)

// Provider is anything that has pixels in blocks. It is safe for concurrent use.
type Provider interface {
	// Key names the pixels: equal keys mean equal pixels, in this process and
	// in any other. It begins with the identity and version of the dataset and
	// holds every parameter of every wrapper around it.
	Key() string

	// Info says what is there. It does not change.
	Info() *Info

	// Blocks returns the blocks of a level, in the order of ids, with the given
	// bands in the given order; nil bands are all of them. It reads and decodes
	// no more than what those blocks and bands need.
	Blocks(ctx context.Context, level int, ids []BlockID, bands []int) ([]Tile, error)
}

// SparseProvider is a Provider that can tell, without reading pixels, where it has none.
type SparseProvider interface {
	Provider

	// Empty reports whether no pixel of a rectangle of a level is stored. All of them
	// are invalid then. It may say no where it would take long to find out.
	Empty(ctx context.Context, level int, rect Rect) (bool, error)
}

// WindowProvider is a Provider whose blocks are not units of what is stored, so that a rectangle
// of a level costs what lies under it, and the blocks that touch it more. What is dear to
// decode it keeps itself.
type WindowProvider interface {
	Provider

	// HasWindows reports whether windows of a level are to be asked for, and not blocks.
	HasWindows(level int) bool

	// Window returns the pixels of a rectangle within a level, with the given bands in the
	// given order; nil bands are all of them. They are those that the blocks have there.
	Window(ctx context.Context, level int, rect Rect, bands []int) (Tile, error)
}

// ErrNoSuchBlock is what a request outside a provider's levels, grid or bands gets.
var ErrNoSuchBlock = errors.New("no such block")

// ErrChanged says that a dataset is no longer the version that its provider was
// opened on. Whoever opened it opens it again.
var ErrChanged = errors.New("the dataset has changed")

// CheckWindow returns an error unless i has the level and all bands, and the rectangle lies in it.
func (i *Info) CheckWindow(level int, rect Rect, bands []int) error {
	if err := i.CheckRequest(level, nil, bands); err != nil {
		return err
	}
	if l := i.Levels[level]; rect.Empty() || rect.Intersect(l.Bounds()) != rect {
		return fmt.Errorf("pixels %v of a level of %dx%d: %w", rect, l.Width, l.Height, ErrNoSuchBlock)
	}
	return nil
}

// CheckRequest returns an error unless i has the level, all blocks and all bands.
func (i *Info) CheckRequest(level int, ids []BlockID, bands []int) error {
	if level < 0 || level >= len(i.Levels) {
		return fmt.Errorf("level %d of %d: %w", level, len(i.Levels), ErrNoSuchBlock)
	}
	l := i.Levels[level]
	for _, id := range ids {
		if !l.Contains(id) {
			return fmt.Errorf("block %d,%d of a %dx%d grid: %w", id.Col, id.Row, l.Columns(), l.Rows(), ErrNoSuchBlock)
		}
	}
	for _, b := range bands {
		if b < 0 || b >= len(i.Bands) {
			return fmt.Errorf("band %d of %d: %w", b+1, len(i.Bands), ErrNoSuchBlock)
		}
	}
	return nil
}
