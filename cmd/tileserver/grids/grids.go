// Package grids finds the grid files of datum shifts in a folder. Package main calls it. The package
// bounds their number and size. It must never know which datums they move, nor their formats.
package grids

import (
	"errors"
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

// Open returns the grids of a folder, of which it reads the names only; warn is told of each that
// cannot be used later. An empty path gives no grids.
func Open(path string, warn func(name string, err error)) (Folder, error) {
	if path == "" {
		return Folder{}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return Folder{}, err
	}
	config, size := geo.GridsConfig{MaxBytes: maxBytes, Warn: warn}, int64(0)
	for _, entry := range entries {
		if !slices.Contains([]string{".gsb", ".las", ".los"}, strings.ToLower(filepath.Ext(entry.Name()))) {
			continue
		}
		info, err := os.Stat(filepath.Join(path, entry.Name())) // of what a link leads to
		if err != nil {
			return Folder{}, err
		}
		if !info.Mode().IsRegular() {
			continue
		}
		size += info.Size()
		config.Files = append(config.Files, file(path, info))
	}
	if len(config.Files) > maxFiles {
		return Folder{}, fmt.Errorf("%d grids in %s: %w of %d", len(config.Files), path, ErrLimit, maxFiles)
	}
	return Folder{geo.NewGrids(config), min(size, maxBytes)}, nil
}

func file(folder string, info fs.FileInfo) geo.GridFile {
	return geo.GridFile{
		Name: info.Name(), Version: fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano()),
		Read: func() ([]byte, error) { return read(filepath.Join(folder, info.Name())) },
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
