// Package disktier keeps blocks of remote objects in a folder on a local disk, beneath the stores of those
// objects. The program wraps the stores that are far away. A Tier owns its folder, which no other process
// uses, and the blocks that wait to be written. It must never know what the bytes mean, nor where the
// objects lie.
//
// A read takes what it can from the disk, and asks the object for the rest in one call. Nobody waits for a
// write. A disk that is full, damaged or hangs costs reads of the object, and nothing else.
//
// What is kept belongs to the Identity of an object, so that no version is ever mistaken for another. Of an
// object without an Identity nothing is kept: its version may be too weak to tell, such as a weak ETag.
//
// Words: a *block* is 64 KiB of an object, beginning at a multiple of that. The last one is shorter.
package disktier

import (
	"fmt"
	"path/filepath"

	"tileserver/cache/disk"
	"tileserver/source"
)

// Tier is a folder of blocks. It is safe for concurrent use, and serves several stores. A nil Tier keeps nothing.
type Tier struct {
	config  Config
	lock    *disk.Lock
	shelves shelves
	keeper  keeper // the shelves, or in tests what fails
	queue   *queue
	counts  counts
}

// Config configures a Tier.
type Config struct {
	Folder   string
	MaxBytes int64         // that the files may take of the disk
	Storage  *disk.Storage // what the folder lies on

	OnFailure func(err error) // is told when blocks can no longer be written; nil is not
}

// MinBytes is the least that a Tier may have.
const MinBytes = 64 << 20

// folderCount is the number of folders below that of a Tier. Each has a part of the blocks and of the
// bytes, so that none has too many files.
const folderCount = 64

// Open opens a folder, which is made if necessary. If another process has it, Open fails with disk.ErrInUse.
func Open(config Config) (*Tier, error) {
	if config.MaxBytes < MinBytes {
		return nil, fmt.Errorf("the disk cache must have at least %d MiB", MinBytes>>20)
	}
	return open(config, folderCount)
}

func open(config Config, folders int) (*Tier, error) {
	if config.OnFailure == nil {
		config.OnFailure = func(error) {}
	}
	if config.Storage == nil {
		config.Storage = disk.NewStorage(disk.StorageConfig{})
	}
	lock, err := disk.LockFolder(config.Folder, config.Storage)
	if err != nil {
		return nil, fmt.Errorf("disk cache: %w", err)
	}
	t := &Tier{config: config, lock: lock, shelves: make(shelves, folders)}
	if err := t.openShelves(); err != nil {
		lock.Release()
		return nil, fmt.Errorf("disk cache: %w", err)
	}
	t.keep(t.shelves)
	return t, nil
}

// keep sets where blocks are kept.
func (t *Tier) keep(in keeper) {
	t.keeper, t.queue = in, newQueue(in, t.noteWriting)
}

// openShelves opens the folders of blocks. What is being written may come on top of what they hold.
func (t *Tier) openShelves() (err error) {
	maxFiles := t.config.MaxBytes/fileBytes - maxWriters
	for i := range t.shelves {
		t.shelves[i], err = disk.Open(disk.Config{
			Folder:   filepath.Join(t.config.Folder, fmt.Sprintf("%02x", i)),
			MaxBytes: maxFiles * blockBytes / int64(len(t.shelves)),
			Storage:  t.config.Storage, Lock: t.lock, MayLose: true,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Over returns a store whose objects are read through the tier. All else passes through.
func (t *Tier) Over(store source.Store) source.Store {
	if t == nil {
		return store
	}
	return &tiered{store, t}
}

// Close writes the blocks that wait for that, unless that takes long, and gives the folder free. Objects can
// still be read.
func (t *Tier) Close() {
	if t == nil {
		return
	}
	t.queue.close()
	t.lock.Release()
}

// unitBytes is how much memory the record of a block takes, and its share of a map.
const unitBytes = 184

// MemoryBytes returns how much memory a Tier of a size takes at most: for the records of its blocks, and for
// those that wait to be written.
func MemoryBytes(maxBytes int64) int64 { return maxBytes/fileBytes*unitBytes + maxWaitingBytes }
