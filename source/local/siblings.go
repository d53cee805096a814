package local

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"tileserver/source"
)

// siblings opens files in the folder of another file. It records what it found under each requested
// name, so that isCurrent can detect changes.
type siblings struct {
	folder string
	store  Store // opens them

	mu    sync.Mutex // guards the field below
	found family     // with nil for those that do not exist
}

// newSiblings returns the siblings of the file at path in a store.
func newSiblings(path string, store Store) *siblings {
	return &siblings{folder: filepath.Dir(path), store: store, found: make(family)}
}

// open opens the file of that name. If it does not exist or is not a regular file, the error is
// fs.ErrNotExist.
func (b *siblings) open(name string) (source.Source, error) {
	if name != filepath.Base(name) || name == "." || name == ".." {
		return nil, fmt.Errorf("source: %q is not the name of a file", name)
	}
	path := filepath.Join(b.folder, name)
	info, err := os.Stat(path)
	if isStalled(err) {
		return nil, fmt.Errorf("source: %w", err)
	}
	if err != nil || !info.Mode().IsRegular() { // the common case; stat is cheaper than opening
		b.record(name, nil)
		return nil, fmt.Errorf("source: %s: %w", path, fs.ErrNotExist)
	}
	f, err := b.store.open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || source.IsNotObject(err) {
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

func (b *siblings) record(name string, info fs.FileInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.found[name] = info
}

// known returns the infos of the requested files that existed, as they were opened.
func (b *siblings) known() family {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := maps.Clone(b.found)
	maps.DeleteFunc(known, func(_ string, info fs.FileInfo) bool { return info == nil })
	return known
}

// stat returns the infos of the requested files that exist now.
func (b *siblings) stat() family {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := make(family)
	for name := range b.found {
		if info := statRegular(filepath.Join(b.folder, name)); info != nil {
			seen[name] = info
		}
	}
	return seen
}

// isCurrent reports whether every requested name still leads to the same file, or still to none.
func (b *siblings) isCurrent() bool {
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
