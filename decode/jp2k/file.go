// Package jp2k reads JPEG 2000 and HTJ2K, as bare codestreams and within JP2, JPH and JPX
// containers, and gives an image as a raster.Provider that decodes no more code-blocks than
// a window takes. It must never know how a code-block or a wavelet is decoded, nor anything
// of maps and HTTP.
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
	container *boxes.Container // of a bare codestream, one that says nothing
	where     source.Range     // of the codestream
	header    *codestream.Header
	about     estimates
	around    surroundings
	image     *Image
	notes     []string // of what was found when it was opened
	damage    damage
	misplaced atomic.Bool // the table of tile-parts in the main header is wrong
}

// Open reads the boxes of src and the main header of its codestream, and no more. The file
// owns src from then on; if Open fails, src stays the caller's.
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
	where := f.container.Codestream
	return f.open(r.within(source.Range{Offset: where.Offset, Length: where.Length}))
}

// OpenCodestream opens the codestream that a part of src is, such as an image segment of
// another format. The source stays the caller's, who closes it after the file.
func OpenCodestream(ctx context.Context, src source.Source, where source.Range, config Config) (*File, error) {
	f, err := newFile(src, config)
	if err != nil {
		return nil, err
	}
	if where.Offset < 0 || where.Length < 0 || where.Length > src.Size()-where.Offset {
		return nil, fmt.Errorf("jp2k: a codestream at %v of %d bytes: %w", where, src.Size(), source.ErrOutOfBounds)
	}
	f.container = new(boxes.Container)
	return f.open(newReader(ctx, src, where))
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

// open reads what there is to know before pixels are wanted.
func (f *File) open(r *reader) (_ *File, err error) {
	f.where = r.where
	if f.config.Key == "" {
		f.config.Key = keyOf(f.src, f.where)
	}
	if f.header, err = codestream.ReadHeader(r, f.config.Limits.Codestream); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	f.about = estimatesOf(f.header, f.config.Limits)
	if f.around, err = lookAround(r.ctx, f); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	if f.image, err = newImage(f); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	f.notes = slices.Concat(f.container.Notes, f.image.bands.notes, f.around.notes)
	return f, nil
}

// keyOf identifies the content of a part of a source without giving away its name.
func keyOf(src source.Source, where source.Range) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%v", src.Name(), src.Version(), where))
	return hex.EncodeToString(digest[:16])
}

// Images are the images of the file: there is one.
func (f *File) Images() []*Image { return []*Image{f.image} }

// Notes tell people what is odd about the file, and what of it was found to be damaged up
// to now.
func (f *File) Notes() []string {
	return slices.Concat(f.notes, f.damage.told())
}

// Close gives up the source, if the file owns it. No image may be used afterwards.
func (f *File) Close() error {
	if !f.ownsSrc {
		return nil
	}
	return f.src.Close()
}
