package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"tileserver/config"
	"tileserver/layer"
)

// library keeps the layers of a catalog in step with the configuration and with the folders. It has
// no lock, since only one goroutine at a time uses it: the one that starts the server, then the one
// that watches. Request handlers use the catalog only.
type library struct {
	logger   *slog.Logger
	catalog  *layer.Catalog
	layerOf  layerConfigFunc        // default configuration of the layer of an image
	isRaster func(name string) bool // by the extension

	desired desiredState         // by the configuration applied last
	layers  []desiredLayer       // all desired layers, in order
	opened  map[string]openLayer // by id
	pending pendingFiles
	changes layerChanges

	nextScan   time.Time
	unreadable map[string]string // reasons already logged, by unreadable folder

	started         atomic.Bool // every file found at the start was opened or has failed
	stylesUnchecked bool        // whether unused styles have yet to be checked
}

func newLibrary(catalog *layer.Catalog, layerOf layerConfigFunc, isRaster func(name string) bool, logger *slog.Logger) *library {
	return &library{
		logger: logger, catalog: catalog, layerOf: layerOf, isRaster: isRaster,
		desired: desiredState{ids: newIDs()}, opened: make(map[string]openLayer), pending: newPendingFiles(), unreadable: make(map[string]string),
	}
}

// apply replaces the configuration. When it returns, every file that must open is open; other files
// are opened later. On an error nothing changes.
func (l *library) apply(ctx context.Context, c config.Config) error {
	next, err := l.desired.successor(c)
	if err != nil {
		return err
	}
	began := time.Now()
	next.scan(ctx, l.isRaster)
	took := time.Since(began)
	for _, u := range next.unreadable() {
		if next.hasPath(u.path) {
			return u.err
		}
	}
	list := next.list(l.layers)
	opened, err := l.prepare(ctx, &next, list)
	if err != nil {
		return err
	}
	l.warnEmptied(&l.desired, &next)
	l.desired, l.stylesUnchecked = next, true
	l.replace(opened)
	began = time.Now()
	l.reconcile(list)
	l.finishScan(took + time.Since(began))
	return nil
}

// rescan scans the folders and applies what was added or removed.
func (l *library) rescan(ctx context.Context) {
	began, before := time.Now(), l.desired
	changed := l.desired.scan(ctx, l.isRaster)
	switch {
	case ctx.Err() != nil:
		return
	case changed:
		l.warnEmptied(&before, &l.desired)
		l.reconcile(l.desired.list(l.layers))
	default:
		l.pending.check()
	}
	l.finishScan(time.Since(began)) // includes checking waiting files, which may be many
}

// warnEmptied warns of folders that lost all their files at once. An unmounted file system leaves
// an empty folder behind.
func (l *library) warnEmptied(before, now *desiredState) {
	for _, path := range now.emptiedFolders(before) {
		l.logger.Warn("all files of a folder are gone, removing their layers; is a file system not mounted?", "path", path)
	}
}

// restAfterScan is the pause after a scan, as a multiple of its duration. It keeps scans of large
// remote folders from taking all the time.
const restAfterScan = 20

// finishScan schedules the next scan and warns of folders that could not be read.
func (l *library) finishScan(took time.Duration) {
	l.nextScan = time.Now().Add(max(l.desired.rescan, restAfterScan*took))
	logged := l.unreadable
	l.unreadable = make(map[string]string)
	for _, u := range l.desired.unreadable() {
		reason := u.err.Error()
		if logged[u.path] != reason {
			l.logger.Warn("cannot read folder, keeping its layers", "path", u.path, "err", u.err)
		}
		l.unreadable[u.path] = reason
	}
}

// reconcile applies every change to a new list that needs no file to be opened, and publishes it.
func (l *library) reconcile(list []desiredLayer) {
	byID := make(map[string]bool, len(list))
	for _, w := range list {
		byID[w.id] = true
	}
	for id, h := range l.opened {
		if !byID[id] {
			delete(l.opened, id)
			l.changes.removed = append(l.changes.removed, h.desiredLayer)
		}
	}
	l.layers = list
	l.pending.update(list, l.opened)
	l.publish()
}

