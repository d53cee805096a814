// Package local reads files on disk: a store of all that the file system of the machine has. The
// program and tools open files with it. A File owns its file descriptor. The package must never
// know what the bytes mean, nor which files are served.
package local

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"tileserver/source"
	"tileserver/source/ranges"
)

// Store is the file system. Paths are those of the operating system.
type Store struct {
	Options ranges.Options
	Calls   *Calls // nil: calls end when the system answers, whatever their contexts do
	Links   *Links // nil follows links wherever they lead
}

var _ source.Store = Store{}

// Canonical returns the absolute path.
func (Store) Canonical(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return filepath.Clean(path)
}

// Storage returns a folder on the device that a path lies on, as far as it is known.
func (s Store) Storage(path string) string { return s.Calls.storageOf(path) }

// Stat returns the state of what lies at a path, or where a link at the path leads to.
func (s Store) Stat(ctx context.Context, path string) (source.State, error) {
	info, err := run(ctx, s.Calls, s.Storage(path), func() (fs.FileInfo, error) { return os.Stat(path) })
	if err != nil {
		return source.State{}, err
	}
	s.Calls.learn(path, info)
	return stateOf(info), nil
}

// List returns the names in a folder. It reads no metadata of files: over a network, that would take
// as long as opening them.
func (s Store) List(ctx context.Context, folder string) ([]source.Entry, error) {
	listed, err := run(ctx, s.Calls, s.Storage(folder), func() ([]fs.DirEntry, error) { return os.ReadDir(folder) })
	entries := make([]source.Entry, len(listed))
	for i, e := range listed {
		entries[i] = source.Entry{Name: e.Name(), Path: filepath.Join(folder, e.Name()), IsFolder: e.IsDir()}
	}
	return entries, err
}

// Open opens a regular file.
func (s Store) Open(ctx context.Context, path string) (source.Object, error) {
	return run(ctx, s.Calls, s.Storage(path), func() (source.Object, error) {
		f, err := s.open(path)
		if err != nil {
			return nil, err // not a nil *File
		}
		return f, nil
	})
}
