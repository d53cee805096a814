// Package nitf reads NITF 2.0, NITF 2.1 and NSIF 1.0, with what is made of them: CADRG, CIB, ECRG,
// SICD and SIDD. It presents each image segment as a raster.Provider. The opener of files calls it.
// A File owns its source. The package must never know how a compression works, nor anything of maps
// and HTTP.
//
// The way of a block, by file:
//
//	Opening:
//	  - file.go has package segments read all headers. image.go makes an image of each image segment:
//	    one of blocks, or one of a codestream of JPEG 2000 (codestream.go, blockmask.go).
//	  - samples.go says of which type samples are, grid.go how the image is divided into blocks,
//	    coding.go how blocks are stored, index.go where, colors.go what bands mean. streams.go and
//	    strips.go find what no table lists: JPEG streams, and rows of one. They read on as sequence.go
//	    does. codebook.go and reduced.go have the compressions that only this format has.
//	  - georeference.go finds the place on earth, with package place; rpc.go the camera model. facts.go
//	    describes all for people. radar.go reads XML.
//	  - together.go and pairs.go make one image of several, or of two bands, with package combine.
//
//	Reading:
//	  - blocks.go plans a request: it divides blocks into pieces, and requests into batches.
//	  - raw.go says which bytes of a stored block hold a piece.
//	  - read.go fetches the bytes of a batch in one call and decodes them in one more. lost.go
//	    records what is damaged or missing.
//
// Words, beside those of package segments: a *stored block* is a block of the standard. A *block* is
// one of the provider, which is a stored block or a part of it. A *piece* is what one job decodes: a
// rectangle of one stored block, in one band or in all. An *entry* is a number in the index. A *strip*
// is rows of one JPEG stream that can be decoded alone, which package codec/jpeg calls a part. A *part*
// is an image segment that tiles a picture with others.
package nitf

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tileserver/decode"
	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/decode/nitf/segments"
	"tileserver/decode/pam"
	"tileserver/source"
)

// File is an open file. It is safe for concurrent use.
type File struct {
	src        source.Source
	config     Config
	structure  *segments.File
	beside     *georeference.SideFiles
	noted      *pam.Document // from NAME.aux.xml, or nil; it is about the first image
	images     []container.Image
	reductions []*File        // the files of its R-set
	roots      map[int]string // root elements of data extensions that are XML, by their number
	notes      []string
	warned     sync.Once // about a lost block
}

// Open reads the headers of src, and no pixels. The file owns src from then on. If Open fails, the
// caller still owns src.
func Open(ctx context.Context, src source.Source, config Config) (*File, error) {
	if config.Pool == nil {
		return nil, errors.New("nitf: no pool to decode with")
	}
	f := &File{src: src, config: config.withDefaults(), beside: georeference.NewSideFiles(src, config.Beside)}
	if err := f.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("nitf: %w", err), f.closeReductions())
	}
	return f, nil
}

func (f *File) open(ctx context.Context) (err error) {
	if f.structure, err = segments.Read(&reader{ctx: ctx, src: f.src}, f.config.Limits); err != nil {
		return err
	}
	f.notes = slices.Clone(f.structure.Notes)
	images := f.structure.Images
	if len(images) == 0 {
		return f.noImages()
	}
	if !slices.ContainsFunc(images, func(m segments.Image) bool { return m.Damage == nil }) {
		return fmt.Errorf("image segment 1 of %d: %w", len(images), images[0].Damage)
	}
	if err := f.readPAM(ctx); err != nil {
		return err
	}
	if err := f.readRoots(ctx); err != nil {
		return err
	}
	for i := range images {
		m, err := f.newImage(ctx, i)
		if err != nil {
			return fmt.Errorf("image segment %d: %w", i+1, err)
		}
		f.images = append(f.images, m)
	}
	f.compose()
	f.images[0], err = f.openReduced(ctx, f.images[0])
	return err
}

// readPAM reads the metadata of GDAL beside the file. If it cannot be read, that is noted.
func (f *File) readPAM(ctx context.Context) (err error) {
	const maxBytes = 8 << 20
	f.noted, err = f.beside.ReadPAM(ctx, len(f.structure.Images[0].Bands), maxBytes)
	note, fatal := georeference.Note(ctx, err)
	if note != "" {
		f.notes = append(f.notes, note)
	}
	return fatal
}

// noImages says what a file has instead of images.
func (f *File) noImages() error {
	s := f.structure
	text := fmt.Sprintf("a %s file without images; it has", s.Version)
	separator := " "
	for _, other := range []struct {
		count int
		name  string
	}{{len(s.Graphics), "graphic"}, {len(s.Labels), "label"}, {len(s.Texts), "text"}, {len(s.Data), "data extension"}} {
		if other.count > 0 {
			text += separator + container.Counted(other.count, other.name)
			separator = ", "
		}
	}
	if separator == " " {
		text += " only a header"
	}
	if len(f.notes) > 0 {
		text += " (" + f.notes[len(f.notes)-1] + ")"
	}
	return fmt.Errorf("%s: %w", text, decode.ErrUnsupported)
}

// Images returns the images in the order of the file. There is at least one.
func (f *File) Images() []container.Image { return f.images }

// Notes says, for people, what contradicts itself in the headers.
func (f *File) Notes() []string { return f.notes }

// Close closes the source, and those of the R-set. The images must not be used afterwards.
func (f *File) Close() error { return errors.Join(f.src.Close(), f.closeReductions()) }

func (f *File) closeReductions() (err error) {
	for _, r := range f.reductions {
		err = errors.Join(err, r.Close())
	}
	return err
}
