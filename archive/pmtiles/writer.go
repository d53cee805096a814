// Package pmtiles writes, reads and merges archives of tiles in one file, from which clients on the web read
// ranges: PMTiles, version 3.
//
// A file begins with its header and root directory, in 16 KiB. The contents of tiles follow, each once, in the
// order of their tiles, and then the metadata and the leaf directories. So tiles that come in their order go
// into the file at once. The same tiles give the same bytes, in whatever order they come.
package pmtiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tileserver/archive"
	"tileserver/internal/unfinished"
)

// Options says what is written and where it may lie meanwhile.
type Options struct {
	Description archive.Description
	// MemoryBytes bounds what is remembered of tiles and contents in memory: 24 bytes a tile, fewer where
	// neighbors are equal, and 35 to 80 bytes a content. Beyond it that lies on disk. To sort tiles takes
	// up to 48 MiB more. Default: 64 MiB.
	MemoryBytes int64
	// ScratchFolder is for what lies on disk meanwhile. Default: that of the archive.
	ScratchFolder string
}

const defaultMemoryBytes = 64 << 20

// Writer writes an archive.
type Writer struct {
	path    string
	options Options
	create  func(path string) (file, error)
	body    *body
	covered archive.Coverage
	failed  error // of the first call that failed
}

var _ archive.Writer = (*Writer)(nil)

// file is a file that is unfinished.
type file interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Finish(path string) error
	Discard() error
}

// sortedSuffix follows the path of an archive in the name of a second file, to which the tiles of the first
// are copied if they did not come in their order.
const sortedSuffix = ".sorted"

// Create begins an archive, which is at path when it is finished. It fails with unfinished.ErrInUse if
// somebody else writes it.
func Create(path string, options Options) (*Writer, error) {
	w, err := create(path, options, func(path string) (file, error) { return unfinished.Create(path) })
	if err != nil {
		return nil, fmt.Errorf("pmtiles: %w", err)
	}
	// Another process that wrote the same archive may have died with a second file.
	if err := os.Remove(path + sortedSuffix + unfinished.Extension); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("pmtiles: %w", errors.Join(err, w.Discard()))
	}
	return w, nil
}

func create(path string, options Options, createFile func(path string) (file, error)) (*Writer, error) {
	if err := options.Description.Check(); err != nil {
		return nil, err
	}
	if options.MemoryBytes == 0 {
		options.MemoryBytes = defaultMemoryBytes
	}
	if options.ScratchFolder == "" {
		options.ScratchFolder = filepath.Dir(path)
	}
	w := &Writer{path: path, options: options, create: createFile}
	begun, err := createFile(path)
	if err != nil {
		return nil, err
	}
	w.body = newBody(begun, options)
	return w, nil
}

// Put adds tiles. Tiles in the order of their numbers are written once. If one is out of order, all of them are
// copied in the end. A position that was put twice is found then.
func (w *Writer) Put(ctx context.Context, tiles []archive.Tile) error {
	for _, tile := range tiles {
		err := ctx.Err()
		if err == nil {
			err = errors.Join(tile.Check(), tile.CheckContent())
		}
		if err == nil {
			err = w.put(tile.Number(), 1, tile.Content)
		}
		if err != nil {
			return w.fail(fmt.Errorf("pmtiles: tile %v: %w", tile.Position, err))
		}
	}
	return w.failed
}

// put adds tiles with numbers in a row and the same content.
func (w *Writer) put(number uint64, run uint32, content []byte) error {
	if w.failed != nil {
		return w.failed
	}
	if err := w.covered.AddRun(number, uint64(run)); err != nil {
		return err
	}
	return w.body.put(number, run, content)
}

// fail keeps the first error, since nothing may be finished after one.
func (w *Writer) fail(err error) error {
	if w.failed == nil {
		w.failed = err
	}
	return err
}

// Finish completes the archive.
func (w *Writer) Finish(ctx context.Context) error {
	if w.failed != nil {
		return w.failed
	}
	if err := w.finish(ctx); err != nil {
		return w.fail(fmt.Errorf("pmtiles: %w", err))
	}
	return nil
}

func (w *Writer) finish(ctx context.Context) error {
	if !w.body.isOrdered {
		if err := w.sort(ctx); err != nil {
			return err
		}
	}
	if err := w.body.complete(ctx, w.covered.Complete(w.options.Description)); err != nil {
		return err
	}
	if err := w.body.file.Finish(w.path); err != nil {
		return err
	}
	w.failed = errOver
	return w.body.forget()
}

// sort copies the tiles in their order to a second file, and discards the first.
func (w *Writer) sort(ctx context.Context) error {
	second, err := w.create(w.path + sortedSuffix)
	if err != nil {
		return err
	}
	sorted := newBody(second, w.options)
	if err := w.body.copySorted(ctx, sorted); err != nil {
		return errors.Join(err, sorted.discard())
	}
	first := w.body
	w.body = sorted
	return first.discard()
}

// Discard removes what was written, unless it was finished.
func (w *Writer) Discard() error {
	w.fail(errOver)
	return w.body.discard()
}

var errOver = errors.New("pmtiles: the archive was finished or discarded")
