// Package mbtiles writes and reads archives of tiles in a database of SQLite: MBTiles, version 1.3.
//
// Equal tiles are stored once: table map has the tiles, table images their contents, and the view tiles shows
// both as the specification has it. The same tiles in the same order give the same bytes.
package mbtiles

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"tileserver/archive"
	"tileserver/archive/contents"
	"tileserver/internal/unfinished"
)

// Options says what is written, and how much is remembered meanwhile.
type Options struct {
	Description archive.Description
	// MemoryBytes bounds what is remembered of contents in memory: 35 to 80 bytes each. Beyond it that lies on
	// disk, beside the archive. Default: 32 MiB. The database has 16 MiB beside it.
	MemoryBytes int64
}

const defaultMemoryBytes = 32 << 20

// Writer writes an archive.
type Writer struct {
	path     string
	about    archive.Description
	file     *unfinished.File
	database *sql.DB
	single   *sql.Conn // in a transaction, from begin to end
	tile     *sql.Stmt
	image    *sql.Stmt
	contents *contents.Table // the numbers of images
	images   uint64
	covered  archive.Coverage
	failed   error // of the first call that failed
}

var _ archive.Writer = (*Writer)(nil)

// A database that nobody reads, and that is thrown away if anything fails, needs neither a journal nor locks.
var whileWriting = []string{"journal_mode(off)", "synchronous(off)", "cache_size(-16384)"}

const schema = `
PRAGMA application_id = 0x4d504258;
BEGIN;
CREATE TABLE metadata (name TEXT, value TEXT);
CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id INTEGER);
CREATE TABLE images (tile_id INTEGER PRIMARY KEY, tile_data BLOB);
CREATE VIEW tiles AS
  SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row, images.tile_data AS tile_data
  FROM map JOIN images ON images.tile_id = map.tile_id;`

// The index comes last: to insert into it would take many times as long.
const indexes = `
CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
CREATE UNIQUE INDEX metadata_index ON metadata (name);
COMMIT;`

// Create begins an archive, which is at path when it is finished. It fails with unfinished.ErrInUse if
// somebody else writes it.
func Create(ctx context.Context, path string, options Options) (*Writer, error) {
	if err := options.Description.Check(); err != nil {
		return nil, fmt.Errorf("mbtiles: %w", err)
	}
	if options.MemoryBytes == 0 {
		options.MemoryBytes = defaultMemoryBytes
	}
	file, err := unfinished.Create(path)
	if err != nil {
		return nil, fmt.Errorf("mbtiles: %w", err)
	}
	w := &Writer{
		path: path, about: options.Description, file: file,
		contents: contents.New(filepath.Dir(path), options.MemoryBytes),
	}
	if err := w.begin(ctx); err != nil {
		return nil, fmt.Errorf("mbtiles: %w", errors.Join(err, w.Discard()))
	}
	return w, nil
}

// begin opens the database, and begins its transaction.
func (w *Writer) begin(ctx context.Context) (err error) {
	if w.database, err = openDatabase(w.file.Name(), "nolock=1", whileWriting...); err != nil {
		return err
	}
	if w.single, err = w.database.Conn(ctx); err != nil {
		return err
	}
	if _, err = w.single.ExecContext(ctx, schema); err != nil {
		return err
	}
	if w.tile, err = w.single.PrepareContext(ctx, "INSERT INTO map VALUES (?, ?, ?, ?)"); err != nil {
		return err
	}
	w.image, err = w.single.PrepareContext(ctx, "INSERT INTO images VALUES (?, ?)")
	return err
}

// Put adds tiles. A position that was put twice is found in the end.
func (w *Writer) Put(ctx context.Context, tiles []archive.Tile) error {
	if w.failed != nil {
		return w.failed
	}
	for _, tile := range tiles {
		err := errors.Join(tile.Check(), tile.CheckContent())
		if err == nil {
			err = w.put(ctx, tile)
		}
		if err != nil {
			return w.fail(fmt.Errorf("mbtiles: tile %v: %w", tile.Position, err))
		}
	}
	return nil
}

func (w *Writer) put(ctx context.Context, tile archive.Tile) error {
	image, err := w.contents.First(tile.Content, w.images)
	if err != nil {
		return err
	}
	if image == w.images {
		if _, err := w.image.ExecContext(ctx, int64(image), tile.Content); err != nil {
			return err
		}
		w.images++
	}
	w.covered.Add(tile.Position)
	_, err = w.tile.ExecContext(ctx, tile.Zoom, tile.X, rowOf(tile.Position), int64(image))
	return err
}

// rowOf returns the row of a tile counted from below, as MBTiles has it.
func rowOf(p archive.Position) uint32 { return 1<<p.Zoom - 1 - p.Y }

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
		return w.fail(fmt.Errorf("mbtiles: %w", err))
	}
	w.failed = errOver
	return nil
}

func (w *Writer) finish(ctx context.Context) error {
	for _, row := range metadataOf(w.covered.Complete(w.about)) {
		if _, err := w.single.ExecContext(ctx, "INSERT INTO metadata VALUES (?, ?)", row.name, row.value); err != nil {
			return err
		}
	}
	if _, err := w.single.ExecContext(ctx, indexes); err != nil {
		if isUniqueness(err) {
			return fmt.Errorf("%w: %w", archive.ErrPutTwice, err)
		}
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	return w.file.Finish(w.path)
}

func isUniqueness(err error) bool {
	var failed *sqlite.Error
	return errors.As(err, &failed) && failed.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}

// close closes the database.
func (w *Writer) close() error {
	var errs []error
	if w.single != nil {
		errs = append(errs, w.single.Close())
	}
	if w.database != nil {
		errs = append(errs, w.database.Close())
	}
	w.single, w.database = nil, nil
	return errors.Join(append(errs, w.contents.Close())...)
}

// Discard removes what was written, unless it was finished.
func (w *Writer) Discard() error {
	w.fail(errOver)
	return errors.Join(w.close(), w.file.Discard())
}

var errOver = errors.New("mbtiles: the archive was finished or discarded")
