package library

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"tileserver/dataset"
	"tileserver/source"
)

// state lists the layers that are desired, and what the last scan found.
type state struct {
	files  source.Store
	ids    *ids
	layers []desiredLayer // those with settings
	paths  []servedPath
	scans  []folderScan // per path, by the last scan
	rescan time.Duration
	open   OpenLimits
	shared Shared
}

// successor returns the state after a change of what is desired. The error lists every mistake that
// shows without opening a file.
func (s *state) successor(ctx context.Context, files source.Store, d Desired) (next state, err error) {
	var found Mistakes
	next = state{files: files, ids: s.ids.clone(), rescan: d.Rescan, open: d.Open, shared: d.Shared}
	next.layers, err = next.configuredLayers(ctx, d.Layers)
	found.add(err)
	found.add(checkTerrains(next.layers))
	found.add(next.checkExist(ctx, s.layers))
	next.paths, err = next.servedPaths(ctx, d.Paths, s.paths)
	found.add(err)
	return next, found.err()
}

// checkExist returns a mistake for each layer with settings that has no file on disk, or an address that nobody
// has. The file of an earlier layer may be missing for a while.
func (s *state) checkExist(ctx context.Context, earlier []desiredLayer) error {
	var added []*desiredLayer
	var paths []string
	for i := range s.layers {
		w := &s.layers[i]
		isKnown := slices.ContainsFunc(earlier, func(b desiredLayer) bool { return b.image == w.image })
		if !isKnown && w.config != nil {
			added, paths = append(added, w), append(paths, w.image.Path)
		}
	}
	var found Mistakes
	for i, there := range source.StatAll(ctx, s.files, paths) {
		switch {
		case source.IsRemote(paths[i]) && errors.Is(there.Err, fs.ErrNotExist): // whoever opens it tells
		case errors.Is(there.Err, fs.ErrNotExist):
			found.add(added[i].explain(fs.ErrNotExist))
		case errors.Is(there.Err, source.ErrRemote):
			found.add(mistakeAt(added[i].config.Place, "path", there.Err))
		}
	}
	return found.err()
}

// noteScans records what scans found, and reports whether that differs from before. A path whose scan
// has not ended keeps the result of the one before. The caller skips further work in the usual case,
// where nothing changed.
func (s *state) noteScans(found map[location]folderScan) (changed bool) {
	latest := make([]folderScan, len(s.paths))
	for i, p := range s.paths {
		result, hasEnded := found[p.location]
		switch {
		case !p.isFolder:
		case hasEnded:
			latest[i] = result
		case s.scans != nil:
			latest[i] = s.scans[i]
		default:
			latest[i].unreadable = []unreadableFolder{{p.Path, unlistedError{}}}
		}
	}
	changed = !slices.EqualFunc(latest, s.scans, folderScan.isSame)
	s.scans = latest
	return changed
}

// pathsToScan returns the paths to scan next. Without rescans these are those that have yet to answer.
func (s *state) pathsToScan() (paths []servedPath) {
	for i, p := range s.paths {
		if p.isFolder && (s.rescan > 0 || s.scans[i].isStalled()) {
			paths = append(paths, p)
		}
	}
	return paths
}

// unreadable returns the folders that could not be read.
func (s *state) unreadable() []unreadableFolder {
	var all []unreadableFolder
	for _, found := range s.scans {
		all = append(all, found.unreadable...)
	}
	return all
}

// list returns all layers that should exist after a scan: first the configured layers, then the
// files of each path, in order. Earlier layers in an unreadable folder are assumed to still exist.
func (s *state) list(earlier []desiredLayer) []desiredLayer {
	list := slices.Clone(s.layers)
	added := make(map[dataset.Address]bool, len(earlier))
	for _, w := range list {
		added[w.image] = true
	}
	var named, scanned []origin
	allowed := s.accesses()
	add := func(o origin, to *[]origin) {
		if !added[o.Address] {
			added[o.Address] = true
			*to = append(*to, o)
			list = append(list, desiredLayer{image: o.Address, isNamed: to == &named, access: allowed.nearest(o.Address)})
		}
	}
	for i, served := range s.paths {
		if !served.isFolder || s.scans[i].isFile {
			add(originOf(served.Address), &named)
			continue
		}
		for _, path := range s.scans[i].files {
			add(origin{dataset.Address{Path: path, Number: 1}, served.Path}, &scanned)
		}
		for _, w := range earlier {
			if !w.isNamed && s.scans[i].mayContain(w.image.Path) {
				add(origin{w.image, served.Path}, &scanned)
			}
		}
	}
	s.ids.assign(named) // first, so that a file in a folder cannot change these names
	s.ids.assign(scanned)
	for i := len(s.layers); i < len(list); i++ {
		list[i].setName(s.ids.assigned[list[i].image])
	}
	s.ids.prune(list)
	for i := range s.layers {
		list[i].setTerrain(list)
	}
	return list
}

// emptiedFolders returns the folders that had files at an earlier scan and have none now.
func (s *state) emptiedFolders(before *state) []string {
	var paths []string
	for i, p := range s.paths {
		index := slices.IndexFunc(before.paths, p.isSame)
		isEmpty := len(s.scans[i].files)+len(s.scans[i].unreadable) == 0
		if isEmpty && index >= 0 && index < len(before.scans) && len(before.scans[index].files) > 0 {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// mustOpen reports whether a configuration is rejected if this file cannot be opened, unless its storage
// stalls. That holds for a file listed as a layer and for a single path. With several paths, the files that open are
// served.
func (s *state) mustOpen(w desiredLayer) bool {
	return w.config != nil || len(s.layers)+len(s.paths) == 1
}

// mayOpenLater reports whether an error of a file that must open need not be a mistake: its storage stalls, or it is one
// of several and lies on a server, which is in other hands. A wrong style of it is one.
func (s *state) mayOpenLater(w desiredLayer, err error) bool {
	isOneOfSeveral := len(s.layers)+len(s.paths) > 1
	return errors.Is(err, source.ErrStalled) || isOneOfSeveral && source.IsRemote(w.image.Path) && !errors.As(err, new(placedError))
}

// hasPath reports whether the configuration lists a path.
func (s *state) hasPath(path string) bool {
	return slices.ContainsFunc(s.paths, func(p servedPath) bool { return p.Path == path })
}