// prepare returns the layers that can be served at once: unchanged ones, rebuilt ones, and those
// whose files are named and open now.
func (l *library) prepare(ctx context.Context, next *desiredState, list []desiredLayer) (map[string]openLayer, error) {
	opened := make(map[string]openLayer, len(list))
	sameShared := l.desired.shared.isSame(&next.shared)
	var missing []desiredLayer
	var found config.Mistakes
	for _, w := range list {
		current, ok := l.opened[w.id]
		switch isSame := ok && current.image == w.image && current.qualityLayers() == w.qualityLayers(); {
		case isSame && sameShared && reflect.DeepEqual(current.config, w.config):
			opened[w.id] = openLayer{w, current.layer}
		case isSame:
			rebuilt, err := l.rebuild(current.layer, w, next.shared)
			found.Add(err)
			opened[w.id] = openLayer{w, rebuilt}
		case w.isNamed:
			missing = append(missing, w)
		}
	}
	results := l.openFiles(ctx, missing, next.shared, time.Time{})
	for i, result := range results {
		w := missing[i]
		switch {
		case result.err == nil:
			opened[w.id] = openLayer{w, result.layer}
		case next.mustOpen(w):
			found.Add(w.explain(result.err))
			if result.stack != "" {
				l.logger.Error("panic while opening file", "path", w.image, "stack", result.stack)
			}
		}
	}
	if err := cmp.Or(ctx.Err(), found.Err()); err != nil {
		l.discard(results)
		return nil, err
	}
	l.noteFailures(missing, results)
	return opened, nil
}

// noteFailures records which files could not be opened, and logs why.
func (l *library) noteFailures(list []desiredLayer, results []openResult) {
	for i, result := range results {
		if result.err != nil && l.pending.noteFailure(list[i], result.state, result.err) {
			l.logSkipped(list[i], result)
		}
	}
}

func (l *library) rebuild(old *layer.Layer, w desiredLayer, shared sharedConfig) (*layer.Layer, error) {
	c, err := l.configOf(w, shared)
	if err != nil {
		return nil, err
	}
	rebuilt, err := l.catalog.Rebuild(old, c)
	if err != nil {
		return nil, err
	}
	return rebuilt, l.check(w, rebuilt)
}

// configOf returns the configuration of a layer. The layer logs a warning when its changed file
// cannot be opened.
func (l *library) configOf(w desiredLayer, shared sharedConfig) (layer.Config, error) {
	c := l.layerOf(w.image, w.id, w.qualityLayers())
	c.Title, c.Shared, c.TileSets = w.title, shared.styles, shared.tileSets
	c.OnReopenError = func(err error) {
		level := slog.LevelWarn
		if !w.isNamed && errors.Is(err, fs.ErrNotExist) {
			level = slog.LevelDebug // the next scan of the folder removes the layer, and logs that
		}
		l.logger.Log(context.Background(), level, "changed file cannot be opened", "layer", w.id, "err", err)
	}
	if w.config == nil {
		return c, nil
	}
	err := configureLayer(&c, w.config, w.location)
	return c, err
}

// check returns the mistakes in the styles that the configuration gives to a layer.
func (l *library) check(w desiredLayer, opened *layer.Layer) error {
	if w.config == nil {
		return nil
	}
	if err := opened.CheckStyles(); err != nil {
		return w.location.Mistake(err)
	}
	return nil
}

// replace sets the open layers and records which were added and removed.
func (l *library) replace(opened map[string]openLayer) {
	for id, h := range l.opened {
		if _, remains := opened[id]; !remains {
			l.changes.removed = append(l.changes.removed, h.desiredLayer)
		}
	}
	for id, h := range opened {
		if _, existed := l.opened[id]; !existed {
			l.changes.added = append(l.changes.added, h.desiredLayer)
		}
	}
	l.opened = opened
}

// publish makes the open layers visible to requests, in the order of the list.
func (l *library) publish() {
	layers := make([]*layer.Layer, 0, len(l.opened))
	for _, w := range l.layers {
		if h, ok := l.opened[w.id]; ok {
			layers = append(layers, h.layer)
		}
	}
	if err := l.catalog.Serve(layers); err != nil {
		l.logger.Error("cannot publish layers", "err", err)
		return
	}
	if l.started.Load() {
		l.changes.log(l.logger)
	}
	l.changes = layerChanges{}
	if l.stylesUnchecked && len(l.pending.ready) == 0 {
		l.stylesUnchecked = false
		l.warnUnusedStyles(layers)
	}
}

// warnUnusedStyles warns of shared styles that fit no layer, which may be mistakes.
func (l *library) warnUnusedStyles(layers []*layer.Layer) {
	for _, style := range l.desired.shared.styles {
		used := slices.ContainsFunc(layers, func(l *layer.Layer) bool {
			_, err := l.Style(style.Name)
			return err == nil
		})
		if !used {
			l.logger.Warn("style fits no layer", "style", style.Name)
		}
	}
}
