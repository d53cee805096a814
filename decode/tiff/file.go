// Package tiff reads TIFF, BigTIFF and COG files: it finds the images, their
// overviews and masks, and where their blocks lie, and gives each image as a
// raster.Provider. It must never know how blocks are decompressed, nor anything
// of maps and HTTP.
package tiff

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"tileserver/decode/georeference"
	"tileserver/source"
)

// File is an open file. It is safe for concurrent use.
type File struct {
	src    source.Source
	beside besideFile
	config Config
	images []*Image
	notes  []string
	pieces []*pieces // of block indexes, one for each source that blocks are in
	shared func() *Shared
	warned sync.Once // of a lost block
}

// Open reads the directories of src and what lies beside it, and no more. The file
// owns src from then on; if Open fails, src stays the caller's.
func Open(ctx context.Context, src source.Source, config Config) (*File, error) {
	if config.Pool == nil {
		return nil, errors.New("tiff: no pool to decode with")
	}
	f := &File{src: src, config: config.withDefaults()}
	f.beside.Beside = georeference.NewBeside(src, config.Beside)
	f.shared = f.config.shared()
	if f.config.Key == "" {
		f.config.Key = keyOf(src)
	}
	if err := f.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("tiff: %w", err), f.beside.close())
	}
	return f, nil
}

func (f *File) open(ctx context.Context) error {
	s, err := parseStructure(newReadAhead(ctx, f.src, f.config.Limits.HeaderBytes), f.config.Limits)
	if err != nil {
		return err
	}
	pages, err := readPages(s, f.config.Limits)
	if err != nil {
		return err
	}
	all := families(pages)
	if err := f.lookBeside(ctx, all[0], s); err != nil {
		return err
	}
	metadata := &allowance{f.config.Limits.MetadataBytes}
	for i, family := range all {
		if err := s.memory.take(int64(family.full.samples) * bandBytes); err != nil {
			return fmt.Errorf("image %d of %d bands: %w", i+1, family.full.samples, err)
		}
		family.settle()
		family.checkBlocks(f.config.Limits)
		family.readMetadata(metadata)
		f.images = append(f.images, newImage(f, i, family, s))
	}
	f.notes = s.damage.tell()
	return nil
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
		switch err = cmp.Or(d.damaged, err); {
		case err == nil:
		case i == 0:
			return nil, fmt.Errorf("directory %d: %w", i+1, err)
		case d.isMask():
			p.unsupported = err
		default:
			s.damage.add(fmt.Errorf("directory %d: %w", i+1, err))
			continue
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

// Notes tell people what of the file is left out, and why.
func (f *File) Notes() []string { return f.notes }

// Close gives up the source, and what lies beside it. No image may be used
// afterwards.
func (f *File) Close() error { return errors.Join(f.src.Close(), f.beside.close()) }
