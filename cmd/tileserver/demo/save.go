package demo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrOtherFiles reports files that Save would have to overwrite.
var ErrOtherFiles = errors.New("nothing is written")

// Save writes the demo files and their configuration to a folder, and their paths to written. It
// overwrites no other file.
func Save(folder string, written io.Writer) error {
	files := map[string][]byte{ConfigurationName: Configuration}
	for _, file := range Files() {
		files[file.Name()] = file.Data
	}
	names := slices.Sorted(maps.Keys(files))
	var others []string
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); err == nil && !holds(path, files[name]) {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("%w: %s has other files named %s; remove them, or name another folder", ErrOtherFiles, folder, strings.Join(others, ", "))
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		if err := writeNew(path, files[name]); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(written, path); err != nil {
			return err
		}
	}
	return nil
}

// writeNew writes a file that must either not exist or already have the same content.
func writeNew(path string, data []byte) error {
	if holds(path, data) {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// holds reports whether a path is a regular file with this content. It opens nothing else, since
// reading a pipe might never end.
func holds(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	known, err := os.ReadFile(path)
	return err == nil && bytes.Equal(known, data)
}
