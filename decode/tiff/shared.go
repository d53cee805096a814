package tiff

import (
	"sync"

	"tileserver/cache"
	"tileserver/decode/tiff/blockindex"
	"tileserver/raster"
)

// Shared holds what open files share: chunks of their block indexes, and empty tiles. One number
// bounds its memory, however many files are open. It is safe for concurrent use.
type Shared struct {
	indexes *blockindex.Cache

	mu         sync.Mutex // guards what follows
	empties    map[emptyKey]raster.Tile
	emptyBytes int64 // remaining budget of empties
}

// NewShared returns a Shared of at most maxBytes, a fourth of which is for empty tiles.
func NewShared(maxBytes int64) *Shared {
	return &Shared{
		indexes:    blockindex.NewCache(maxBytes - maxBytes/4),
		empties:    make(map[emptyKey]raster.Tile),
		emptyBytes: maxBytes / 4,
	}
}

// Stats returns the size of the cached chunks of block indexes, and the hits and misses.
func (s *Shared) Stats() cache.SpaceStats { return s.indexes.Stats() }

// emptyKey identifies an empty tile by its type, size and samples.
type emptyKey struct {
	dataType      raster.DataType
	width, height int
	pads          string // of its bands
}

// maxEmptyBytes is the size of the largest empty tile that is shared.
const maxEmptyBytes = 2 << 20

// empty returns the shared empty tile for key, and creates it with make on first use. If there is
// no room for it, the caller gets a tile of its own. Shared tiles are never evicted, so other
// caches count no more than a reference for them.
func (s *Shared) empty(key emptyKey, make func() raster.Tile) raster.Tile {
	if cached, ok := s.cachedEmpty(key); ok {
		return cached
	}
	tile := make()
	s.mu.Lock()
	defer s.mu.Unlock()
	if size := tile.Size(); size <= min(s.emptyBytes, maxEmptyBytes) && s.empties[key].IsZero() {
		s.emptyBytes -= size
		s.empties[key] = tile.Shared()
	}
	if cached := s.empties[key]; !cached.IsZero() {
		return cached
	}
	return tile
}

func (s *Shared) cachedEmpty(key emptyKey) (tile raster.Tile, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tile, ok = s.empties[key]
	return tile, ok
}
