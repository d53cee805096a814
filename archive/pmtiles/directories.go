package pmtiles

import (
	"context"
	"fmt"
	"unsafe"

	"tileserver/archive/pmtiles/directory"
	"tileserver/cache"
	"tileserver/source"
)

// Directories holds leaf directories of open archives in memory, within the budget of a cache. It is safe for
// concurrent use.
type Directories struct {
	leaves *cache.Space[leafKey, leaf]
}

// NewDirectories returns Directories in c, which has one of them at most. If c is nil, directories are read
// anew each time.
func NewDirectories(c *cache.Cache) *Directories {
	return &Directories{cache.NewSpace[leafKey, leaf](c, "directories of PMTiles")}
}

// leaf is a leaf directory.
type leaf []directory.Entry

// Size returns the memory of the entries.
func (l leaf) Size() int64 { return int64(cap(l)) * int64(unsafe.Sizeof(directory.Entry{})) }

// leafKey says which leaf of which archive.
type leafKey struct {
	archive *archiveID
	directory.Section
}

// archiveID identifies an open archive in keys, which must not keep the archive open.
type archiveID struct{ _ byte }

// leavesAt returns the leaf directories in sections. Those that are missing are read in one call.
func (a *Archive) leavesAt(ctx context.Context, sections []directory.Section) ([]leaf, error) {
	keys := make([]leafKey, len(sections))
	for i, section := range sections {
		keys[i] = leafKey{a.id, section}
	}
	found, err := a.directories.leaves.Fetch(ctx, keys, a.loadLeaves)
	if err != nil {
		return nil, fmt.Errorf("leaf directories: %w", err)
	}
	return found, nil
}

func (a *Archive) loadLeaves(ctx context.Context, keys []leafKey) ([]leaf, error) {
	ranges := make([]source.Range, len(keys))
	for i, key := range keys {
		if key.Length > directory.MaxBytes {
			return nil, fmt.Errorf("%w: a directory of %d bytes", directory.ErrCorrupt, key.Length)
		}
		ranges[i] = rangeOf(a.header.Leaves, key.Section)
	}
	read, err := a.src.ReadRanges(ctx, ranges)
	if err != nil {
		return nil, err
	}
	leaves := make([]leaf, len(keys))
	for i, packed := range read {
		if leaves[i], err = a.parse(packed); err != nil {
			return nil, fmt.Errorf("at %d: %w", keys[i].Offset, err)
		}
	}
	return leaves, nil
}

// parse parses a directory as it is stored.
func (a *Archive) parse(packed []byte) (leaf, error) {
	content, err := a.header.Compression.Decompress(packed, directory.MaxBytes)
	if err != nil {
		return nil, err
	}
	return directory.Parse(content, &a.header)
}

// rangeOf returns where a part of a section lies in the file. Both were checked.
func rangeOf(section, part directory.Section) source.Range {
	return source.Range{Offset: int64(section.Offset + part.Offset), Length: int64(part.Length)}
}
