package main

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"time"

	"tileserver/config"
	"tileserver/dataset"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/source/local"
	"tileserver/style"
)

// desiredState lists the layers that one configuration asks for.
type desiredState struct {
	ids    *ids
	layers []desiredLayer // those in its list of layers
	paths  []servedPath   // those in its list of paths
	scans  []folderScan   // per path, by the last scan
	rescan time.Duration

	shared sharedConfig
}

// sharedConfig is the part of the configuration that applies to every layer.
type sharedConfig struct {
	styles   []style.Named // apply to every layer that can be shown in them
	tileSets []*geo.TileMatrixSet

	styleConfigs []config.NamedStyle // as configured, to detect a change
	tileSetTexts []string            // as configured, to detect a change
}

// isSame reports whether both were configured alike.
func (s *sharedConfig) isSame(other *sharedConfig) bool {
	return reflect.DeepEqual(s.styleConfigs, other.styleConfigs) && slices.Equal(s.tileSetTexts, other.tileSetTexts)
}

// newSharedConfig resolves the shared part of a configuration.
func newSharedConfig(c config.Config) (s sharedConfig, err error) {
	var found config.Mistakes
	s.styleConfigs = c.Styles
	s.styles, err = config.ParseStyles(c.Styles, c.At("styles"))
	found.Add(err)
	for i := range c.TileMatrixSets {
		text, set, err := c.TileMatrixSets[i].Read()
		if err != nil {
			found.Add(c.At("tile_matrix_sets[%d]", i).Mistakef("%v", err))
			continue
		}
		s.tileSetTexts = append(s.tileSetTexts, text)
		s.tileSets = append(s.tileSets, set)
	}
	if err := layer.CheckTileSets(s.tileSets); err != nil {
		found.Add(c.At("tile_matrix_sets").Mistake(err))
	}
	return s, found.Err()
}

// successor returns the state that configuration c asks for. The error lists every mistake in c
// that shows without opening a file.
func (d *desiredState) successor(c config.Config) (next desiredState, err error) {
	var found config.Mistakes
	next = desiredState{ids: d.ids.clone(), rescan: time.Duration(c.Rescan)}
	next.shared, err = newSharedConfig(c)
	found.Add(err)
	next.layers, err = configuredLayers(&c, next.ids)
	found.Add(err)
	for i := range c.Layers {
		found.Add(configureLayer(new(layer.Config), &c.Layers[i], c.At("layers[%d]", i)))
	}
	for _, w := range next.layers {
		found.Add(d.checkExists(w))
	}
	next.paths, err = servedPaths(&c, d.paths)
	found.Add(err)
	return next, found.Err()
}

// checkExists returns an error if a configured layer has no file. The file of a layer that was
// configured before may be missing for a while.
func (d *desiredState) checkExists(w desiredLayer) error {
	isKnown := slices.ContainsFunc(d.layers, func(b desiredLayer) bool { return b.image == w.image })
	if isKnown || w.config == nil || w.config.Path == "" || exists(w.image.Path) {
		return nil
	}
	return w.explain(fs.ErrNotExist)
}

// configuredLayers returns the layers that a configuration lists, each with a unique id. Configured
// ids take precedence over ids derived from file names, whatever their order in the list.
func configuredLayers(c *config.Config, ids *ids) ([]desiredLayer, error) {
	var found config.Mistakes
	layers := make([]desiredLayer, len(c.Layers))
	for i := range c.Layers {
		entry, location := &c.Layers[i], c.At("layers[%d]", i)
		if entry.Path == "" {
			continue // validate has reported this
		}
		image, err := dataset.ParseAddress(context.Background(), local.Store{}, entry.Path)
		if err != nil {
			found.Add(location.At("path").Mistake(err))
			continue
		}
		layers[i] = desiredLayer{id: entry.ID, image: image.Canonical(local.Store{}), isNamed: true, config: entry, location: location}
		if entry.ID == "" {
			continue
		}
		if err := ids.checkClaim(entry.ID, layers[i].image); err != nil {
			found.Add(location.At("id").Mistake(err))
			continue
		}
		ids.claim(entry.ID, layers[i].image)
	}
	var unnamed []origin
	for _, w := range layers {
		if w.config != nil && w.id == "" {
			unnamed = append(unnamed, originOf(w.image))
		}
	}
	ids.assign(unnamed)
	taken := make(map[string]bool)
	for i := range layers {
		w := &layers[i]
		if w.config == nil {
			continue // its path is invalid
		}
		if w.id == "" {
			w.setName(ids.assigned[w.image])
		}
		if taken[w.id] {
			found.Add(w.location.Mistake(fmt.Errorf("another layer has the id %q", w.id)))
		}
		taken[w.id] = true
	}
	return layers, found.Err()
}

