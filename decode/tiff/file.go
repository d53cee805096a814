// Package tiff reads TIFF, BigTIFF and COG files: it finds the images, their
// overviews and masks, and where their blocks lie, and gives each image as a
// raster.Provider. It must never know how blocks are decompressed, nor anything
// of maps and HTTP.
package tiff

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"tileserver/source"
)

// File is an open file. It is safe for concurrent use.
type File struct {
	src    source.Source
	config Config
	images []*Image
}

// Open reads the directories of src, and no more. The file owns src from then
// on; if Open fails, src stays the caller's.
func Open(ctx context.Context, src source.Source, config Config) (*File, error) {
	if config.Pool == nil {
		return nil, errors.New("tiff: no pool to decode with")
	}
	f := &File{src: src, config: config.withDefaults()}
	if f.config.Key == "" {
		f.config.Key = keyOf(src)
	}
	in := newReadAhead(ctx, src, f.config.Limits.HeaderBytes)
	s, err := parseStructure(in, f.config.Limits)
	if err != nil {
		return nil, fmt.Errorf("tiff: %w", err)
	}
	pages, err := readPages(s, f.config.Limits)
	if err != nil {
		return nil, fmt.Errorf("tiff: %w", err)
	}
	for i, family := range families(pages) {
		if err := s.memory.take(int64(family.full.samples) * bandBytes); err != nil {
			return nil, fmt.Errorf("tiff: image %d of %d bands: %w", i, family.full.samples, err)
		}
		family.checkBlocks(f.config.Limits, src.Size())
		f.images = append(f.images, newImage(f, i, family, s))
	}
	return f, nil
}

// readPages makes pages of the directories. Below an image there may be those of
// no image, such as of what its camera noted.
func readPages(s *structure, limits Limits) ([]*page, error) {
	var pages []*page
	for i, d := range s.directories {
		if d.parent >= 0 && d.entries[tagImageWidth] == nil {
			continue
		}
		p, err := newPage(d, i, s, limits)
		if err != nil {
			return nil, fmt.Errorf("directory %d: %w", i, err)
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// keyOf identifies the content of a source without giving away its name.
func keyOf(src source.Source) string {
	digest := sha256.Sum256([]byte(src.Name() + "\x00" + src.Version()))
	return hex.EncodeToString(digest[:16])
}

// Images are the images of full resolution, in the order of the file; there is
// at least one.
func (f *File) Images() []*Image { return f.images }

// Close gives up the source. No image may be used afterwards.
func (f *File) Close() error { return f.src.Close() }
