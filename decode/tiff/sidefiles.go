package tiff

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/decode/tiff/tag"
	"tileserver/source"
)

// sideFiles holds the side files of a file. They belong to its first image.
type sideFiles struct {
	*georeference.SideFiles
	sources []source.Source // side files that have blocks
}

func (b *sideFiles) close() error {
	var errs []error
	for _, s := range b.sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// readSideFiles reads the side files. It does not look for what the file has itself, except for
// NAME.aux.xml, which overrides the file. If a side file cannot be read, the image is served
// without it, and a note says so.
func (f *File) readSideFiles(ctx context.Context, first *imageGroup, s *structure) error {
	if f.config.Beside == nil {
		return nil
	}
	if err := f.readPAM(ctx, first); err != nil {
		return err
	}
	name := f.beside.Name()
	for _, candidate := range []string{name + ".ovr", f.beside.Stem() + ".ovr"} {
		if len(first.levels) > 1 {
			break
		}
		if err := f.addSideOverviews(ctx, first, candidate, s); err != nil {
			return err
		}
	}
	if !first.hasFullMask() {
		if err := f.addSideMasks(ctx, first, name, s); err != nil {
			return err
		}
	}
	return f.readWorldFile(ctx, first)
}

// noteUnlessCanceled turns the error of a side file into a note, unless the request was canceled.
func (g *imageGroup) noteUnlessCanceled(ctx context.Context, err error) error {
	note, err := georeference.Note(ctx, err)
	if note != "" {
		g.notes = append(g.notes, note)
	}
	return err
}

// readPAM reads NAME.aux.xml, the metadata that GDAL stores beside a file.
func (f *File) readPAM(ctx context.Context, first *imageGroup) (err error) {
	first.Beside, err = f.beside.ReadPAM(ctx, first.full.samples.Count, f.config.Limits.SideBytes)
	return first.noteUnlessCanceled(ctx, err)
}

// readWorldFile reads the world file if nothing else says where the image lies.
func (f *File) readWorldFile(ctx context.Context, first *imageGroup) (err error) {
	if g := first.georeference(); g.HasAffine {
		return nil
	}
	first.world, err = f.beside.WorldFile(ctx)
	return first.noteUnlessCanceled(ctx, err)
}

// sideDirectories reads the directories of a side file that is a TIFF. Their memory counts against
// the budget of the main file.
func (f *File) sideDirectories(ctx context.Context, first *imageGroup, name string, main *structure) ([]*directory, error) {
	src, err := f.beside.Open(ctx, name)
	if src == nil || err != nil {
		return nil, err
	}
	limits := f.config.Limits
	memory := *main.Memory
	s, err := parseStructure(ctx, src, limits, &memory)
	var dirs []*directory
	if err == nil {
		dirs, err = readDirectories(s, limits)
		*main.Memory = memory
	}
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	for _, d := range dirs {
		d.stored.sideFile = name
	}
	for _, note := range s.skipped.Notes() {
		first.note("%s: %s", name, note)
	}
	f.beside.sources = append(f.beside.sources, src)
	f.beside.Use(name, src.Version())
	return dirs, nil
}

// addSideOverviews adds the images of a side file as overviews, and its masks as masks of
// overviews.
func (f *File) addSideOverviews(ctx context.Context, first *imageGroup, name string, main *structure) error {
	dirs, err := f.sideDirectories(ctx, first, name, main)
	for _, d := range dirs {
		if d.subfile&tag.Mask != 0 {
			d.subfile |= tag.Reduced
			first.maskCandidates = append(first.maskCandidates, d)
		} else {
			first.addOverview(d)
		}
	}
	return first.noteUnlessCanceled(ctx, georeference.SkippedSideFile(name, err))
}

func (g *imageGroup) hasFullMask() bool {
	for _, d := range g.maskCandidates {
		if d.width == g.full.width && d.height == g.full.height || d.width == 0 || d.height == 0 {
			return true
		}
	}
	return false
}

// addSideMasks adds the first image of NAME.msk as the mask of the image. The masks of overviews
// are its other images or, if it has none, those of NAME.msk.ovr. If NAME.msk exists but cannot be
// read, the image is unsupported: it must not show what the mask hides.
func (f *File) addSideMasks(ctx context.Context, first *imageGroup, name string, main *structure) error {
	dirs, err := f.sideDirectories(ctx, first, name+".msk", main)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		first.full.unsupported = fmt.Errorf("the mask in the side file %s.msk: %w", name, err)
		return nil
	}
	if len(dirs) == 1 && len(first.levels) > 1 {
		more, err := f.sideDirectories(ctx, first, name+".msk.ovr", main)
		if err := first.noteUnlessCanceled(ctx, georeference.SkippedSideFile(name+".msk.ovr", err)); err != nil {
			return err
		}
		for _, d := range more {
			d.subfile |= tag.Reduced
		}
		dirs = append(dirs, more...)
	}
	first.maskCandidates = append(first.maskCandidates, dirs...)
	return nil
}
