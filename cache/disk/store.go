// Package disk stores values as files in a folder, so that results that took long to compute outlive
// the process. It must never know what the values mean. Callers must not rely on finding a value: a
// lost, damaged or evicted one is computed again, and so is one whose disk does not answer in time.
//
// A Store has small values, each for itself. Groups have values that are used and removed together.
// Several of them may lie on one Storage. The files are specified in docs/formats-on-disk.md.
//
// Words: a storage is *away* or it *answers*, as in source/guard. A *unit* is the files that are removed
// as a whole. It is *doomed* from when it is forgotten until its files are removed.
package disk

import (
	"context"
	"fmt"
	"path/filepath"
)

// Store is a folder of values. It is safe for concurrent use, also by several processes that share
// the folder: a file appears complete and never changes. A nil Store stores nothing.
type Store struct{ shelf shelf }

// Config configures a Store.
type Config struct {
	Folder   string   // is created if necessary
	MaxBytes int64    // of all files; those that have not been used for longest are removed
	Storage  *Storage // what the folder lies on; nil waits for it without end
}

// Open returns the store in a folder.
func Open(config Config) (*Store, error) { return open(operatingSystem{}, config) }

func open(system system, config Config) (*Store, error) {
	s := &Store{shelf{system: system, storage: config.Storage, folder: config.Folder, maxBytes: config.MaxBytes}}
	return s, s.shelf.open()
}

// Sub returns a store in a subfolder with its own bound: values stored there evict nothing here. A
// nil Store returns nil.
func (s *Store) Sub(name string, maxBytes int64) (*Store, error) {
	if s == nil {
		return nil, nil
	}
	return open(s.shelf.system, Config{Folder: filepath.Join(s.shelf.folder, name), MaxBytes: maxBytes, Storage: s.shelf.storage})
}

func alone(key string) place { return place{nameOf(key), nameOf(key)} }

// Get returns the value of a key, if it is stored and undamaged. Another process may have stored it.
func (s *Store) Get(ctx context.Context, key string) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	value, err := reading(ctx, s.shelf.storage, func() ([]byte, error) { return s.shelf.read(alone(key), key) })
	return value, err == nil
}

// Put stores a value. Values of one key are equal, so concurrent writers may win in any order.
func (s *Store) Put(ctx context.Context, key string, value []byte) error {
	if s == nil {
		return nil
	}
	if len(value) > MaxValueBytes {
		return fmt.Errorf("value of %d bytes is too large to store", len(value))
	}
	content := encode(key, value)
	s.shelf.makeRoom(ctx, alone(key), int64(len(content)), s.shelf.maxBytes)
	err := writing(ctx, s.shelf.storage, func() error { return s.shelf.write(alone(key), content, s.shelf.maxBytes) })
	if err != nil {
		return fmt.Errorf("storing a value: %w", err)
	}
	return nil
}
