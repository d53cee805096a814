// Package tiff reads TIFF, BigTIFF and COG files. It finds the images, their overviews and masks,
// and where their blocks lie, and provides each image as a raster.Provider. The program that opens
// datasets calls Open. A File owns its source and its side files. The package must never know how
// blocks are decompressed (decode does), nor anything of maps and HTTP.
//
// The way of a block, by file:
//
//	Opening:
//	  - structure.go has package ifd parse the directories, within the Limits of config.go. tags.go
//	    says which tags count.
//	  - directory.go turns each into a directory, with the help of grid.go and strips.go (units and
//	    blocks), index.go, and the packages pixel (samples and colors) and coding (the blocks.Layout).
//	  - slide.go tells the levels of microscope slides from their other pages.
//	  - imagegroup.go groups directories into images; sidefiles.go adds those of .ovr and .msk files.
//	    Package gdal, georeference.go and rpc.go add what is not about pixels.
//	  - resolutions.go adds the resolutions of blocks of JPEG 2000 as levels. codestreams.go divides
//	    large ones into blocks.
//	  - blockbytes.go rejects images whose blocks would need too much memory. image.go builds the
//	    Image; describe.go describes it for people.
//
//	Reading:
//	  - image.go: Blocks checks the request, plans it, and reads it in batches.
//	  - plan.go finds the units of each block. Package blockindex loads the parts of the block index
//	    that are not cached; shared.go has its cache.
//	  - read.go reserves memory for a batch, fetches its byte ranges in one call, decodes its jobs in
//	    one more, and freezes the tiles. columns.go lets blocks share the decoding of a strip; mask.go
//	    turns mask blocks into validity; lost.go records units that are damaged or missing.
//	  - codestreams.go reads blocks that are parts of codestreams instead.
//	  - sparse.go tells from the index alone whether an area is empty.
//	  - storedpicture.go returns a JPEG or WebP block as a picture without decoding it (storedwebp.go),
//	    if its mask hides nothing (storedmask.go). Package masks has the arithmetic of masks.
//
// Words: a *directory* is one of package ifd that was checked and converted. An *image group* is an
// image with its overviews and masks. A *unit* is what is stored and decoded as one: a tile, a strip,
// or some rows of an uncompressed strip. A *block* is what a caller requests: one or more units, or
// some columns of them. A *block unit* is a unit with the samples that a block needs of it.
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
	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/source"
)

// File is an open file. It is safe for concurrent use.
type File struct {
	src          source.Source
	beside       sideFiles
	config       Config
	images       []*Image
	notes        []string
	indexReaders []*blockindex.Reader // one for each source that has blocks
	shared       func() *Shared
	warned       sync.Once // about a lost block
}

// Open reads the directories of src and its side files, and no pixels. The file owns src from then
// on. If Open fails, the caller still owns src.
func Open(ctx context.Context, src source.Source, config Config) (*File, error) {
	if config.Pool == nil {
		return nil, errors.New("tiff: no pool to decode with")
	}
	f := &File{src: src, config: config.withDefaults()}
	f.beside.SideFiles = georeference.NewSideFiles(src, config.Beside)
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
	s, err := parseStructure(ctx, f.src, f.config.Limits, ifd.NewBudget(f.config.Limits.MemoryBytes))
	if err != nil {
		return err
	}
	dirs, err := readDirectories(s, f.config.Limits)
	if err != nil {
		return err
	}
	markSlidePages(s, dirs)
	all := groupDirectories(dirs)
	if err := f.readSideFiles(ctx, all[0], s); err != nil {
		return err
	}
	metadata := ifd.NewBudget(f.config.Limits.MetadataBytes)
	for i, g := range all {
		if err := s.Memory.Reserve(int64(g.full.samples.Count) * bandBytes); err != nil {
			return fmt.Errorf("image %d of %d bands: %w", i+1, g.full.samples.Count, err)
		}
		g.finish()
		if err := f.addResolutions(ctx, g); err != nil {
			return fmt.Errorf("image %d: %w", i+1, err)
		}
		g.divideCodestreams()
		g.noteSizes()
		g.checkBlocks(f.config.Limits)
		g.readMetadata(metadata)
		f.images = append(f.images, newImage(f, i, g, s))
	}
	f.notes = s.skipped.Notes()
	return nil
}

// readDirectories checks and converts the raw directories. It ignores sub-directories that are no
// images, such as a camera's EXIF data.
func readDirectories(s *structure, limits Limits) ([]*directory, error) {
	var dirs []*directory
	for i, raw := range s.Directories {
		if raw.Parent >= 0 && raw.Entry(tag.ImageWidth) == nil {
			continue
		}
		d, err := newDirectory(raw, i, s, limits)
		switch err = cmp.Or(raw.Damage, err); {
		case err == nil:
		case i == 0:
			return nil, fmt.Errorf("directory %d: %w", i+1, err)
		case isMask(raw):
			d.unsupported = err
		default:
			s.skipped.Add(fmt.Errorf("directory %d: %w", i+1, err))
			continue
		}
		dirs = append(dirs, d)
	}
	return dirs, nil
}

// keyOf returns an identity of the source's content that does not reveal its name.
func keyOf(src source.Source) string {
	digest := sha256.Sum256([]byte(src.Name() + "\x00" + src.Version()))
	return hex.EncodeToString(digest[:16])
}

// Images returns the images of full resolution in the order of the file. There is at least one.
func (f *File) Images() []*Image { return f.images }

// Notes says, for people, which directories were skipped and why.
func (f *File) Notes() []string { return f.notes }

// Close closes the source and the side files. The images must not be used afterwards.
func (f *File) Close() error { return errors.Join(f.src.Close(), f.beside.close()) }
