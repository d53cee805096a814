package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tileserver/internal/filelock"
	"tileserver/internal/unfinished"
)

// checkReplaceable returns an error if there is something at a path that is no archive.
func checkReplaceable(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if info, err := os.Lstat(filepath.Join(path, documentName)); err != nil || !info.Mode().IsRegular() {
		return ErrInTheWay
	}
	return nil
}

// take locks a folder, where the system has such locks. Who had it before may have finished it meanwhile.
func take(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return nil, errors.Join(ErrInTheWay, err)
	}
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if errors.Is(filelock.Lock(folder), filelock.ErrLocked) {
		return nil, errors.Join(unfinished.ErrInUse, folder.Close())
	}
	taken, err := folder.Stat()
	there, errThere := os.Lstat(path)
	if err != nil || errThere != nil || !os.SameFile(taken, there) {
		return nil, errors.Join(unfinished.ErrInUse, folder.Close())
	}
	return folder, nil
}

// removeAllIn removes what a process left that died.
func removeAllIn(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(folder, entry.Name())))
	}
	return err
}

// writeNew writes a file that does not exist.
func writeNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = syncFile(file)
	}
	return errors.Join(err, file.Close())
}

// replacedName is where an archive lies in the one that replaces it, for a moment.
const replacedName = ".replaced"

// replace gives a folder the path of an archive, if there is one, which is removed. For a moment the path leads
// nowhere.
func replace(path, with string) error {
	if err := checkReplaceable(path); err != nil {
		return err
	}
	if err := os.Rename(path, filepath.Join(with, replacedName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(with, path); err != nil {
		return errors.Join(err, restore(with, path))
	}
	return errors.Join(os.RemoveAll(filepath.Join(path, replacedName)), unfinished.SyncFolder(filepath.Dir(path)))
}

// restore gives an archive its path again, if it lost that and was not replaced.
func restore(from, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(filepath.Join(from, replacedName), path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
