package cog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"tileserver/internal/filelock"
)

// unfinishedMark lies between the name of a COG and what tells its temporary files apart.
const unfinishedMark = ".unfinished-"

// RemoveLeftovers removes the temporary files of writers of a COG whose processes have died. Those of
// writers at work are locked, and stay.
func RemoveLeftovers(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	var errs []error
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), filepath.Base(path)+unfinishedMark) && entry.Type().IsRegular() {
			errs = append(errs, removeLeftover(filepath.Join(filepath.Dir(path), entry.Name())))
		}
	}
	return errors.Join(errs...)
}

// removeLeftover removes a file unless it is locked. Where there are no locks, nobody knows whether it is
// needed.
func removeLeftover(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil // its writer removed it meanwhile
	}
	if err != nil {
		return err
	}
	locked := filelock.Lock(file)
	if err := file.Close(); err != nil || locked != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
