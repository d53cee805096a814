package pmtiles

import (
	"context"
	"fmt"

	"tileserver/archive"
	"tileserver/archive/pmtiles/directory"
	"tileserver/archive/pmtiles/records"
)

// complete writes all of the file but the contents. The header comes last.
func (b *body) complete(ctx context.Context, d archive.Description) error {
	if err := b.flush(); err != nil {
		return err
	}
	h := headerOf(d)
	h.Data = directory.Section{Offset: directory.StartBytes, Length: b.written}
	h.Tiles, h.Entries, h.Contents = b.tiles, uint64(b.records.Len()), b.distinct

	metadata, err := metadataOf(d)
	if err != nil {
		return err
	}
	h.Metadata = directory.Section{Offset: h.Data.End(), Length: uint64(len(metadata))}
	if _, err := b.file.WriteAt(metadata, int64(h.Metadata.Offset)); err != nil {
		return err
	}
	h.Leaves.Offset = h.Metadata.End()
	root, err := b.writeDirectories(ctx, &h, max(minLeafEntries, b.records.Len()/mostLeaves+1))
	if err != nil {
		return err
	}
	if err := b.file.Truncate(int64(h.Leaves.End())); err != nil { // a first try may have written more
		return err
	}
	h.Root = directory.Section{Offset: directory.HeaderBytes, Length: uint64(len(root))}
	_, err = b.file.WriteAt(append(h.Bytes(), root...), 0)
	return err
}

const (
	maxRootBytes   = directory.StartBytes - directory.HeaderBytes
	maxRootEntries = 8192 // more hardly fit
	minLeafEntries = 4096 // of leaves that are small enough to be read for one tile
	mostLeaves     = 2800 // that usually fit into a root directory
)

// writeDirectories writes leaf directories behind the offset in the header, if the root directory cannot have
// all entries, and sets their length in the header. It returns the root directory. Leaves have leafEntries, or
// more until the root fits.
func (b *body) writeDirectories(ctx context.Context, h *directory.Header, leafEntries int64) (root []byte, err error) {
	count := b.records.Len()
	if count <= maxRootEntries {
		l := leaves{file: b.file, header: h, size: maxRootEntries, all: true}
		if root, err = l.write(ctx, b.records); err != nil || len(root) <= maxRootBytes {
			return root, err
		}
	}
	for ; leafEntries <= directory.MaxEntries; leafEntries += leafEntries/4 + 1 {
		l := leaves{file: b.file, header: h, size: int(leafEntries)}
		if root, err = l.write(ctx, b.records); err != nil || len(root) <= maxRootBytes {
			return root, err
		}
	}
	return nil, fmt.Errorf("%d entries are too many for an archive", count)
}

// leaves divides entries among directories of one size.
type leaves struct {
	file       file
	header     *directory.Header
	size       int
	all        bool // entries are in the root directory, and there are no leaves
	compressor directory.Compressor
	root       []directory.Entry
	leaf       []directory.Entry
}

// write writes the leaves of records, and returns the root directory.
func (l *leaves) write(ctx context.Context, list *records.List) (root []byte, err error) {
	l.header.Leaves.Length = 0
	for r, err := range list.All() {
		if err != nil {
			return nil, err
		}
		if len(l.leaf) == l.size {
			if err := l.end(ctx); err != nil {
				return nil, err
			}
		}
		l.leaf = append(l.leaf, directory.Entry(r))
	}
	if l.all {
		l.root = l.leaf
	} else if err := l.end(ctx); err != nil {
		return nil, err
	}
	return l.compressor.Compress(directory.Append(nil, l.root))
}

// end writes a leaf, and makes an entry of it in the root.
func (l *leaves) end(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	content := directory.Append(nil, l.leaf)
	if len(content) > directory.MaxBytes {
		return fmt.Errorf("a directory of %d bytes is too large", len(content))
	}
	packed, err := l.compressor.Compress(content)
	if err != nil {
		return err
	}
	offset := l.header.Leaves.Length
	if _, err := l.file.WriteAt(packed, int64(l.header.Leaves.Offset+offset)); err != nil {
		return err
	}
	l.root = append(l.root, directory.Entry{Number: l.leaf[0].Number, Offset: offset, Length: uint32(len(packed))})
	l.header.Leaves.Length += uint64(len(packed))
	l.leaf = l.leaf[:0]
	return nil
}
