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
)

// place is where a path of the configuration leads: to an image, or to a folder of files.
type place struct {
	address
	isFolder bool
}

// placesOf finds out where paths lead. One that led somewhere before may lead nowhere for a
// while.
func placesOf(paths []string, before []place, source *configSource) ([]place, error) {
	var places []place
	var found mistakes
	for i, text := range paths {
		written := source.at("paths[%d]", i) // in the file, or nowhere if it is an argument
		named, err := parseAddress(text)
		if err != nil && written.isWritten() {
			err = written.mistake(err)
		}
		if err != nil {
			found.add(err)
			continue
		}
		p := place{address: identity(named)}
		info, err := os.Stat(p.path)
		known := slices.IndexFunc(before, func(b place) bool { return b.address == p.address })
		switch {
		case err == nil:
			p.isFolder = info.IsDir()
		case known >= 0 && errors.Is(err, fs.ErrNotExist):
			p = before[known]
		case written.isWritten():
			found.add(source.mistake(written.path, "%v", pathError(text, err)))
		default:
			found.add(pathError(text, err))
		}
		places = append(places, p)
	}
	return places, found.err()
}

// pathError explains why a path cannot be served.
func pathError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return unusableError("no such file or folder: %s", path)
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// identity is the same for all ways to write the address of an image.
func identity(a address) address {
	if absolute, err := filepath.Abs(a.path); err == nil {
		return address{absolute, a.page}
	}
	return address{filepath.Clean(a.path), a.page}
}

// sight is what one look into a folder found. Names of folders are all that is asked for:
// looking at each file would take as long as opening it, over a network.
type sight struct {
	files  []string       // in the order of their names, folder by folder
	unread []unreadFolder // not to be taken for empty
}

// unreadFolder could not be looked into.
type unreadFolder struct {
	path string
	err  error
}

// lookInto finds the files that are called rasters in a folder and below. It follows no links
// but the folder itself, for those may lead in circles, and passes over names that begin with
// a dot: bins, snapshots, and what a system notes beside a file. A folder that is gone is empty.
func lookInto(ctx context.Context, folder string) sight {
	var s sight
	s.walk(ctx, folder)
	return s
}

func (s *sight) walk(ctx context.Context, folder string) {
	entries, err := os.ReadDir(folder)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.unread = append(s.unread, unreadFolder{folder, err})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return byName(a.Name(), b.Name()) })
	for _, entry := range entries {
		switch {
		case isHidden(entry.Name()):
		case entry.IsDir():
			s.walk(ctx, filepath.Join(folder, entry.Name()))
		case isRaster(entry.Name()):
			s.files = append(s.files, filepath.Join(folder, entry.Name()))
		}
	}
}

// byName sorts names as people do, who do not put capitals first.
func byName(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// isRaster tells whether a file in a folder is to be a layer, by what its name ends in.
func isRaster(name string) bool {
	extension := strings.ToLower(filepath.Ext(name))
	return slices.ContainsFunc(formats, func(f format) bool { return slices.Contains(f.extensions, extension) })
}

func (s sight) isSame(other sight) bool {
	return slices.Equal(s.files, other.files) && slices.EqualFunc(s.unread, other.unread, func(a, b unreadFolder) bool { return a.path == b.path })
}

// hides tells whether a path may be there all the same, in a folder that was not read.
func (s *sight) hides(path string) bool {
	return slices.ContainsFunc(s.unread, func(u unreadFolder) bool {
		return strings.HasPrefix(path, strings.TrimSuffix(u.path, string(filepath.Separator))+string(filepath.Separator))
	})
}
