package pmtiles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/archive/pmtiles/directory"
	"tileserver/cache"
)

// openShards are the shards that are open, at most maxOpen. The one that was used last is the first.
type openShards struct {
	shards      Shards
	writer      *Writer
	directories *Directories
	open        []*shard
}

// maxOpen is enough for shards that take turns where they meet.
const maxOpen = 32

// mergeDirectories returns what keeps leaf directories during a merge.
func mergeDirectories() *Directories { return NewDirectories(cache.New(64 << 20)) }

// shard is a shard that is open.
type shard struct {
	number  int
	archive *Archive
	rest    []directory.Entry // of the directory that was read last
}

// shard returns a shard, and opens it if necessary.
func (o *openShards) shard(ctx context.Context, number int) (*shard, error) {
	at := slices.IndexFunc(o.open, func(s *shard) bool { return s.number == number })
	if at >= 0 {
		s := o.open[at]
		copy(o.open[1:], o.open[:at])
		o.open[0] = s
		return s, nil
	}
	if len(o.open) == maxOpen {
		last := o.open[maxOpen-1]
		o.open = o.open[:maxOpen-1]
		if err := last.archive.src.Close(); err != nil {
			return nil, err
		}
	}
	s, err := o.begin(ctx, number)
	if err != nil {
		return nil, fmt.Errorf("archive %d of %d: %w", number, o.shards.Count, err)
	}
	o.open = slices.Insert(o.open, 0, s)
	return s, nil
}

// begin opens a shard, whose tiles must be such as the result says.
func (o *openShards) begin(ctx context.Context, number int) (*shard, error) {
	src, err := o.shards.Open(ctx, number)
	if err != nil {
		return nil, err
	}
	a, err := open(ctx, src, o.directories)
	if err == nil {
		want := headerOf(o.writer.options.Description)
		if a.header.TileType != want.TileType || a.header.TileCompression != want.TileCompression {
			err = fmt.Errorf("tiles of type %d, compression %v, where type %d, compression %v are merged",
				a.header.TileType, a.header.TileCompression, want.TileType, want.TileCompression)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", src.Name(), err), src.Close())
	}
	return &shard{number: number, archive: a}, nil
}

// close closes all shards.
func (o *openShards) close() error {
	var errs []error
	for _, s := range o.open {
		errs = append(errs, s.archive.src.Close())
	}
	return errors.Join(errs...)
}

// entriesFrom returns entries of tiles in a row, from the first that does not end before a number. There are
// none behind the last tile.
func (s *shard) entriesFrom(ctx context.Context, number uint64) ([]directory.Entry, error) {
	for len(s.rest) > 0 && s.rest[0].Number < number {
		s.rest = s.rest[1:]
	}
	if len(s.rest) > 0 {
		return s.rest, nil
	}
	var err error
	s.rest, err = s.archive.entriesFrom(ctx, s.archive.root, number, 0)
	return s.rest, err
}

// entriesFrom returns entries of tiles in a row, from the first of a directory, or of the leaves that it leads
// to, that ends behind a number.
func (a *Archive) entriesFrom(ctx context.Context, within leaf, number uint64, depth int) ([]directory.Entry, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: directories lead to directories without end", directory.ErrCorrupt)
	}
	at, isThere := slices.BinarySearchFunc(within, number, func(e directory.Entry, number uint64) int {
		return cmp.Compare(e.Number, number)
	})
	if !isThere {
		at = max(at-1, 0)
	}
	for ; at < len(within); at++ {
		e := within[at]
		switch {
		case e.Run > 0 && e.End() > number:
			return tilesOf(within[at:]), nil
		case e.Run > 0:
			continue
		}
		leaves, err := a.leavesAt(ctx, []directory.Section{e.Section()})
		if err != nil {
			return nil, err
		}
		if entries, err := a.entriesFrom(ctx, leaves[0], number, depth+1); err != nil || len(entries) > 0 {
			return entries, err
		}
	}
	return nil, nil
}

// tilesOf returns the entries before the first one of a leaf.
func tilesOf(entries []directory.Entry) []directory.Entry {
	for i, e := range entries {
		if e.Run == 0 {
			return entries[:i]
		}
	}
	return entries
}
