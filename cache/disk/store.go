// Package disk stores values as files in a folder, so that results that took long to compute outlive
// the process. It must never know what the values mean. Callers must not rely on finding a value: a
// lost, damaged or evicted one is computed again.
//
// A Store has small values, each for itself. Groups have values that are used and removed together.
// The files are specified in docs/formats-on-disk.md.
package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Store is a folder of values. It is safe for concurrent use, also by several processes that share
// the folder: a file appears complete and never changes. A nil Store stores nothing.
type Store struct {
	system   system
	folder   string
	maxBytes int64
}

// MaxValueBytes is the maximum size of a value.
const MaxValueBytes = 16 << 20

// Open returns the store in a folder, which it creates if necessary. When its files exceed maxBytes
// in total, the oldest are removed.
func Open(folder string, maxBytes int64) (*Store, error) {
	return open(operatingSystem{}, folder, maxBytes)
}

func open(system system, folder string, maxBytes int64) (*Store, error) {
	if err := system.MkdirAll(folder); err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	s := &Store{system, folder, maxBytes}
	return s, s.probe()
}

// Sub returns a store in a subfolder with its own bound: values stored there evict nothing here. A
// nil Store returns nil.
func (s *Store) Sub(name string, maxBytes int64) (*Store, error) {
	if s == nil {
		return nil, nil
	}
	return open(s.system, filepath.Join(s.folder, name), maxBytes)
}

// probe checks that the folder is writable, so that a mistake shows at the start.
func (s *Store) probe() error {
	f, err := s.system.Create(s.folder, unfinished)
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	return errors.Join(f.Close(), s.system.Remove(f.Name()))
}

// Get returns the value of a key, if it is stored and undamaged.
func (s *Store) Get(key string) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	value, err := read(s.system, s.path(key), key)
	return value, err == nil
}

// errDamaged is the error for a file that is not what was written for a key.
var errDamaged = errors.New("the file is damaged")

// read returns the value in a file.
func read(system system, path, key string) ([]byte, error) {
	f, err := system.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > int64(MaxValueBytes+len(key)+overheadBytes) {
		return nil, errDamaged
	}
	content := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := content.ReadFrom(f); err != nil {
		return nil, err
	}
	value, ok := decode(key, content.Bytes())
	if !ok {
		return nil, errDamaged
	}
	return value, nil
}

// Put stores a value. Values of one key are equal, so concurrent writers may win in any order.
func (s *Store) Put(key string, value []byte) error {
	if s == nil {
		return nil
	}
	if len(value) > MaxValueBytes {
		return fmt.Errorf("value of %d bytes is too large to store", len(value))
	}
	path := s.path(key)
	if err := write(s.system, path, encode(key, value)); err != nil {
		return fmt.Errorf("storing a value: %w", err)
	}
	return s.sweep(path)
}

// unfinished is the name pattern of files that are being written.
const unfinished = ".unfinished-*"

// write creates a file that is complete as soon as it exists, even after a power failure.
func write(system system, path string, content []byte) (err error) {
	f, err := system.Create(filepath.Dir(path), unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, system.Remove(f.Name()))
		}
	}()
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return system.Rename(f.Name(), path)
}

// path returns the file path of a key.
func (s *Store) path(key string) string { return filepath.Join(s.folder, hashOf(key)+extension) }

// hashOf returns the hash of a key in names of files and folders.
func hashOf(key string) string {
	name := sha256.Sum256([]byte(key))
	return hex.EncodeToString(name[:16])
}

const extension = ".kept"

// overheadBytes is the size of a file beyond key and value. A file holds a digest of the rest, the
// key, a zero byte, and the value.
const overheadBytes = sha256.Size + 1

func encode(key string, value []byte) []byte {
	content := make([]byte, sha256.Size, overheadBytes+len(key)+len(value))
	content = append(append(append(content, key...), 0), value...)
	digest := sha256.Sum256(content[sha256.Size:])
	copy(content, digest[:])
	return content
}

// decode returns the value in a file, if the file is undamaged and belongs to the key.
func decode(key string, content []byte) ([]byte, bool) {
	if len(content) < overheadBytes+len(key) {
		return nil, false
	}
	digest := sha256.Sum256(content[sha256.Size:])
	if !bytes.Equal(digest[:], content[:sha256.Size]) {
		return nil, false
	}
	named, ok := bytes.CutPrefix(content[sha256.Size:], []byte(key))
	if !ok || named[0] != 0 {
		return nil, false
	}
	return named[1:], true
}

// isGone reports whether err means that another process has removed the file.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
