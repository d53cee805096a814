// Package disk stores values as files in a folder, so that results that took long to compute outlive
// the process. It must never know what the values mean. Callers must not rely on finding a value: a
// lost, damaged or evicted one is computed again, and so is one whose disk does not answer in time.
//
// A Store has small values, each for itself. Groups have values that are used and removed together.
// Several of them may lie on one Storage. A Lock gives a folder to one process, which then knows what is not
// in it without asking the system. The files are specified in docs/formats-on-disk.md.
//
// Words: a storage is *away* or it *answers*, as in source/guard. A *unit* is the files that are removed
// as a whole. It is *doomed* from when it is forgotten until its files are removed.
package disk

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"sync"
)

// Store is a folder of values. It is safe for concurrent use, also by several processes that share
// the folder: a file appears complete and never changes. A nil Store stores nothing.
type Store struct{ shelf shelf }

// Config configures a Store.
type Config struct {
	Folder   string   // is created if necessary
	MaxBytes int64    // of all files; those that have not been used for longest are removed
	Storage  *Storage // what the folder lies on; nil waits for it without end
	Lock     *Lock    // of the folder, or one above it: no other process uses it; nil shares it
	MayLose  bool     // values may be lost with the power; none is waited for until it is on the disk
}

// Open returns the store in a folder.
func Open(config Config) (*Store, error) { return open(operatingSystem{}, config) }

func open(system system, config Config) (*Store, error) {
	s := &Store{shelf{
		system: system, storage: config.Storage, folder: config.Folder, maxBytes: config.MaxBytes, lock: config.Lock, mayLose: config.MayLose,
	}}
	return s, s.shelf.open()
}

// Sub returns a store in a subfolder with its own bound: values stored there evict nothing here. A
// nil Store returns nil.
func (s *Store) Sub(name string, maxBytes int64) (*Store, error) {
	if s == nil {
		return nil, nil
	}
	return open(s.shelf.system, Config{
		Folder: filepath.Join(s.shelf.folder, name), MaxBytes: maxBytes, Storage: s.shelf.storage, Lock: s.shelf.lock, MayLose: s.shelf.mayLose,
	})
}

func alone(key string) place { return place{nameOf(key), nameOf(key)} }

// Get returns the value of a key, if it is stored and undamaged. Another process may have stored it.
func (s *Store) Get(ctx context.Context, key string) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	value, err := reading(ctx, s.shelf.storage, func() ([]byte, error) { return s.shelf.read(alone(key), key, new(bytes.Buffer)) })
	return value, err == nil
}

// MayContain reports whether it is worth to ask for a value: it may be stored, and the storage is not away.
func (s *Store) MayContain(key string) bool { return s != nil && s.shelf.mayHave(alone(key)) }

// buffers are those of reads that have ended.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Fill does what Get does for a value of a known length: it fills dst with it. If it returns false, dst is as it
// was. A read may go on after its caller has left, so it has a buffer of its own.
func (s *Store) Fill(ctx context.Context, key string, dst []byte) bool {
	if !s.MayContain(key) {
		return false
	}
	type held struct {
		value  []byte
		memory *bytes.Buffer
	}
	read, err := reading(ctx, s.shelf.storage, func() (held, error) {
		memory := buffers.Get().(*bytes.Buffer)
		value, err := s.shelf.read(alone(key), key, memory)
		return held{value, memory}, err
	})
	if err != nil {
		return false
	}
	defer buffers.Put(read.memory)
	return len(read.value) == len(dst) && copy(dst, read.value) == len(dst)
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

// Stats describes what is in a store, and what is not in it any more.
type Stats struct {
	Values  int   // as far as they are known
	Bytes   int64 // of their files
	Evicted int64 // values that had to make room
	Damaged int64 // files that were damaged
}

// Stats returns what is in the store.
func (s *Store) Stats() Stats {
	if s == nil {
		return Stats{}
	}
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	return Stats{len(s.shelf.known.units), s.shelf.known.bytes, s.shelf.evicted, s.shelf.damaged}
}
