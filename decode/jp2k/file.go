package jp2k

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"tileserver/cache"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/source"
)

// File is an open file. It is safe for concurrent use.
type File struct {
	src       source.Source
	ownsSrc   bool
	config    Config
	shared    *Shared
	container *boxes.Container // empty for a bare codestream
	extent    source.Range     // range of the codestream in src
	header    *codestream.Header
	estimates estimates
	sideData  sideData
	image     *Image
	notes     []string // notes of Open
	damage    damage
	misplaced atomic.Bool // the table of tile-parts in the main header is wrong
}

// Open reads the boxes of src and the main header of its codestream. The file then owns src; if
// Open fails, the caller still owns it.
func Open(ctx context.Context, src source.Source, config Config) (*File, error) {
	f, err := newFile(src, config)
	if err != nil {
		return nil, err
	}
	r := newReader(ctx, src, source.Range{Length: src.Size()})
	if f.container, err = boxes.Read(r, f.config.Limits.Boxes); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	f.ownsSrc = true
	extent := f.container.Codestream
	return f.open(r.section(source.Range{Offset: extent.Offset, Length: extent.Length}))
}

// OpenCodestream opens a codestream in a range of src, such as an image segment of another format.
// The caller keeps ownership of src and closes it after the file.
func OpenCodestream(ctx context.Context, src source.Source, extent source.Range, config Config) (*File, error) {
	f, err := newFile(src, config)
	if err != nil {
		return nil, err
	}
	if extent.Offset < 0 || extent.Length < 0 || extent.Length > src.Size()-extent.Offset {
		return nil, fmt.Errorf("jp2k: a codestream at %v of %d bytes: %w", extent, src.Size(), source.ErrOutOfBounds)
	}
	f.container = new(boxes.Container)
	return f.open(newReader(ctx, src, extent))
}

func newFile(src source.Source, config Config) (*File, error) {
	if config.Pool == nil {
		return nil, errors.New("jp2k: no pool to decode with")
	}
	f := &File{src: src, config: config.withDefaults(), shared: config.Shared}
	f.damage.warn = f.config.Warn
	if f.shared == nil {
		f.shared = NewShared(cache.New(ownBytes), ownIndexBytes)
	}
	return f, nil
}

// open reads what must be known before pixels are requested.
func (f *File) open(r *reader) (_ *File, err error) {
	f.extent = r.extent
	if f.config.Key == "" {
		f.config.Key = keyOf(f.src, f.extent)
	}
	if f.header, err = codestream.ReadHeader(r, f.config.Limits.Codestream); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	f.estimates = estimatesOf(f.header, f.config.Limits)
	if f.sideData, err = readSideData(r.ctx, f); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	if f.image, err = newImage(f); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	f.notes = slices.Concat(f.container.Notes, f.image.bands.notes, f.sideData.notes)
	return f, nil
}

// keyOf identifies the content of a range of a source without revealing its name.
func keyOf(src source.Source, extent source.Range) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%v", src.Name(), src.Version(), extent))
	return hex.EncodeToString(digest[:16])
}

// Images returns the images of the file. There is one.
func (f *File) Images() []*Image { return []*Image{f.image} }

// Notes returns notes about the file for the operator, including the damage found so far.
func (f *File) Notes() []string {
	return slices.Concat(f.notes, f.damage.reported())
}

// Close closes the source if the file owns it. The images must not be used afterwards.
func (f *File) Close() error {
	if !f.ownsSrc {
		return nil
	}
	return f.src.Close()
}
