package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tileserver/internal/filelock"
)

// Lock keeps other processes from a folder, until it is released or the process ends. It does not matter to
// those that do not lock the folder.
type Lock struct {
	file  *os.File
	since time.Time // by the clock of the disk; files that are older were left by other processes
}

// ErrInUse means that another process, or another part of this one, has locked a folder.
var ErrInUse = errors.New("another process uses the folder")

const (
	// lockName is the name of the file that is locked. It stays when it is released.
	lockName = "lock"

	// lockText is what it tells whoever looks into it.
	lockText = "This file is locked while a process uses the folder.\n"

	// clockGrain exceeds the resolution of the times of files.
	clockGrain = time.Second
)

// LockFolder locks a folder, which is made if necessary. It fails with ErrInUse if the folder is locked.
func LockFolder(folder string, storage *Storage) (*Lock, error) {
	lock, err := locking(storage, func() (*Lock, error) {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
		return lockNow(filepath.Join(folder, lockName))
	})
	if err != nil {
		return nil, fmt.Errorf("locking the folder %s: %w", folder, err)
	}
	return lock, nil
}

func lockNow(path string) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(file); err != nil {
		if errors.Is(err, filelock.ErrLocked) {
			err = ErrInUse
		}
		return nil, errors.Join(err, file.Close())
	}
	_, _ = file.WriteAt([]byte(lockText), 0) // gives it the time; on a full disk, it keeps an older one
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Lock{file, info.ModTime().Add(-clockGrain)}, nil
}

// locking makes a call that locks. Its caller waits as for one that writes. A lock that nobody waits for any
// more is released.
func locking(storage *Storage, lock func() (*Lock, error)) (*Lock, error) {
	locked := make(chan *Lock, 1)
	err := writing(context.Background(), storage, func() error {
		own, err := lock()
		locked <- own
		return err
	})
	if isUnanswered(err) {
		go func() { (<-locked).Release() }()
		return nil, err
	}
	return <-locked, err
}

// Release lets other processes use the folder. It does nothing if l is nil.
func (l *Lock) Release() {
	if l != nil {
		_ = l.file.Close() // the system releases the lock, whatever else fails
	}
}
