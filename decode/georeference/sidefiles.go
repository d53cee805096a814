package georeference

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tileserver/decode/pam"
	"tileserver/geo"
	"tileserver/source"
)

// ErrLimit marks a side file that is longer than allowed.
var ErrLimit = errors.New("over the limit")

// OpenFunc opens a file with another name in the same folder, or fails with fs.ErrNotExist.
type OpenFunc = func(ctx context.Context, name string) (source.Source, error)

// SideFiles finds and reads the side files of a file, and records those that are used. Reading is
// safe for concurrent use; Use and the methods that call it are not.
type SideFiles struct {
	name     string
	open     OpenFunc
	versions strings.Builder
	names    []string
}

// NewSideFiles returns the side files of a source. If open is nil, there are none.
func NewSideFiles(src source.Source, open OpenFunc) *SideFiles {
	return &SideFiles{name: source.Base(src.Name()), open: open}
}

// Name returns the name of the file itself within its folder.
func (b *SideFiles) Name() string { return b.name }

// Stem returns Name without its extension.
func (b *SideFiles) Stem() string { return stemOf(b.name) }

// Use records a side file as part of the dataset. Keys contain only the end of its name, after the
// stem: copies of a file may have other stems but the same key.
func (b *SideFiles) Use(name, version string) {
	b.versions.WriteString("+" + strings.TrimPrefix(name, b.Stem()) + "@" + version)
	b.names = append(b.names, name)
}

// Versions returns the versions of all side files in use, for keys. It is empty if there are none.
func (b *SideFiles) Versions() string { return b.versions.String() }

// Names returns the names of the side files in use.
func (b *SideFiles) Names() []string { return b.names }

// Open opens a side file. It returns nil if the file does not exist. The caller closes the source.
func (b *SideFiles) Open(ctx context.Context, name string) (source.Source, error) {
	if b.open == nil {
		return nil, nil
	}
	s, err := b.open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return s, err
}

// Look reads a text side file without recording it as used. The text is nil if the file does not
// exist.
func (b *SideFiles) Look(ctx context.Context, name string, maxBytes int64) (text []byte, version string, err error) {
	s, err := b.Open(ctx, name)
	if s == nil || err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Size() > maxBytes {
		return nil, "", fmt.Errorf("%d bytes: %w", s.Size(), ErrLimit)
	}
	parts, err := s.ReadRanges(ctx, []source.Range{{Length: s.Size()}})
	if err != nil {
		return nil, "", err
	}
	return parts[0], s.Version(), nil
}

// Text reads a text side file and records it as used. The text is nil if the file does not exist.
func (b *SideFiles) Text(ctx context.Context, name string, maxBytes int64) ([]byte, error) {
	text, version, err := b.Look(ctx, name, maxBytes)
	if text != nil && err == nil {
		b.Use(name, version)
	}
	return text, err
}

// ReadPAM reads NAME.aux.xml, in which GDAL and others store metadata (PAM). bands is the number of
// bands of the image. The document is nil if the file does not exist.
func (b *SideFiles) ReadPAM(ctx context.Context, bands int, maxBytes int64) (*pam.Document, error) {
	name := b.name + ".aux.xml"
	text, err := b.Text(ctx, name, maxBytes)
	if text == nil || err != nil {
		return nil, SkippedSideFile(name, err)
	}
	noted, err := pam.ParseSideFile(text, pam.DefaultLimits(bands))
	return noted, SkippedSideFile(name, err)
}

// WorldFile reads the world file, a text of six numbers. The result is nil if there is none.
func (b *SideFiles) WorldFile(ctx context.Context) (*geo.Affine, error) {
	const maxBytes = 64 << 10
	for _, name := range WorldFileNames(b.name) {
		text, err := b.Text(ctx, name, maxBytes)
		if text == nil && err == nil {
			continue
		}
		if err != nil {
			return nil, SkippedSideFile(name, err)
		}
		a, err := ParseWorldFile(string(text))
		if err != nil {
			return nil, SkippedSideFile(name, err)
		}
		return &a, nil
	}
	return nil, nil
}

// SkippedSideFile says which side file an error is about. It returns nil for nil.
func SkippedSideFile(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the side file %s is skipped: %w", name, err)
}

// Note turns the error of a side file into a note for people, since the file is served without it.
// The error is fatal if ctx has ended, or if the storage does not answer now: a file that is opened
// without its side file shows other pictures.
func Note(ctx context.Context, err error) (note string, fatal error) {
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, source.ErrStalled):
		return "", err
	}
	return err.Error(), nil
}
