package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"tileserver/source"
)

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

// chunkReader reads chunks of the block indexes of one file.
type chunkReader struct {
	src    source.Source
	id     *fileID
	shared func() *Shared // caches the chunks
}

func (r *chunkReader) key(where source.Range) chunkKey {
	return chunkKey{r.id, where.Offset, where.Length}
}

func (r *chunkReader) cached(key chunkKey) (c chunk, known bool) { return r.shared().chunks.Get(key) }

// load reads chunks that are not cached, in one call. Concurrent requests for a chunk share one
// read.
func (r *chunkReader) load(ctx context.Context, keys []chunkKey) ([]chunk, error) {
	got, err := r.shared().chunks.Fetch(ctx, keys, func(ctx context.Context, missing []chunkKey) ([]chunk, error) {
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

// chunkReaderFor returns the chunk reader of a source and creates it on first use.
func (f *File) chunkReaderFor(src source.Source) *chunkReader {
	for _, r := range f.chunkReaders {
		if r.src == src {
			return r
		}
	}
	r := &chunkReader{src, new(fileID), f.shared}
	f.chunkReaders = append(f.chunkReaders, r)
	return r
}

// readIndexesFrom lets the directories of an image read their indexes on demand.
func (m *Image) readIndexesFrom(f *File) {
	for _, dirs := range [][]*directory{m.levels, m.masks} {
		for _, d := range dirs {
			if d != nil && d.stored.index != nil {
				d.stored.index.chunks = f.chunkReaderFor(d.stored.src)
			}
		}
	}
}

func allZero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
	}
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// zeroChunks records which chunks of an array are all zeros, in two bits each. It outlives the
// cached chunks. The zero value is empty.
type zeroChunks struct {
	words atomic.Pointer[[]atomic.Uint32] // allocated by the first record
}

// zeroKind says what is known of a chunk.
type zeroKind uint32

const (
	unknownKind zeroKind = 0
	onlyZeros   zeroKind = 1
	hasValues   zeroKind = 2
)

const (
	kindBits     = 2
	kindsPerWord = 32 / kindBits
	kindMask     = 1<<kindBits - 1
	maxKindWords = 1 << 24 // for an index of terabytes
)

func (z *zeroChunks) kind(number int64) zeroKind {
	words := z.words.Load()
	if words == nil || number/kindsPerWord >= int64(len(*words)) {
		return unknownKind
	}
	return zeroKind((*words)[number/kindsPerWord].Load() >> (number % kindsPerWord * kindBits) & kindMask)
}

// record stores whether a chunk of a is all zeros.
func (z *zeroChunks) record(a *indexArray, number int64, zeros bool) {
	words := z.words.Load()
	if words == nil {
		last, _ := a.chunkOf(a.count - 1)
		made := make([]atomic.Uint32, min(last/kindsPerWord+1, maxKindWords))
		if !z.words.CompareAndSwap(nil, &made) {
			z.record(a, number, zeros)
			return
		}
		words = &made
	}
	kind := hasValues
	if zeros {
		kind = onlyZeros
	}
	if at := number / kindsPerWord; at < int64(len(*words)) {
		(*words)[at].Or(uint32(kind) << (number % kindsPerWord * kindBits))
	}
}
