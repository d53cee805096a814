package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"

	"tileserver/access"
	"tileserver/dataset"
	"tileserver/source"
)

// servedPath is a path to serve, with what the configuration says of it.
type servedPath struct {
	location
	access *access.Policy // of its layers
}

// location is an image, or a folder of files. Scans are known by it, since what they find depends on
// nothing else and outlasts a change of the configuration.
type location struct {
	dataset.Address
	isFolder bool
	isUnseen bool // its storage has not answered: it is taken for a folder, and may be a file
}

// isSame reports whether both are the same file or folder.
func (p servedPath) isSame(other servedPath) bool { return p.location == other.location }

// accesses hold what requests may ask of the layers of each path.
type accesses map[dataset.Address]*access.Policy

// accesses returns those of the served paths. Of a path that is listed twice, the first counts.
func (s *state) accesses() accesses {
	all := make(accesses, len(s.paths))
	for i, p := range s.paths {
		at := p.Address
		if p.isFolder && !s.scans[i].isFile {
			at.Number = 1 // as nearest looks for folders
		}
		if _, isListed := all[at]; !isListed {
			all[at] = p.access
		}
	}
	return all
}

// nearest returns the access of the longest path that contains an image. So a folder may allow less
// than the one around it, whichever of them is scanned first.
func (a accesses) nearest(at dataset.Address) *access.Policy {
	above := dataset.Address{Path: source.Folder(at.Path), Number: 1}
	if own, isListed := a[at]; isListed || above.Path == at.Path {
		return own
	}
	return a.nearest(above)
}

// servedPaths resolves the paths to serve. A path that existed before may be missing for a while. One
// whose storage does not answer is resolved by scans. The address of a folder is not asked for.
func (s *state) servedPaths(ctx context.Context, paths []Path, earlier []servedPath) ([]servedPath, error) {
	resolved, errs := make([]servedPath, len(paths)), make([]error, len(paths))
	var asked []int
	var places []string
	for i, path := range paths {
		var named dataset.Address
		named, errs[i] = dataset.ParseAddress(ctx, s.files, path.Text)
		resolved[i].Address, resolved[i].access = named.Canonical(s.files), &paths[i].Access
		if resolved[i].isFolder = source.NamesFolder(path.Text); !resolved[i].isFolder && errs[i] == nil {
			asked, places = append(asked, i), append(places, resolved[i].Path)
		}
	}
	for n, there := range source.StatAll(ctx, s.files, places) {
		i := asked[n]
		errs[i] = resolved[i].resolve(there, paths[i].Text, earlier)
	}
	var found Mistakes
	for i, err := range errs {
		if err != nil && paths[i].Place != nil {
			err = mistakeAt(paths[i].Place, "", err)
		}
		found.add(err)
	}
	return resolved, found.err()
}

// resolve sets what lies at the path.
func (p *servedPath) resolve(there source.Found, text string, earlier []servedPath) error {
	known := slices.IndexFunc(earlier, func(b servedPath) bool { return b.Address == p.Address })
	isStalled := errors.Is(there.Err, source.ErrStalled)
	switch {
	case there.Err == nil:
		p.isFolder = there.Mode.IsDir()
	case known >= 0 && (isStalled || errors.Is(there.Err, fs.ErrNotExist)):
		p.isFolder, p.isUnseen = earlier[known].isFolder, earlier[known].isUnseen
	case isStalled:
		p.isFolder, p.isUnseen = true, true
	case source.IsRemote(p.Path) && !errors.Is(there.Err, source.ErrRemote):
		return nil // a server that refuses, or lacks it, may not tomorrow; whoever opens the file tells why
	default:
		return dataset.PathError(text, there.Err)
	}
	return nil
}

// folderScan is the result of one scan of a folder. A scan lists names only: over a network,
// reading the metadata of each file would take as long as opening it.
type folderScan struct {
	isFile     bool               // it is no folder, although that was taken for one
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
	stalled  error // of the first call that the storage did not answer
}

// scanSafely finds the files of a path. A folder whose scan panics is unreadable, so that its layers
// stay.
func (p *location) scanSafely(ctx context.Context, c *Config) (found folderScan) {
	defer func() {
		if panicked := recover(); panicked != nil {
			c.Logger.Error("panic in the scan of a folder", "path", p.Address, "panic", panicked, "stack", string(debug.Stack()))
			found = folderScan{unreadable: []unreadableFolder{{p.Path, fmt.Errorf("panic: %v", panicked)}}}
		}
	}()
	return p.scan(ctx, c.Files, c.IsRaster)
}

// scan finds the files of a path.
func (p *location) scan(ctx context.Context, files source.Store, isRaster func(name string) bool) folderScan {
	if p.isUnseen {
		switch there, err := files.Stat(ctx, p.Path); {
		case err != nil:
			return folderScan{unreadable: []unreadableFolder{{p.Path, err}}}
		case !there.Mode.IsDir():
			return folderScan{isFile: true}
		}
	}
	return scanFolder(ctx, files, p.Path, isRaster)
}

// scanFolder finds the files with the name of a raster in a folder and below. It follows no links
// except the folder itself, since links may form cycles. It skips names that begin with a dot:
// trash, snapshots, and files that a system adds. A missing folder is empty. After the first call that
// stalls it makes no other.
func scanFolder(ctx context.Context, files source.Store, folder string, isRaster func(name string) bool) folderScan {
	s := scanner{files: files, isRaster: isRaster}
	s.scan(ctx, folder)
	return s.found
}

func (s *scanner) scan(ctx context.Context, folder string) {
	entries, err := s.list(ctx, folder)
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

// list lists a folder, unless another one stalled.
func (s *scanner) list(ctx context.Context, folder string) ([]source.Entry, error) {
	if s.stalled != nil {
		return nil, s.stalled
	}
	entries, err := s.files.List(ctx, folder)
	if errors.Is(err, source.ErrStalled) {
		s.stalled = err
	}
	return entries, cmp.Or(err, ctx.Err())
}

// byName compares names without regard to case, then by case.
func byName(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

func (s folderScan) isSame(other folderScan) bool {
	return s.isFile == other.isFile && slices.Equal(s.files, other.files) && slices.EqualFunc(s.unreadable, other.unreadable, func(a, b unreadableFolder) bool { return a.path == b.path })
}

// mayContain reports whether a path may exist in a folder that could not be read.
func (s *folderScan) mayContain(path string) bool {
	return slices.ContainsFunc(s.unreadable, func(u unreadableFolder) bool { return source.IsBelow(u.path, path) })
}
