package georeference

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"tileserver/decode/pam"
	"tileserver/geo"
	"tileserver/source"
)

// ErrLimit is what a side file gets that is longer than it may be.
var ErrLimit = errors.New("over the limit")

// OpenFunc opens what lies in the same place as a file under another name, or fails with fs.ErrNotExist.
type OpenFunc = func(ctx context.Context, name string) (source.Source, error)

// Beside is what lies beside a file, and what of it is used. Reading is safe for concurrent use, using is not.
type Beside struct {
	name     string
	open     OpenFunc
	versions strings.Builder
	names    []string
}

// NewBeside is about what lies beside a source. Where nothing can, open is nil.
func NewBeside(src source.Source, open OpenFunc) *Beside {
	return &Beside{name: path.Base(filepath.ToSlash(src.Name())), open: open}
}

// Name is that of the file itself within the place where it lies.
func (b *Beside) Name() string { return b.name }

// Stem is the name without its extension.
func (b *Beside) Stem() string { return stemOf(b.name) }

// Use makes a side file part of what the file is. Keys have no more of its name than what tells it from others: copies of
// a file may have names of their own.
func (b *Beside) Use(name, version string) {
	b.versions.WriteString("+" + strings.TrimPrefix(name, b.Stem()) + "@" + version)
	b.names = append(b.names, name)
}

// Versions is of all that is used, for keys; empty where nothing is.
func (b *Beside) Versions() string { return b.versions.String() }

// Names are those of what is used.
func (b *Beside) Names() []string { return b.names }

// Open opens a side file, if there is one; else the source is nil.
func (b *Beside) Open(ctx context.Context, name string) (source.Source, error) {
	if b.open == nil {
		return nil, nil
	}
	s, err := b.open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return s, err
}

// Look reads a side file that is text, without using it; it is nil where there is none.
func (b *Beside) Look(ctx context.Context, name string, mostBytes int64) (text []byte, version string, err error) {
	s, err := b.Open(ctx, name)
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

// Text reads a side file that is text, and uses it; it is nil where there is none.
func (b *Beside) Text(ctx context.Context, name string, mostBytes int64) ([]byte, error) {
	text, version, err := b.Look(ctx, name, mostBytes)
	if text != nil && err == nil {
		b.Use(name, version)
	}
	return text, err
}

// Noted reads what GDAL or others have noted of a file of so many bands; it is nil where there is nothing.
func (b *Beside) Noted(ctx context.Context, bands int, mostBytes int64) (*pam.Document, error) {
	name := b.name + ".aux.xml"
	text, err := b.Text(ctx, name, mostBytes)
	if text == nil || err != nil {
		return nil, LeftOut(name, err)
	}
	noted, err := pam.ParseSideFile(text, pam.DefaultLimits(bands))
	return noted, LeftOut(name, err)
}

// WorldFile reads the six numbers in a text that older software puts beside an image; it is nil where there is none.
func (b *Beside) WorldFile(ctx context.Context) (*geo.Affine, error) {
	const mostBytes = 64 << 10
	for _, name := range WorldFileNames(b.name) {
		text, err := b.Text(ctx, name, mostBytes)
		if text == nil && err == nil {
			continue
		}
		if err != nil {
			return nil, LeftOut(name, err)
		}
		a, err := ParseWorldFile(string(text))
		if err != nil {
			return nil, LeftOut(name, err)
		}
		return &a, nil
	}
	return nil, nil
}

// LeftOut says which side file an error is about.
func LeftOut(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the side file %s is skipped: %w", name, err)
}

// Note is an error of a side file as a note to people: a file is served without it, unless nobody is left to read the note.
func Note(ctx context.Context, err error) (note string, fatal error) {
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	}
	return err.Error(), nil
}
