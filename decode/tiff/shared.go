package tiff

import (
	"sync"

	"tileserver/cache"
	"tileserver/raster"
)

// Shared is what open files keep together, so that one number bounds it however
// many are open: pieces of their block indexes, and tiles of no pixels.
type Shared struct {
	kept   *cache.Cache
	pieces *cache.Space[pieceKey, piece] // in kept

	mu         sync.Mutex // guards what follows
	empties    map[emptyKey]raster.Tile
	emptyBytes int64 // that may still be taken by empties
}

// NewShared keeps at most so many bytes, a fourth of them in empty tiles.
func NewShared(maxBytes int64) *Shared {
	kept := cache.New(maxBytes - maxBytes/4)
	return &Shared{
		kept:       kept,
		pieces:     cache.NewSpace[pieceKey, piece](kept, "block indexes"),
		empties:    make(map[emptyKey]raster.Tile),
		emptyBytes: maxBytes / 4,
	}
}

// Stats is what the pieces of block indexes take, and how often they were there.
func (s *Shared) Stats() cache.SpaceStats { return s.kept.Stats().Spaces[0] }

// emptyKey is the looks of a tile without pixels.
type emptyKey struct {
	dataType      raster.DataType
	width, height int
	pads          string // of its bands
}

// mostEmptyBytes is the largest empty tile that is shared.
const mostEmptyBytes = 2 << 20

// empty is a tile that make would make: one for all who ask, while there is room
// for it. It is kept for good, so that the caches of those who hold it need count
// no more than a reference.
func (s *Shared) empty(key emptyKey, make func() raster.Tile) raster.Tile {
	if kept, ok := s.keptEmpty(key); ok {
		return kept
	}
	tile := make()
	s.mu.Lock()
	defer s.mu.Unlock()
	if size := tile.Size(); size <= min(s.emptyBytes, mostEmptyBytes) && s.empties[key].IsZero() {
		s.emptyBytes -= size
		s.empties[key] = tile.Shared()
	}
	if kept := s.empties[key]; !kept.IsZero() {
		return kept
	}
	return tile
}

func (s *Shared) keptEmpty(key emptyKey) (tile raster.Tile, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tile, ok = s.empties[key]
	return tile, ok
}
