// Package local reads files on disk: a store of all that the file system of the machine has. The
// program and tools open files with it. A File owns its file descriptor. The package must never
// know what the bytes mean, nor which files are served.
package local

import (
	"context"
	"os"
	"path/filepath"

	"tileserver/source"
	"tileserver/source/ranges"
)

// Store is the file system. Paths are those of the operating system.
type Store struct{ Options ranges.Options }

var _ source.Store = Store{}

// Canonical returns the absolute path.
func (Store) Canonical(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return filepath.Clean(path)
}

// Stat returns the state of what lies at a path, or where a link at the path leads to.
func (Store) Stat(_ context.Context, path string) (source.State, error) {
	info, err := os.Stat(path)
	if err != nil {
		return source.State{}, err
	}
	return stateOf(info), nil
}

// List returns the names in a folder. It reads no metadata of files: over a network, that would take
// as long as opening them.
func (Store) List(ctx context.Context, folder string) ([]source.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	listed, err := os.ReadDir(folder)
	entries := make([]source.Entry, len(listed))
	for i, e := range listed {
		entries[i] = source.Entry{Name: e.Name(), Path: filepath.Join(folder, e.Name()), IsFolder: e.IsDir()}
	}
	return entries, err
}

// Open opens a regular file.
func (s Store) Open(_ context.Context, path string) (source.Object, error) {
	f, err := Open(path, s.Options)
	if err != nil {
		return nil, err // not a nil *File
	}
	return f, nil
}
