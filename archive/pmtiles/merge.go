package pmtiles

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math"

	"tileserver/archive"
	"tileserver/archive/pmtiles/directory"
	"tileserver/source"
)

// Shards are archives that are merged: each tile is in one of them.
type Shards struct {
	Count int
	// Open opens the file of a shard. It is closed soon, and opened again when it is needed again.
	Open func(ctx context.Context, shard int) (source.Source, error)
}

// Merge puts the tiles of shards, in the order of their numbers. The tiles of a zoom below one tile are read
// in a row, so a shard of such tiles is opened once for each of its zooms, and once before. Of a shard that is
// closed, 16 bytes are remembered. The archive has the same bytes as one to which the tiles were put. A tile
// that is in two shards is an error, and so is one before those that were put already.
func (w *Writer) Merge(ctx context.Context, shards Shards) error {
	m := &merger{writer: w, open: openShards{shards: shards, writer: w, directories: mergeDirectories()}}
	err := m.begin(ctx)
	for err == nil && len(m.waiting) > 0 {
		err = m.advance(ctx)
	}
	if err = errors.Join(err, m.open.close()); err != nil {
		return w.fail(fmt.Errorf("pmtiles: merging: %w", err))
	}
	return nil
}

// merger merges shards.
type merger struct {
	writer  *Writer
	open    openShards
	waiting waiting
}

// begin looks where each shard begins.
func (m *merger) begin(ctx context.Context) error {
	for shard := range m.open.shards.Count {
		s, err := m.open.shard(ctx, shard)
		if err != nil {
			return err
		}
		if err := m.wait(ctx, s, 0); err != nil {
			return err
		}
	}
	return nil
}

// wait lets a shard wait until its next tile from a number on is the next of all, if it has one.
func (m *merger) wait(ctx context.Context, s *shard, number uint64) error {
	entries, err := s.entriesFrom(ctx, number)
	if err == nil && len(entries) > 0 {
		heap.Push(&m.waiting, turn{entries[0].Number, int32(s.number)})
	}
	return err
}

// advance puts the tiles of the first shard that come before those of the others.
func (m *merger) advance(ctx context.Context) error {
	now := heap.Pop(&m.waiting).(turn)
	limit := uint64(math.MaxUint64)
	if len(m.waiting) > 0 {
		limit = m.waiting[0].next
	}
	s, err := m.open.shard(ctx, int(now.shard))
	if err != nil {
		return err
	}
	next, err := m.copy(ctx, s, now.next, max(limit, now.next+1))
	if err == nil {
		err = m.wait(ctx, s, next)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.archive.src.Name(), err)
	}
	return nil
}

// copy puts the tiles of a shard from a number on and before another. It returns from where to go on.
func (m *merger) copy(ctx context.Context, s *shard, number, limit uint64) (next uint64, err error) {
	for number < limit {
		entries, err := s.entriesFrom(ctx, number)
		if err != nil || len(entries) == 0 {
			return number, err
		}
		entries = firstBatch(entries, limit)
		if len(entries) == 0 {
			return number, nil
		}
		if err := m.put(ctx, s, entries); err != nil {
			return number, err
		}
		number = entries[len(entries)-1].End()
	}
	return number, nil
}

// batchBytes is how much is read of a shard at a time, if one tile is not larger.
const batchBytes = 8 << 20

// firstBatch returns the first entries before a number, with contents that are read at once.
func firstBatch(entries []directory.Entry, limit uint64) []directory.Entry {
	total := uint64(0)
	for i, e := range entries {
		total += uint64(e.Length)
		if e.Number >= limit || i > 0 && total > batchBytes {
			return entries[:i]
		}
	}
	return entries
}

// put reads contents in one call, and puts them.
func (m *merger) put(ctx context.Context, s *shard, entries []directory.Entry) error {
	ranges := make([]source.Range, len(entries))
	for i, e := range entries {
		if e.Length > archive.MaxTileBytes {
			return fmt.Errorf("%w: a tile of %d bytes", directory.ErrCorrupt, e.Length)
		}
		ranges[i] = rangeOf(s.archive.header.Data, e.Section())
	}
	contents, err := s.archive.src.ReadRanges(ctx, ranges)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if e.Number < m.writer.body.last.End() {
			position, _ := archive.PositionOf(e.Number)
			return fmt.Errorf("%w: %v was put before", archive.ErrPutTwice, position)
		}
		if err := m.writer.put(e.Number, e.Run, contents[i]); err != nil {
			return err
		}
	}
	return nil
}

// turn is a shard that waits until its next tile is the next of all.
type turn struct {
	next  uint64
	shard int32
}

// waiting is a heap of shards by their next tiles.
type waiting []turn

func (w waiting) Len() int           { return len(w) }
func (w waiting) Less(a, b int) bool { return w[a].next < w[b].next }
func (w waiting) Swap(a, b int)      { w[a], w[b] = w[b], w[a] }
func (w *waiting) Push(added any)    { *w = append(*w, added.(turn)) }
func (w *waiting) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}
