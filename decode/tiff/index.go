package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync/atomic"

	"tileserver/source"
)

// blockIndex is where the blocks of a page lie in the file, as compact as the
// file has it: eight bytes a block but in files over 4 GiB.
type blockIndex struct {
	offsets column
	counts  column // of bytes
}

// column is unsigned integers as they are stored.
type column struct {
	values []byte
	kind   fieldType
	order  binary.ByteOrder
}

func (c column) at(i int) uint64 { return uintAt(c.values, i, c.kind, c.order) }

// readIndex finds the two tags and holds them against the grid.
func (p *page) readIndex(r reading) error {
	offsets, counts := r.entries[tagStripOffsets], r.entries[tagStripByteCounts]
	if p.tiled && r.entries[tagTileOffsets] != nil {
		offsets, counts = r.entries[tagTileOffsets], r.entries[tagTileByteCounts]
	}
	blocks := int64(p.columns()) * int64(p.rows())
	if p.chopped() {
		blocks = 1
	}
	if blocks > math.MaxInt64/int64(p.planes()) {
		return fmt.Errorf("%d blocks: %w", blocks, ErrLimit)
	}
	blocks *= int64(p.planes())
	p.index = &indexLoader{offsets: offsets, counts: counts, blocks: blocks, loading: make(chan struct{}, 1)}
	var stored int64
	for _, e := range []*entry{offsets, counts} {
		if e != nil {
			stored += e.bytes()
		}
		switch {
		case e == nil:
			continue
		case !e.kind.unsigned():
			return fmt.Errorf("%v of type %d: %w", e.tag, e.kind, ErrCorrupt)
		case stored > r.limits.IndexBytes:
			return fmt.Errorf("%v of %d bytes: %w", e.tag, e.bytes(), ErrLimit)
		case int64(e.count) < blocks:
			return fmt.Errorf("%v of %d values for %d blocks: %w", e.tag, e.count, blocks, ErrCorrupt)
		}
	}
	if offsets == nil || counts == nil && (blocks > 1 || p.compression != compressionNone) {
		return fmt.Errorf("no offsets or sizes of blocks: %w", ErrCorrupt)
	}
	return nil
}

// indexLoader reads the block index of a page when it is first wanted, once.
type indexLoader struct {
	offsets, counts *entry // counts is nil where the only block ends with the file
	blocks          int64

	// loaded is written by who holds the place in loading. That is a channel and
	// not a mutex, so that who waits for it can leave.
	loaded  atomic.Pointer[blockIndex]
	loading chan struct{}
}

// load returns the index. One that failed is tried again by the next to ask.
func (l *indexLoader) load(ctx context.Context, src source.Source) (*blockIndex, error) {
	if index := l.loaded.Load(); index != nil {
		return index, nil
	}
	select {
	case l.loading <- struct{}{}:
		defer func() { <-l.loading }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if index := l.loaded.Load(); index != nil {
		return index, nil
	}
	index, err := l.read(ctx, src)
	if err != nil {
		return nil, fmt.Errorf("block index: %w", err)
	}
	l.loaded.Store(index)
	return index, nil
}

// read fetches in one call what is not within the entries themselves.
func (l *indexLoader) read(ctx context.Context, src source.Source) (*blockIndex, error) {
	var ranges []source.Range
	for _, e := range []*entry{l.offsets, l.counts} {
		if e != nil && e.value == nil {
			ranges = append(ranges, source.Range{Offset: e.offset, Length: l.blocks * int64(e.kind.size())})
		}
	}
	var parts [][]byte
	if len(ranges) > 0 {
		var err error
		if parts, err = src.ReadRanges(ctx, ranges); err != nil {
			return nil, err
		}
	}
	next := func(e *entry) column {
		if e.value != nil {
			return column{e.value, e.kind, e.order}
		}
		values := append([]byte(nil), parts[0]...) // parts share what was read between them
		parts = parts[1:]
		return column{values, e.kind, e.order}
	}
	index := &blockIndex{offsets: next(l.offsets)}
	if l.counts == nil {
		index.counts = restOfFile(index.offsets.at(0), src.Size())
		return index, nil
	}
	index.counts = next(l.counts)
	return index, nil
}

// restOfFile is the size of an only block that does not say it.
func restOfFile(offset uint64, size int64) column {
	rest := uint64(size) - min(offset, uint64(size))
	return column{binary.LittleEndian.AppendUint64(nil, rest), typeLong8, binary.LittleEndian}
}

// block is where a block lies; ok is false for one that is not stored.
func (x *blockIndex) block(i int, size int64) (r source.Range, ok bool, err error) {
	offset, count := x.offsets.at(i), x.counts.at(i)
	if offset == 0 || count == 0 {
		return source.Range{}, false, nil
	}
	if offset > uint64(size) || count > uint64(size)-offset {
		return source.Range{}, false, fmt.Errorf("%d bytes at %d of a file of %d: %w", count, offset, size, ErrCorrupt)
	}
	return source.Range{Offset: int64(offset), Length: int64(count)}, true, nil
}
