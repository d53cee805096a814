package tiff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"tileserver/decode/pam"
	"tileserver/source"
)

// besideFile is what lies beside a file and belongs to its first image.
type besideFile struct {
	sources  []source.Source // that blocks are read from
	versions string          // of all that is used, those without blocks too
	names    []string        // of the same
}

func (b *besideFile) close() error {
	var errs []error
	for _, s := range b.sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// use makes a side file part of what the file is. Keys have no more of its name than
// what tells it from others: copies of a file may have names of their own.
func (f *File) use(name, version string) {
	f.beside.versions += "+" + strings.TrimPrefix(name, stemOf(baseName(f.src))) + "@" + version
	f.beside.names = append(f.beside.names, name)
}

// stemOf is a name without its extension.
func stemOf(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// lookBeside finds what lies beside the file. What the file has itself is not looked
// for, except that the notes of others go over its own. Where a side file cannot be
// read, the image is served without it, and its notes say so.
func (f *File) lookBeside(ctx context.Context, first *family, s *structure) error {
	if f.config.Beside == nil {
		return nil
	}
	name := baseName(f.src)
	if err := f.readPAM(ctx, first, name+".aux.xml"); err != nil {
		return err
	}
	for _, candidate := range []string{name + ".ovr", stemOf(name) + ".ovr"} {
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
	return f.readWorldFile(ctx, first, name)
}

// baseName is the name of a source within the place where it lies.
func baseName(src source.Source) string { return path.Base(filepath.ToSlash(src.Name())) }

// openBeside opens a side file, if there is one; else the source is nil.
func (f *File) openBeside(ctx context.Context, name string) (source.Source, error) {
	s, err := f.config.Beside(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return s, err
}

// textBeside reads a side file that is text; it is nil where there is none.
func (f *File) textBeside(ctx context.Context, name string, mostBytes int64) (text []byte, version string, err error) {
	s, err := f.openBeside(ctx, name)
	if s == nil || err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Size() > mostBytes {
		return nil, "", fmt.Errorf("%d bytes: %w", s.Size(), ErrLimit)
	}
	parts, err := s.ReadRanges(ctx, []source.Range{{Length: s.Size()}})
	if err != nil {
		return nil, "", err
	}
	return parts[0], s.Version(), nil
}

// readText reads a side file that is text and makes it part of what the file is.
func (f *File) readText(ctx context.Context, name string, mostBytes int64) ([]byte, error) {
	text, version, err := f.textBeside(ctx, name, mostBytes)
	if text != nil && err == nil {
		f.use(name, version)
	}
	return text, err
}

// orNote makes a note of what is wrong with a side file, unless there is nobody left
// to read it.
func (fam *family) orNote(ctx context.Context, name string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	fam.note("the side file %s is left out: %v", name, err)
	return nil
}

// readPAM reads what GDAL or others have noted of the file.
func (f *File) readPAM(ctx context.Context, first *family, name string) error {
	text, err := f.readText(ctx, name, f.config.Limits.SideBytes)
	if text != nil && err == nil {
		first.beside, err = pam.ParseSideFile(text, pam.DefaultLimits(first.full.samples))
	}
	return first.orNote(ctx, name, err)
}

// pagesBeside are the pages of a side file that is a TIFF itself, which takes part in
// what the file may take.
func (f *File) pagesBeside(ctx context.Context, first *family, name string, main *structure) ([]*page, error) {
	src, err := f.openBeside(ctx, name)
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
	f.use(name, src.Version())
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
	return first.orNote(ctx, name, err)
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
		if err := first.orNote(ctx, name+".msk.ovr", err); err != nil {
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
