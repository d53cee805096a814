package raster

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Provider gives blocks of pixels. It is safe for concurrent use.
type Provider interface {
	// Key identifies the pixels: equal keys mean equal pixels, in this process and in any other. It
	// begins with the identity and version of the dataset and contains every parameter of every
	// wrapper.
	Key() string

	// Info describes the content. It never changes.
	Info() *Info

	// Blocks returns blocks of a level in the order of ids, with the given bands in the given
	// order. Nil bands means all bands. Blocks reads and decodes only what these blocks and bands
	// need.
	Blocks(ctx context.Context, level int, ids []BlockID, bands []int) ([]Tile, error)
}

// SparseProvider is a Provider that can find regions without stored pixels, without reading any.
type SparseProvider interface {
	Provider

	// Empty reports whether no pixel in a rectangle of a level is stored, so that all pixels are
	// invalid. It may return false if the answer would take long.
	Empty(ctx context.Context, level int, rect Rect) (bool, error)
}

// WindowProvider is a Provider whose blocks are not units of storage. A window costs only the data
// under it, while reading the blocks that touch it costs more. Implementations cache costly decoded
// data themselves.
type WindowProvider interface {
	Provider

	// HasWindows reports whether callers should read windows of a level rather than blocks.
	HasWindows(level int) bool

	// Window returns the pixels of a rectangle within a level, with the given bands in the given
	// order. Nil bands means all bands. The pixels equal those in the blocks.
	Window(ctx context.Context, level int, rect Rect, bands []int) (Tile, error)
}

// ErrNoSuchBlock is the error for a request outside a provider's levels, grid or bands.
var ErrNoSuchBlock = errors.New("no such block")

// ErrChanged means that the dataset is no longer the version that its provider opened. The owner of
// the provider must open the dataset again.
var ErrChanged = errors.New("the dataset has changed")

// StalledError is the error of a provider whose file cannot be read now, since the disk or the server
// that has it does not answer. RetryAfter is how long to wait; 0 means soon.
type StalledError interface {
	error
	RetryAfter() time.Duration
}

// CheckWindow returns an error unless i has the level and all bands, and rect lies in the level.
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
