// Package grids finds the grid files of datum shifts in a folder. Package main calls it, for the
// server and for commands that place a file. The package
// bounds their number and size. It must never know which datums they move, nor their formats.
package grids

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tileserver/geo"
)

// ErrLimit means that a folder or a file is larger than is reasonable.
var ErrLimit = errors.New("over the limit")

const (
	// maxFiles is more than all countries have published.
	maxFiles = 1000

	// maxFileBytes is the size of the largest file. Grids of whole continents take 80 MB.
	maxFileBytes = 256 << 20

	// maxBytes bounds the grids in memory.
	maxBytes = 512 << 20
)

// Folder holds the grids of a folder.
type Folder struct {
	Grids    *geo.Grids
	MaxBytes int64 // of memory that they may take
}

// errNone means that a folder has no grid.
var errNone = errors.New("no file in this folder ends in .gsb, .las or .los and can be opened")

// Option defines the option of a command that places a file as a server would.
func Option(set *flag.FlagSet) *string {
	return set.String("grids", "", "`FOLDER` Folder of grid files of datum shifts, if the server has one")
}

// Open returns the grids of a folder, of which it reads the names only. warn is told of files that
// cannot be opened, of each that cannot be used later, and of a folder without grids. An empty path
// gives no grids. Of grids that are too large together, it takes the first ones by name, so that all
// servers of a folder use the same, whichever places they are asked for first.
func Open(path string, warn func(name string, err error)) (Folder, error) {
	if path == "" {
		return Folder{}, nil
	}
	names, err := namesIn(path)
	if err != nil {
		return Folder{}, err
	}
	config, size := geo.GridsConfig{MaxBytes: maxBytes, Warn: warn}, int64(0)
	for _, name := range names {
		info, err := stat(filepath.Join(path, name))
		switch {
		case err != nil:
			warn(name, err)
		case !info.Mode().IsRegular():
		case info.Size() > maxFileBytes:
			warn(name, fmt.Errorf("%d bytes: %w of %d", info.Size(), ErrLimit, maxFileBytes))
		case info.Size() > maxBytes-size:
			warn(name, fmt.Errorf("grids before it in the alphabet take %d bytes, and it takes %d: %w of %d", size, info.Size(), ErrLimit, maxBytes))
		default:
			size += info.Size()
			config.Files = append(config.Files, file(path, name, info))
		}
	}
	if len(config.Files) == 0 {
		warn(path, errNone)
	}
	return Folder{geo.NewGrids(config), size}, nil
}

// namesIn returns the names of the grids in a folder.
func namesIn(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no such file or folder: %s", path)
	}
	if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", path)
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if slices.Contains([]string{".gsb", ".las", ".los"}, strings.ToLower(filepath.Ext(entry.Name()))) {
			names = append(names, entry.Name())
		}
	}
	if len(names) > maxFiles {
		return nil, fmt.Errorf("%d grids in %s: %w of %d", len(names), path, ErrLimit, maxFiles)
	}
	return names, nil
}

// stat returns what a path leads to, which can be opened if it is a file.
func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return info, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return info, f.Close()
}

func file(folder, name string, info fs.FileInfo) geo.GridFile {
	return geo.GridFile{
		Name: name, Version: fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano()),
		Read: func() ([]byte, error) { return read(filepath.Join(folder, name)) },
	}
}

// read reads a file up to the limit, which it may exceed by now.
func read(path string) (content []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	content, err = io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err == nil && len(content) > maxFileBytes {
		err = fmt.Errorf("%w of %d bytes", ErrLimit, maxFileBytes)
	}
	return content, err
}
