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
	stat   func(path string) (fs.FileInfo, error)

	mu    sync.Mutex // guards the field below; it is not held during calls of the system, which may hang
	found family     // with nil for those that do not exist
}

// newSiblings returns the siblings of the file at path in a store.
func newSiblings(path string, store Store) *siblings {
	return &siblings{folder: filepath.Dir(path), store: store, stat: os.Stat, found: make(family)}
}

// open opens the file of that name. If it does not exist or is not a regular file, the error is
// fs.ErrNotExist.
func (b *siblings) open(name string) (source.Source, error) {
	if name != filepath.Base(name) || name == "." || name == ".." {
		return nil, fmt.Errorf("source: %q is not the name of a file", name)
	}
	path := filepath.Join(b.folder, name)
	info, err := b.stat(path)
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

func (b *siblings) record(name string, info fs.FileInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.found[name] = info
}

// asked returns the infos of all requested files, as they were opened.
func (b *siblings) asked() family {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.found)
}

// known returns the infos of the requested files that existed, as they were opened.
func (b *siblings) known() family {
	known := b.asked()
	maps.DeleteFunc(known, func(_ string, info fs.FileInfo) bool { return info == nil })
	return known
}

// now returns the infos of the requested files that exist now.
func (b *siblings) now() family {
	seen := make(family)
	for name := range b.asked() {
		if info := b.statRegular(name); info != nil {
			seen[name] = info
		}
	}
	return seen
}

// isCurrent reports whether every requested name still leads to the same file, or still to none.
func (b *siblings) isCurrent() bool {
	for name, then := range b.asked() {
		now := b.statRegular(name)
		if (now == nil) != (then == nil) || now != nil && !isSame(now, then) {
			return false
		}
	}
	return true
}

// statRegular returns the info of the regular file of that name, or nil.
func (b *siblings) statRegular(name string) fs.FileInfo {
	info, err := b.stat(filepath.Join(b.folder, name))
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}
