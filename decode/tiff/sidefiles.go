package tiff

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/source"
)

// besideFile is what lies beside a file and belongs to its first image.
type besideFile struct {
	*georeference.Beside
	sources []source.Source // that blocks are read from
}

func (b *besideFile) close() error {
	var errs []error
	for _, s := range b.sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// lookBeside finds what lies beside the file. What the file has itself is not looked
// for, except that the notes of others go over its own. Where a side file cannot be
// read, the image is served without it, and its notes say so.
func (f *File) lookBeside(ctx context.Context, first *family, s *structure) error {
	if f.config.Beside == nil {
		return nil
	}
	if err := f.readNotes(ctx, first); err != nil {
		return err
	}
	name := f.beside.Name()
	for _, candidate := range []string{name + ".ovr", f.beside.Stem() + ".ovr"} {
		if len(first.levels) > 1 {
			break
		}
		if err := f.addOverviewsOf(ctx, first, candidate, s); err != nil {
			return err
		}
	}
	if !first.hasMaskOfFull() {
		if err := f.addMasksOf(ctx, first, name, s); err != nil {
			return err
		}
	}
	return f.readWorldFile(ctx, first)
}

// orNote makes a note of what is wrong with a side file, unless there is nobody left
// to read it.
func (fam *family) orNote(ctx context.Context, err error) error {
	note, err := georeference.Note(ctx, err)
	if note != "" {
		fam.notes = append(fam.notes, note)
	}
	return err
}

// readNotes reads what GDAL or others have noted of the file.
func (f *File) readNotes(ctx context.Context, first *family) (err error) {
	first.beside, err = f.beside.Noted(ctx, first.full.samples, f.config.Limits.SideBytes)
	return first.orNote(ctx, err)
}

// readWorldFile reads the world file, where nothing else says where the image lies.
func (f *File) readWorldFile(ctx context.Context, first *family) (err error) {
	if g := first.georeference(); g.HasAffine {
		return nil
	}
	first.world, err = f.beside.WorldFile(ctx)
	return first.orNote(ctx, err)
}

// pagesBeside are the pages of a side file that is a TIFF itself, which takes part in
// what the file may take.
func (f *File) pagesBeside(ctx context.Context, first *family, name string, main *structure) ([]*page, error) {
	src, err := f.beside.Open(ctx, name)
	if src == nil || err != nil {
		return nil, err
	}
	limits := f.config.Limits
	limits.MemoryBytes = main.memory.left
	s, err := parseStructure(newReadAhead(ctx, src, limits.HeaderBytes), limits)
	var pages []*page
	if err == nil {
		main.memory.left = s.memory.left
		pages, err = readPages(s, limits)
	}
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	for _, p := range pages {
		p.where = name
	}
	for _, note := range s.damage.tell() {
		first.note("%s: %s", name, note)
	}
	f.beside.sources = append(f.beside.sources, src)
	f.beside.Use(name, src.Version())
	return pages, nil
}

// addOverviewsOf takes the images of a side file for overviews, and masks of it for
// those of overviews.
func (f *File) addOverviewsOf(ctx context.Context, first *family, name string, main *structure) error {
	pages, err := f.pagesBeside(ctx, first, name, main)
	for _, p := range pages {
		if p.subfile&subfileMask != 0 {
			p.subfile |= subfileReduced
			first.candidates = append(first.candidates, p)
		} else {
			first.addOverview(p)
		}
	}
	return first.orNote(ctx, georeference.LeftOut(name, err))
}

func (fam *family) hasMaskOfFull() bool {
	for _, p := range fam.candidates {
		if p.width == fam.full.width && p.height == fam.full.height || p.width == 0 || p.height == 0 {
			return true
		}
	}
	return false
}

// addMasksOf takes the first image of NAME.msk for the mask, and the others of it, or
// those of NAME.msk.ovr, for the masks of overviews. That the mask is there and cannot
// be read is no reason to show what it hides.
func (f *File) addMasksOf(ctx context.Context, first *family, name string, main *structure) error {
	pages, err := f.pagesBeside(ctx, first, name+".msk", main)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		first.full.unsupported = fmt.Errorf("the mask in the side file %s.msk: %w", name, err)
		return nil
	}
	if len(pages) == 1 && len(first.levels) > 1 {
		more, err := f.pagesBeside(ctx, first, name+".msk.ovr", main)
		if err := first.orNote(ctx, georeference.LeftOut(name+".msk.ovr", err)); err != nil {
			return err
		}
		for _, p := range more {
			p.subfile |= subfileReduced
		}
		pages = append(pages, more...)
	}
	first.candidates = append(first.candidates, pages...)
	return nil
}
