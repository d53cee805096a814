// Package folder writes and reads archives of tiles in a folder: a file for each tile, at zoom/column/row with
// the extension of its format, and a TileJSON that says what they are. Any web server can serve it.
//
// The folder has its name when it is complete. It then takes the place of an earlier archive, but of nothing
// else.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"tileserver/archive"
	"tileserver/decode"
	"tileserver/internal/unfinished"
)

// Options says what is written.
type Options struct {
	Description archive.Description
	// IsAnyGrid lets columns and rows be those of another tile matrix set than a quad tree. Description must
	// have bounds then.
	IsAnyGrid bool
}

// Writer writes an archive.
type Writer struct {
	path    string
	options Options
	lock    *os.File // the folder that is being written
	column  string   // the folder of the last tile
	covered archive.Coverage
	failed  error // of the first call that failed
}

var _ archive.Writer = (*Writer)(nil)

// ErrInTheWay means that something lies at the path of an archive that is none.
var ErrInTheWay = errors.New("what is there is not an archive of tiles, so it is not replaced")

// Create begins an archive, which is at path when it is finished. It fails with unfinished.ErrInUse if
// somebody else writes it.
func Create(path string, options Options) (*Writer, error) {
	w := &Writer{path: path, options: options}
	if err := w.begin(); err != nil {
		return nil, fmt.Errorf("folder %s: %w", path, err)
	}
	return w, nil
}

func (w *Writer) begin() error {
	if err := w.options.Description.Check(); err != nil {
		return err
	}
	if w.options.IsAnyGrid && w.options.Description.Bounds == (archive.Bounds{}) {
		return fmt.Errorf("%w: they are not known", archive.ErrBounds)
	}
	if err := checkReplaceable(w.path); err != nil {
		return err
	}
	if err := os.Mkdir(w.unfinished(), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	lock, err := take(w.unfinished())
	if err != nil {
		return err
	}
	w.lock = lock
	if err = restore(w.unfinished(), w.path); err == nil {
		err = removeAllIn(w.unfinished())
	}
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	return nil
}

func (w *Writer) unfinished() string { return w.path + unfinished.Extension }

// Put adds tiles.
func (w *Writer) Put(ctx context.Context, tiles []archive.Tile) error {
	if w.failed != nil {
		return w.failed
	}
	for _, tile := range tiles {
		err := errors.Join(ctx.Err(), w.check(tile.Position), tile.CheckContent())
		if err == nil {
			err = w.put(tile)
		}
		if err != nil {
			return w.fail(fmt.Errorf("folder %s: tile %v: %w", w.path, tile.Position, err))
		}
	}
	return nil
}

func (w *Writer) check(p archive.Position) error {
	if w.options.IsAnyGrid && p.Zoom <= archive.MaxZoom {
		return nil
	}
	return p.Check()
}

func (w *Writer) put(tile archive.Tile) error {
	format := w.options.Description.Format
	if format == archive.Mixed {
		if format = archive.FormatOf(tile.Content); format == archive.Mixed {
			return fmt.Errorf("a tile of a format that is %w", decode.ErrUnsupported)
		}
	}
	column := filepath.Join(w.unfinished(), strconv.Itoa(int(tile.Zoom)), strconv.FormatUint(uint64(tile.X), 10))
	if column != w.column {
		if err := os.MkdirAll(column, 0o777); err != nil {
			return err
		}
		w.column = column
	}
	w.covered.Add(tile.Position)
	err := writeNew(filepath.Join(column, fmt.Sprintf("%d.%s", tile.Y, format.Extension())), tile.Content)
	if errors.Is(err, fs.ErrExist) {
		return archive.ErrPutTwice
	}
	return err
}

// fail keeps the first error, since nothing may be finished after one.
func (w *Writer) fail(err error) error {
	if w.failed == nil {
		w.failed = err
	}
	return err
}

// Finish completes the archive. If an earlier one is there, the path leads nowhere for a moment.
func (w *Writer) Finish(ctx context.Context) error {
	if w.failed != nil {
		return w.failed
	}
	err := ctx.Err()
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		return w.fail(fmt.Errorf("folder %s: %w", w.path, err))
	}
	w.failed = errOver
	return nil
}

func (w *Writer) finish() error {
	document, err := documentOf(w.covered.Complete(w.options.Description))
	if err != nil {
		return err
	}
	if err := writeNew(filepath.Join(w.unfinished(), documentName), document); err != nil {
		return err
	}
	if err := syncAll(w.lock); err != nil {
		return err
	}
	_ = closeBeforeRenaming(w.lock)
	if err := replace(w.path, w.unfinished()); err != nil {
		return err
	}
	_ = w.lock.Close()
	return nil
}

// Discard removes what was written, unless it was finished.
func (w *Writer) Discard() error {
	if errors.Is(w.failed, errOver) {
		return nil
	}
	w.failed = errOver
	err := os.RemoveAll(w.unfinished())
	_ = w.lock.Close()
	return err
}

var errOver = errors.New("folder: the archive was finished or discarded")
