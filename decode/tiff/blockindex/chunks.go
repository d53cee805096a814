package blockindex

import (
	"context"
	"fmt"
	"slices"

	"tileserver/cache"
	"tileserver/source"
)

// Cache holds chunks of the block indexes of open files. It is safe for concurrent use.
type Cache struct {
	memory *cache.Cache
	chunks *cache.Space[chunkKey, chunk] // in memory
}

// NewCache returns a Cache of at most maxBytes.
func NewCache(maxBytes int64) *Cache {
	memory := cache.New(maxBytes)
	return &Cache{memory, cache.NewSpace[chunkKey, chunk](memory, "block indexes")}
}

// Stats returns the size of the cached chunks, and the hits and misses.
func (c *Cache) Stats() cache.SpaceStats { return c.memory.Stats().Spaces[0] }

// chunk is a part of an array of a block index, as stored. A chunk of zeros is nil: sparse files
// have millions of them.
type chunk []byte

// Size returns the memory that a chunk occupies.
func (c chunk) Size() int64 { return int64(cap(c)) }

// chunkKey says where a chunk lies in a file.
type chunkKey struct {
	file   *fileID
	offset int64
	length int64
}

// fileID identifies one opened version of a file in cache keys. Keys must not refer to the file
// itself, because the cache would keep it open.
type fileID struct{ _ byte }

// Reader reads chunks of the block indexes of one file. It is safe for concurrent use.
type Reader struct {
	src   source.Source
	id    *fileID
	cache func() *Cache
}

// NewReader returns a Reader of src. It calls cache for what caches the chunks.
func NewReader(src source.Source, cache func() *Cache) *Reader {
	return &Reader{src, new(fileID), cache}
}

// Source returns what the chunks are read from.
func (r *Reader) Source() source.Source { return r.src }

func (r *Reader) key(where source.Range) chunkKey {
	return chunkKey{r.id, where.Offset, where.Length}
}

func (r *Reader) cached(key chunkKey) (c chunk, known bool) { return r.cache().chunks.Get(key) }

// load reads chunks that are not cached, in one call. Concurrent requests for a chunk share one
// read.
func (r *Reader) load(ctx context.Context, keys []chunkKey) ([]chunk, error) {
	got, err := r.cache().chunks.Fetch(ctx, keys, func(ctx context.Context, missing []chunkKey) ([]chunk, error) {
		ranges := make([]source.Range, len(missing))
		for i, key := range missing {
			ranges[i] = source.Range{Offset: key.offset, Length: key.length}
		}
		data, err := r.src.ReadRanges(ctx, ranges)
		if err != nil {
			return nil, err
		}
		read := make([]chunk, len(data))
		for i, bytes := range data {
			if !allZero(bytes) {
				read[i] = slices.Clone(bytes) // the ranges may share one large buffer
			}
		}
		return read, nil
	})
	if err != nil {
		return nil, fmt.Errorf("block index: %w", err)
	}
	return got, nil
}
