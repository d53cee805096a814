package mbtiles

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"tileserver/archive"
	"tileserver/decode"
	"tileserver/source"
)

// Archive reads an archive, which lies on a disk of the machine. It is safe for concurrent use.
type Archive struct {
	path        string
	opened      fs.FileInfo
	database    *sql.DB
	tile        *sql.Stmt
	description archive.Description
}

var _ archive.Reader = (*Archive)(nil)

// ErrCorrupt means that a file is not a database, or not one of tiles.
var ErrCorrupt = decode.Corrupt("mbtiles: corrupt")

// A file may come from anybody: its views and triggers are not used, and the functions that its schema may call
// are harmless.
var whileReading = []string{"query_only(1)", "trusted_schema(0)", "cell_size_check(1)", "mmap_size(0)", "temp_store(memory)"}

// connections is how many requests read at a time. Each has a cache of 2 MiB.
const connections = 4

// Open opens the archive at path.
func Open(ctx context.Context, path string) (*Archive, error) {
	a := &Archive{path: path}
	if err := a.open(ctx); err != nil {
		return nil, errors.Join(a.explain(ctx, err), a.Close())
	}
	return a, nil
}

func (a *Archive) open(ctx context.Context) (err error) {
	if a.opened, err = os.Stat(a.path); err != nil {
		return err
	}
	if !a.opened.Mode().IsRegular() {
		return source.NotObjectError{Path: a.path, Mode: a.opened.Mode()}
	}
	if a.database, err = openDatabase(a.path, "mode=ro", whileReading...); err != nil {
		return err
	}
	a.database.SetMaxOpenConns(connections)
	a.database.SetMaxIdleConns(connections)
	layout, err := layoutIn(ctx, a.database)
	if err != nil {
		return err
	}
	if a.tile, err = a.database.PrepareContext(ctx, layout.query()); err != nil {
		return err
	}
	a.description, err = describe(ctx, a.database, layout)
	return err
}

// Description returns what the archive says of itself.
func (a *Archive) Description() archive.Description { return a.description }

// Version changes with the size and the modification time of the file.
func (a *Archive) Version() string {
	modified := a.opened.ModTime()
	return fmt.Sprintf("%x-%x.%x", a.opened.Size(), modified.Unix(), modified.Nanosecond())
}

// Tiles returns the contents of tiles. It fails with source.ErrChanged if the file is no longer as it was opened.
func (a *Archive) Tiles(ctx context.Context, positions []archive.Position) ([][]byte, error) {
	contents := make([][]byte, len(positions))
	for i, position := range positions {
		if position.Check() != nil {
			continue // in no archive
		}
		var err error
		if contents[i], err = a.content(ctx, position); err != nil {
			return nil, a.explain(ctx, fmt.Errorf("tile %v: %w", position, err))
		}
	}
	if err := a.checkUnchanged(); err != nil {
		return nil, a.explain(ctx, err)
	}
	return contents, nil
}

// content returns the content of a tile. Its size is checked before it is read.
func (a *Archive) content(ctx context.Context, p archive.Position) (content []byte, err error) {
	var isFit bool
	err = a.tile.QueryRowContext(ctx, archive.MaxTileBytes, archive.MaxTileBytes, p.Zoom, p.X, rowOf(p)).Scan(&isFit, &content)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err == nil && !isFit:
		return nil, fmt.Errorf("%w: it has no bytes or too many", ErrCorrupt)
	}
	return content, err
}

// checkUnchanged is called after reading: if the file is unchanged now, it was unchanged during the read.
func (a *Archive) checkUnchanged() error {
	now, err := os.Stat(a.path)
	if err != nil || !os.SameFile(now, a.opened) || now.Size() != a.opened.Size() || !now.ModTime().Equal(a.opened.ModTime()) {
		return source.ErrChanged
	}
	return nil
}

// explain adds the path to an error, and says whether it is damage, or that ctx has ended.
func (a *Archive) explain(ctx context.Context, err error) error {
	var failed *sqlite.Error
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.As(err, &failed) && isDamage(failed.Code()):
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return fmt.Errorf("%s: %w", a.path, err)
}

// isDamage reports whether a code of SQLite means that the file is not what it must be: SQL that is ours fails
// if tables lack columns.
func isDamage(code int) bool {
	switch code & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
		return true
	}
	return false
}

// Close closes the archive.
func (a *Archive) Close() error {
	if a.database == nil {
		return nil
	}
	return a.database.Close()
}
