package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"tileserver/source"
)

// piece is a part of an array of a block index, as it is stored. One of zeros is
// nil: sparse files have millions of them.
type piece []byte

// Size is what a piece keeps from being freed.
func (p piece) Size() int64 { return int64(cap(p)) }

// pieceKey is where a piece lies.
type pieceKey struct {
	file   *fileMark
	offset int64
	length int64
}

// fileMark stands for one version of an open file in keys. They must not hold the
// file itself: it would stay open for as long as a piece of it is kept.
type fileMark struct{ _ byte }

// pieces reads the arrays of the block indexes of one file.
type pieces struct {
	src    source.Source
	mark   *fileMark
	shared func() *Shared // which keeps them
}

func (s *pieces) key(where source.Range) pieceKey {
	return pieceKey{s.mark, where.Offset, where.Length}
}

func (s *pieces) kept(key pieceKey) (p piece, known bool) { return s.shared().pieces.Get(key) }

// load reads pieces that are not kept, in one call, once for all who ask.
func (s *pieces) load(ctx context.Context, keys []pieceKey) ([]piece, error) {
	got, err := s.shared().pieces.Fetch(ctx, keys, func(ctx context.Context, missing []pieceKey) ([]piece, error) {
		ranges := make([]source.Range, len(missing))
		for i, key := range missing {
			ranges[i] = source.Range{Offset: key.offset, Length: key.length}
		}
		parts, err := s.src.ReadRanges(ctx, ranges)
		if err != nil {
			return nil, err
		}
		read := make([]piece, len(parts))
		for i, part := range parts {
			if !allZero(part) {
				read[i] = slices.Clone(part) // parts share what was read between them
			}
		}
		return read, nil
	})
	if err != nil {
		return nil, fmt.Errorf("block index: %w", err)
	}
	return got, nil
}

// piecesOf is what reads the indexes of blocks that lie in a source.
func (f *File) piecesOf(src source.Source) *pieces {
	for _, s := range f.pieces {
		if s.src == src {
			return s
		}
	}
	s := &pieces{src, new(fileMark), f.shared}
	f.pieces = append(f.pieces, s)
	return s
}

// readIndexesFrom lets the pages of an image read their indexes when they are wanted.
func (m *Image) readIndexesFrom(f *File) {
	for _, pages := range [][]*page{m.levels, m.masks} {
		for _, p := range pages {
			if p != nil && p.index != nil {
				p.index.pieces = f.piecesOf(p.src)
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

// zeroPieces remembers of the pieces of a column whether they are all zeros, longer
// than the pieces themselves are kept: two bits each. The zero value knows nothing.
type zeroPieces struct {
	words atomic.Pointer[[]atomic.Uint32] // made when there is something to note
}

// zeroKind is what is known of a piece.
type zeroKind uint32

const (
	unknownKind zeroKind = 0
	onlyZeros   zeroKind = 1
	hasOthers   zeroKind = 2
)

const (
	kindBits      = 2
	kindsInAWord  = 32 / kindBits
	kindMask      = 1<<kindBits - 1
	mostKindWords = 1 << 24 // for an index of terabytes
)

func (z *zeroPieces) kind(number int64) zeroKind {
	words := z.words.Load()
	if words == nil || number/kindsInAWord >= int64(len(*words)) {
		return unknownKind
	}
	return zeroKind((*words)[number/kindsInAWord].Load() >> (number % kindsInAWord * kindBits) & kindMask)
}

// note keeps what has been found out of a piece of c.
func (z *zeroPieces) note(c *column, number int64, zeros bool) {
	words := z.words.Load()
	if words == nil {
		last, _ := c.place(c.count - 1)
		made := make([]atomic.Uint32, min(last/kindsInAWord+1, mostKindWords))
		if !z.words.CompareAndSwap(nil, &made) {
			z.note(c, number, zeros)
			return
		}
		words = &made
	}
	kind := hasOthers
	if zeros {
		kind = onlyZeros
	}
	if at := number / kindsInAWord; at < int64(len(*words)) {
		(*words)[at].Or(uint32(kind) << (number % kindsInAWord * kindBits))
	}
}
