package library

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"tileserver/dataset"
	"tileserver/source"
)

// servedPath is a path to serve: an image, or a folder of files.
type servedPath struct {
	dataset.Address
	isFolder bool
}

// servedPaths resolves the paths to serve. A path that existed before may be missing for a while.
func (s *state) servedPaths(ctx context.Context, paths []Path, earlier []servedPath) ([]servedPath, error) {
	var resolved []servedPath
	var found Mistakes
	for _, path := range paths {
		p, err := s.servedPath(ctx, path.Text, earlier)
		if err != nil && path.Place != nil {
			err = mistakeAt(path.Place, "", err)
		}
		found.add(err)
		resolved = append(resolved, p)
	}
	return resolved, found.err()
}

func (s *state) servedPath(ctx context.Context, text string, earlier []servedPath) (servedPath, error) {
	named, err := dataset.ParseAddress(ctx, s.files, text)
	if err != nil {
		return servedPath{}, err
	}
	p := servedPath{Address: named.Canonical(s.files)}
	state, err := s.files.Stat(ctx, p.Path)
	known := slices.IndexFunc(earlier, func(b servedPath) bool { return b.Address == p.Address })
	switch {
	case err == nil:
		p.isFolder = state.Mode.IsDir()
	case known >= 0 && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrStalled)):
		return earlier[known], nil
	default:
		return p, dataset.PathError(text, err)
	}
	return p, nil
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

// scanner scans a folder and its folders.
type scanner struct {
	files    source.Store
	isRaster func(name string) bool
	found    folderScan
}

// scanFolder finds the files with the name of a raster in a folder and below. It follows no links
// except the folder itself, since links may form cycles. It skips names that begin with a dot:
// trash, snapshots, and files that a system adds. A missing folder is empty.
func scanFolder(ctx context.Context, files source.Store, folder string, isRaster func(name string) bool) folderScan {
	s := scanner{files: files, isRaster: isRaster}
	s.scan(ctx, folder)
	return s.found
}

func (s *scanner) scan(ctx context.Context, folder string) {
	entries, err := s.files.List(ctx, folder)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.found.unreadable = append(s.found.unreadable, unreadableFolder{folder, err})
	}
	slices.SortFunc(entries, func(a, b source.Entry) int { return byName(a.Name, b.Name) })
	for _, entry := range entries {
		switch {
		case isHidden(entry.Name):
		case entry.IsFolder:
			s.scan(ctx, entry.Path)
		case s.isRaster(entry.Name):
			s.found.files = append(s.found.files, entry.Path)
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
