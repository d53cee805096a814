package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"tileserver/archive"
)

// Archive reads an archive, which lies on a disk of the machine. It is safe for concurrent use.
type Archive struct {
	path        string
	root        *os.Root // nothing outside of the folder is read
	version     string
	description archive.Description
}

var _ archive.Reader = (*Archive)(nil)

// Open opens the archive at path.
func Open(path string) (*Archive, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	a := &Archive{path: path, root: root}
	if err := a.readDocument(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), root.Close())
	}
	return a, nil
}

// maxDocumentBytes bounds a TileJSON.
const maxDocumentBytes = 1 << 20

func (a *Archive) readDocument() error {
	info, err := a.root.Stat(documentName)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no %s", ErrCorrupt, documentName)
	}
	if err != nil {
		return err
	}
	modified := info.ModTime()
	a.version = fmt.Sprintf("%x-%x.%x", info.Size(), modified.Unix(), modified.Nanosecond())
	text, err := a.read(documentName, maxDocumentBytes)
	if err != nil {
		return err
	}
	a.description, err = parse(text)
	return err
}

// Description returns what the archive says of itself.
func (a *Archive) Description() archive.Description { return a.description }

// Version changes with the TileJSON, which is written last.
func (a *Archive) Version() string { return a.version }

// Tiles returns the contents of tiles.
func (a *Archive) Tiles(ctx context.Context, positions []archive.Position) ([][]byte, error) {
	contents := make([][]byte, len(positions))
	for i, position := range positions {
		err := ctx.Err()
		if err == nil {
			contents[i], err = a.content(position)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: tile %v: %w", a.path, position, err)
		}
	}
	return contents, nil
}

// content returns the content of a tile. Where formats are mixed, each is tried.
func (a *Archive) content(p archive.Position) ([]byte, error) {
	first, last := a.description.Format, a.description.Format
	if first == archive.Mixed {
		first, last = archive.PNG, archive.AVIF
	}
	for format := first; format <= last; format++ {
		content, err := a.read(fmt.Sprintf("%v.%s", p, format.Extension()), archive.MaxTileBytes)
		if !errors.Is(err, fs.ErrNotExist) {
			return content, err
		}
	}
	return nil, nil
}

// read reads a file of at most limit bytes. Others than regular ones, which may never answer, are not opened.
func (a *Archive) read(name string, limit int64) ([]byte, error) {
	info, err := a.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > limit {
		return nil, fmt.Errorf("%w: %s is not a file of 1 to %d bytes", ErrCorrupt, name, limit)
	}
	file, err := a.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content := make([]byte, info.Size())
	if _, err := io.ReadFull(file, content); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return content, nil
}

// Close closes the archive.
func (a *Archive) Close() error { return a.root.Close() }
