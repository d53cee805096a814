// Package archive says what an archive of tiles is: the ready tiles of a map in one place, such as a file
// that any web server can serve. The packages below write and read its kinds.
//
// An archive knows tiles by their positions, and what is said of them all. It must never know of layers,
// of requests, or of what the tiles show.
package archive

import (
	"context"
	"errors"
	"fmt"
)

// MaxTileBytes is the maximum size of a tile. Writers refuse larger ones; readers take them for damage.
const MaxTileBytes = 16 << 20

// A Tile is a file, usually a picture, at a position. Its content is not empty.
type Tile struct {
	Position
	Content []byte
}

// Writer makes an archive. Nobody sees the archive before Finish has succeeded, whatever happens. A
// writer's methods are not safe for concurrent use.
type Writer interface {
	// Put adds tiles, each position once. It does not keep their contents. After an error only Discard
	// may be called.
	Put(ctx context.Context, tiles []Tile) error
	// Finish completes the archive, which has its name when Finish returns nil. An earlier archive of that
	// name is replaced then.
	Finish(ctx context.Context) error
	// Discard removes what is unfinished. After Finish it does nothing, so that it may be deferred.
	Discard() error
}

// Reader reads an archive. Its methods are safe for concurrent use.
type Reader interface {
	// Description is what the archive says of itself.
	Description() Description
	// Version identifies the tiles. It differs whenever they may have changed.
	Version() string
	// Tiles returns the contents of tiles, in the order of their positions. The content of a tile that the
	// archive lacks is nil. The caller must not write to contents.
	Tiles(ctx context.Context, positions []Position) ([][]byte, error)
}

var (
	// ErrPutTwice means that a position has two tiles.
	ErrPutTwice = errors.New("archive: the tile was put twice")
	// ErrTileSize means that a tile is empty or larger than MaxTileBytes.
	ErrTileSize = errors.New("archive: the size of the tile is out of bounds")
)

// CheckContent returns an error for a tile that no writer takes, because of its size.
func (t Tile) CheckContent() error {
	if len(t.Content) == 0 || len(t.Content) > MaxTileBytes {
		return fmt.Errorf("%w: tile %v has %d bytes of 1 to %d", ErrTileSize, t.Position, len(t.Content), MaxTileBytes)
	}
	return nil
}