// scan scans the folders and reports whether the result differs from the last scan. The caller
// skips further work in the usual case, where nothing changed.
func (d *desiredState) scan(ctx context.Context, isRaster func(name string) bool) (changed bool) {
	found := make([]folderScan, len(d.paths))
	for i, p := range d.paths {
		if p.isFolder {
			found[i] = scanFolder(ctx, p.Path, isRaster)
		}
	}
	changed = !slices.EqualFunc(found, d.scans, folderScan.isSame)
	d.scans = found
	return changed
}

// unreadable returns the folders that could not be read.
func (d *desiredState) unreadable() []unreadableFolder {
	var all []unreadableFolder
	for _, found := range d.scans {
		all = append(all, found.unreadable...)
	}
	return all
}

// list returns all layers that should exist after a scan: first the configured layers, then the
// files of each path, in order. Earlier layers in an unreadable folder are assumed to still exist.
func (d *desiredState) list(earlier []desiredLayer) []desiredLayer {
	list := slices.Clone(d.layers)
	added := make(map[dataset.Address]bool, len(earlier))
	for _, w := range list {
		added[w.image] = true
	}
	var named, scanned []origin
	add := func(o origin, to *[]origin) {
		if !added[o.Address] {
			added[o.Address] = true
			*to = append(*to, o)
			list = append(list, desiredLayer{image: o.Address, isNamed: to == &named})
		}
	}
	for i, served := range d.paths {
		if !served.isFolder {
			add(originOf(served.Address), &named)
			continue
		}
		for _, path := range d.scans[i].files {
			add(origin{dataset.Address{Path: path, Number: 1}, served.Path}, &scanned)
		}
		for _, w := range earlier {
			if !w.isNamed && d.scans[i].mayContain(w.image.Path) {
				add(origin{w.image, served.Path}, &scanned)
			}
		}
	}
	d.ids.assign(named) // first, so that a file in a folder cannot change these names
	d.ids.assign(scanned)
	for i := len(d.layers); i < len(list); i++ {
		list[i].setName(d.ids.assigned[list[i].image])
	}
	d.ids.prune(list)
	return list
}

// emptiedFolders returns the folders that had files at an earlier scan and have none now.
func (d *desiredState) emptiedFolders(before *desiredState) []string {
	var paths []string
	for i, p := range d.paths {
		index := slices.IndexFunc(before.paths, func(b servedPath) bool { return b == p })
		isEmpty := len(d.scans[i].files)+len(d.scans[i].unreadable) == 0
		if isEmpty && index >= 0 && index < len(before.scans) && len(before.scans[index].files) > 0 {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// mustOpen reports whether a configuration is rejected if this file cannot be opened. That holds
// for a file listed as a layer and for a single path. With several paths, the files that open are
// served.
func (d *desiredState) mustOpen(w desiredLayer) bool {
	return w.config != nil || len(d.layers)+len(d.paths) == 1
}

// hasPath reports whether the configuration lists a path.
func (d *desiredState) hasPath(path string) bool {
	return slices.ContainsFunc(d.paths, func(p servedPath) bool { return p.Path == path })
}

// watchesFolders reports whether a rescan may add layers.
func (d *desiredState) watchesFolders() bool {
	return d.rescan > 0 && slices.ContainsFunc(d.paths, func(p servedPath) bool { return p.isFolder })
}
