package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/source/local"
)

// servedPath is a path of the configuration: an image, or a folder of files.
type servedPath struct {
	dataset.Address
	isFolder bool
}

// servedPaths resolves the paths of a configuration. A path that existed before may be missing for
// a while.
func servedPaths(c *config.Config, earlier []servedPath) ([]servedPath, error) {
	var resolved []servedPath
	var found config.Mistakes
	for i, text := range c.Paths {
		location := c.At("paths[%d]", i) // no location in the file if it is an argument
		named, err := dataset.ParseAddress(context.Background(), local.Store{}, text)
		if err != nil && location.IsWritten() {
			err = location.Mistake(err)
		}
		if err != nil {
			found.Add(err)
			continue
		}
		p := servedPath{Address: named.Canonical(local.Store{})}
		info, err := os.Stat(p.Path)
		known := slices.IndexFunc(earlier, func(b servedPath) bool { return b.Address == p.Address })
		switch {
		case err == nil:
			p.isFolder = info.IsDir()
		case known >= 0 && errors.Is(err, fs.ErrNotExist):
			p = earlier[known]
		case location.IsWritten():
			found.Add(location.Mistakef("%v", pathError(text, err)))
		default:
			found.Add(pathError(text, err))
		}
		resolved = append(resolved, p)
	}
	return resolved, found.Err()
}

// pathError explains why a path cannot be served.
func pathError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return usage.Unusablef("no such file or folder: %s", path)
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// folderScan is the result of one scan of a folder. A scan lists names only: over a network,
// reading the metadata of each file would take as long as opening it.
type folderScan struct {
	files      []string           // folder by folder, sorted by name
	unreadable []unreadableFolder // must not be taken for empty
}

// unreadableFolder is a folder that could not be read.
type unreadableFolder struct {
	path string
	err  error
}

// scanFolder finds the files with the name of a raster in a folder and below. It follows no links
// except the folder itself, since links may form cycles. It skips names that begin with a dot:
// trash, snapshots, and files that a system adds. A missing folder is empty.
func scanFolder(ctx context.Context, folder string, isRaster func(name string) bool) folderScan {
	var s folderScan
	s.walk(ctx, folder, isRaster)
	return s
}

func (s *folderScan) walk(ctx context.Context, folder string, isRaster func(name string) bool) {
	entries, err := os.ReadDir(folder)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.unreadable = append(s.unreadable, unreadableFolder{folder, err})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return byName(a.Name(), b.Name()) })
	for _, entry := range entries {
		switch {
		case isHidden(entry.Name()):
		case entry.IsDir():
			s.walk(ctx, filepath.Join(folder, entry.Name()), isRaster)
		case isRaster(entry.Name()):
			s.files = append(s.files, filepath.Join(folder, entry.Name()))
		}
	}
}

// byName compares names without regard to case, then by case.
func byName(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

func (s folderScan) isSame(other folderScan) bool {
	return slices.Equal(s.files, other.files) && slices.EqualFunc(s.unreadable, other.unreadable, func(a, b unreadableFolder) bool { return a.path == b.path })
}

// mayContain reports whether a path may exist in a folder that could not be read.
func (s *folderScan) mayContain(path string) bool {
	return slices.ContainsFunc(s.unreadable, func(u unreadableFolder) bool {
		return strings.HasPrefix(path, strings.TrimSuffix(u.path, string(filepath.Separator))+string(filepath.Separator))
	})
}
