package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Siblings opens files in the folder of another file. It records what it found under each requested
// name, so that IsCurrent can detect changes.
type Siblings struct {
	folder  string
	options Options

	mu    sync.Mutex // guards the field below
	found map[string]fs.FileInfo
}

// NewSiblings returns the Siblings of the file at path. Files are opened with the options.
func NewSiblings(path string, options Options) *Siblings {
	return &Siblings{folder: filepath.Dir(path), options: options, found: make(map[string]fs.FileInfo)}
}

// Open opens the file of that name. If it does not exist or is not a regular file, the error is
// fs.ErrNotExist.
func (b *Siblings) Open(_ context.Context, name string) (Source, error) {
	if name != filepath.Base(name) || name == "." || name == ".." {
		return nil, fmt.Errorf("source: %q is not the name of a file", name)
	}
	path := filepath.Join(b.folder, name)
	if info := statRegular(path); info == nil { // the common case; stat is cheaper than opening
		b.record(name, nil)
		return nil, fmt.Errorf("source: %s: %w", path, fs.ErrNotExist)
	}
	f, err := OpenFile(path, b.options)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNotRegular) {
			b.record(name, nil)
			return nil, fmt.Errorf("source: %s: %w", path, fs.ErrNotExist)
		}
		return nil, err
	}
	b.record(name, f.opened)
	return f, nil
}

// statRegular returns the info of the regular file at path, or nil.
func statRegular(path string) fs.FileInfo {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

func (b *Siblings) record(name string, info fs.FileInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.found[name] = info
}

// IsCurrent reports whether every requested name still leads to the same file, or still to none.
func (b *Siblings) IsCurrent() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, then := range b.found {
		now := statRegular(filepath.Join(b.folder, name))
		if (now == nil) != (then == nil) || now != nil && !isSame(now, then) {
			return false
		}
	}
	return true
}

// isSame reports whether two infos of a path describe the same unchanged file.
func isSame(now, then fs.FileInfo) bool {
	return os.SameFile(now, then) && now.Size() == then.Size() && now.ModTime().Equal(then.ModTime())
}
