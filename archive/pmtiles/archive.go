package pmtiles

import (
	"context"
	"fmt"
	"slices"

	"tileserver/archive"
	"tileserver/archive/pmtiles/directory"
	"tileserver/source"
)

// Archive reads an archive. It is safe for concurrent use.
type Archive struct {
	src         source.Source
	header      directory.Header
	root        leaf
	description archive.Description
	directories *Directories
	id          *archiveID
}

var _ archive.Reader = (*Archive)(nil)

// Open opens the archive in src, which the caller closes after it. It reads the header and the root directory
// in one call, and the metadata in another one. Leaf directories will be kept in directories.
func Open(ctx context.Context, src source.Source, directories *Directories) (*Archive, error) {
	a, err := open(ctx, src, directories)
	if err == nil {
		err = a.readMetadata(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name(), err)
	}
	return a, nil
}

// open opens an archive without its metadata.
func open(ctx context.Context, src source.Source, directories *Directories) (*Archive, error) {
	a := &Archive{src: src, directories: directories, id: new(archiveID)}
	start, err := a.read(ctx, source.Range{Length: min(directory.StartBytes, src.Size())})
	if err != nil {
		return nil, err
	}
	if a.header, err = directory.ParseHeader(start, uint64(src.Size())); err != nil {
		return nil, err
	}
	a.description = descriptionOf(a.header)
	root := a.header.Root
	if a.root, err = a.parse(start[root.Offset:root.End()]); err != nil {
		return nil, fmt.Errorf("root directory: %w", err)
	}
	return a, nil
}

func (a *Archive) read(ctx context.Context, r source.Range) ([]byte, error) {
	parts, err := a.src.ReadRanges(ctx, []source.Range{r})
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

func (a *Archive) readMetadata(ctx context.Context) error {
	where := a.header.Metadata
	if where.Length == 0 {
		return nil
	}
	if where.Length > maxMetadataBytes {
		return fmt.Errorf("%w: %d bytes of metadata", directory.ErrCorrupt, where.Length)
	}
	packed, err := a.read(ctx, source.Range{Offset: int64(where.Offset), Length: int64(where.Length)})
	if err != nil {
		return err
	}
	text, err := a.header.Compression.Decompress(packed, maxMetadataBytes)
	if err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	a.description, err = describe(a.description, text)
	return err
}

// Description returns what the archive says of itself.
func (a *Archive) Description() archive.Description { return a.description }

// Version returns the version of the file.
func (a *Archive) Version() string { return a.src.Version() }

// Tiles returns the contents of tiles. It reads the leaf directories that it lacks in one call, and then all
// tiles in another one.
func (a *Archive) Tiles(ctx context.Context, positions []archive.Position) ([][]byte, error) {
	contents, err := a.tiles(ctx, positions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.src.Name(), err)
	}
	return contents, nil
}

func (a *Archive) tiles(ctx context.Context, positions []archive.Position) ([][]byte, error) {
	entries, err := a.entriesOf(ctx, positions)
	if err != nil {
		return nil, err
	}
	var found []int // indexes of tiles that there are
	var ranges []source.Range
	for i, e := range entries {
		if e.Length > archive.MaxTileBytes {
			return nil, fmt.Errorf("%w: tile %v has %d bytes", directory.ErrCorrupt, positions[i], e.Length)
		}
		if e.Run > 0 {
			found, ranges = append(found, i), append(ranges, rangeOf(a.header.Data, e.Section()))
		}
	}
	read, err := a.src.ReadRanges(ctx, ranges)
	if err != nil {
		return nil, err
	}
	contents := make([][]byte, len(positions))
	for i, at := range found {
		if contents[at], err = a.unpack(read[i]); err != nil {
			return nil, fmt.Errorf("tile %v: %w", positions[at], err)
		}
	}
	return contents, nil
}

// unpack returns the file of a tile. Vector tiles remain as they are stored.
func (a *Archive) unpack(content []byte) ([]byte, error) {
	compression := a.header.TileCompression
	if a.description.Format == archive.Vector || compression == directory.Unknown {
		return content, nil
	}
	return compression.Decompress(content, archive.MaxTileBytes)
}

// maxDepth is how many leaf directories may lead to a tile, one to the next. More are probably a loop.
const maxDepth = 3

// search is a tile that is searched for.
type search struct {
	number uint64
	at     int // its index
	within leaf
}

// entriesOf returns the entries of tiles. The entry of a tile that is missing has no run.
func (a *Archive) entriesOf(ctx context.Context, positions []archive.Position) ([]directory.Entry, error) {
	entries := make([]directory.Entry, len(positions))
	var searches []search
	for i, position := range positions {
		if position.Check() == nil { // others are in no archive
			searches = append(searches, search{position.Number(), i, a.root})
		}
	}
	for depth := 0; len(searches) > 0; depth++ {
		if depth > maxDepth {
			return nil, fmt.Errorf("%w: directories lead to directories without end", directory.ErrCorrupt)
		}
		deeper, err := a.descend(ctx, searches, entries)
		if err != nil {
			return nil, err
		}
		searches = deeper
	}
	return entries, nil
}

// descend sets the entries of the tiles that their directories have, and returns those that leaves may have.
func (a *Archive) descend(ctx context.Context, searches []search, entries []directory.Entry) (deeper []search, err error) {
	var sections []directory.Section
	for _, s := range searches {
		switch e, isThere := directory.Find(s.within, s.number); {
		case !isThere:
		case e.Run > 0:
			entries[s.at] = e
		default:
			sections, deeper = append(sections, e.Section()), append(deeper, s)
		}
	}
	if len(deeper) == 0 {
		return nil, nil
	}
	leaves, err := a.leavesAt(ctx, slices.Clip(sections))
	for i := range leaves {
		deeper[i].within = leaves[i]
	}
	return deeper, err
}
