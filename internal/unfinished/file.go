// Package unfinished makes files that have their names as soon as they are complete, and not before. A file
// is written under another name beside its own, which tells people what it is. What a process left that
// died is overwritten by the next one that makes the same file.
//
// It must never know what is in a file.
package unfinished

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"tileserver/internal/filelock"
)

// Extension follows the name of a file that is not complete.
const Extension = ".unfinished"

// ErrInUse means that another process, or another part of this one, is making the same file.
var ErrInUse = errors.New("another process is writing the file")

// File is a file that is being written.
type File struct {
	*os.File
	isOver bool // it was finished or discarded
}

// Create creates an empty file, whose name will be path. It fails with ErrInUse if it is being written already.
func Create(path string) (*File, error) {
	unfinished := path + Extension
	if info, err := os.Lstat(unfinished); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is in the way: it is not a regular file", unfinished)
	}
	file, err := os.OpenFile(unfinished, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := take(file); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", unfinished, err), file.Close())
	}
	if err := file.Truncate(0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{File: file}, nil
}

// take locks a file. Who had it before may have finished it meanwhile: then it is not to be overwritten. Where
// there are no locks, nobody else is expected.
func take(file *os.File) error {
	err := filelock.Lock(file)
	if errors.Is(err, filelock.ErrLocked) {
		return ErrInUse
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	taken, err := file.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Lstat(file.Name()); err != nil || !os.SameFile(there, taken) {
		return ErrInUse
	}
	return nil
}

// Finish gives the file its name, after all of it is on the disk, even if the power fails then. It replaces a
// file of that name. The folder must be that of the unfinished file.
func (f *File) Finish(path string) error {
	if err := f.Sync(); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // where open files cannot be renamed; elsewhere the lock is held meanwhile
		if err := f.Close(); err != nil {
			return err
		}
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	f.isOver = true
	_ = f.Close() // nothing is lost: all of it is on the disk
	return SyncFolder(filepath.Dir(path))
}

// Discard removes the file, unless it was finished or discarded.
func (f *File) Discard() error {
	if f.isOver {
		return nil
	}
	f.isOver = true
	_ = f.Close() // before it is removed, as some systems want it
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncFolder writes the names in a folder to the disk, where the system has a call for it.
func SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	opened, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}
