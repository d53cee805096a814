package library

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"tileserver/access"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/source"
)

// Library keeps the layers of a catalog in step with the configuration and with the folders. It has
// no lock, since only one goroutine at a time uses it: the one that starts the server, then the one
// that watches. Request handlers use the catalog only, and Rescan.
type Library struct {
	Config

	desired state                // as applied last
	layers  []desiredLayer       // all desired layers, in order
	offered []desiredLayer       // those of them that are opened when somebody asks for them
	opened  map[string]openLayer // by id
	pending pendingFiles
	changes layerChanges

	openings   openings
	scans      scans
	asked      chan chan<- Rescanned // by Rescan
	nextScan   time.Time
	unreadable map[string]string // reasons already logged, by unreadable folder
	problems   atomic.Pointer[[]string]

	started         atomic.Bool // every file found at the start was opened or has failed
	stylesUnchecked bool        // whether unused styles have yet to be checked
}

// Config configures a Library.
type Config struct {
	Catalog  *layer.Catalog
	Files    source.Store           // where all files lie
	IsRaster func(name string) bool // whether a file in a folder is served, by its name

	// Open opens an image.
	Open func(image dataset.Address, options dataset.Options) layer.Open

	Logger *slog.Logger
}

// New returns a library that serves nothing yet.
func New(c Config) *Library {
	l := &Library{
		Config: c, desired: state{ids: newIDs()}, opened: make(map[string]openLayer),
		pending: newPendingFiles(c.Files), unreadable: make(map[string]string), openings: newOpenings(),
		asked: make(chan chan<- Rescanned),
	}
	l.scans = newScans(&l.Config)
	return l
}

// Apply replaces what is desired. When it returns, every file that must open is open; other files
// are opened later. On an error nothing changes.
func (l *Library) Apply(ctx context.Context, d Desired) error {
	next, err := l.desired.successor(ctx, l.Files, d)
	if err != nil {
		return err
	}
	l.scans.start(ctx, next.paths)
	found, took := l.scans.await(ctx)
	next.noteScans(found)
	for _, u := range next.unreadable() {
		if next.hasPath(u.path) && !errors.Is(u.err, source.ErrStalled) { // one that stalls is no mistake
			return u.err
		}
	}
	list := next.list(l.layers)
	opened, err := l.prepare(ctx, &next, list)
	if err != nil {
		return err
	}
	l.warnEmptied(&l.desired, &next)
	if !l.desired.shared.isSame(&next.shared) {
		l.pending.openAgain()
	}
	l.desired, l.stylesUnchecked = next, true
	l.replace(opened)
	began := time.Now()
	l.reconcile(ctx, list)
	l.finishScan(took + time.Since(began))
	return nil
}

// rescan scans the folders and applies what was added or removed.
func (l *Library) rescan(ctx context.Context) {
	l.scans.start(ctx, l.desired.pathsToScan())
	found, took := l.scans.await(ctx)
	l.applyScans(ctx, found, took)
}

// takeScans applies the results of scans that nobody waited for.
func (l *Library) takeScans(ctx context.Context) {
	if found, took := l.scans.await(ctx); len(found) > 0 {
		l.applyScans(ctx, found, took)
	}
}

// applyScans applies what scans found, of which the longest took some time.
func (l *Library) applyScans(ctx context.Context, found map[location]folderScan, took time.Duration) {
	began, before := time.Now(), l.desired
	changed := l.desired.noteScans(found)
	switch {
	case ctx.Err() != nil:
		return
	case changed:
		l.warnEmptied(&before, &l.desired)
		l.reconcile(ctx, l.desired.list(l.layers))
	default:
		l.pending.check(ctx)
	}
	l.finishScan(took + time.Since(began)) // includes checking waiting files, which may be many
}

// warnEmptied warns of folders that lost all their files at once. An unmounted file system leaves
// an empty folder behind.
func (l *Library) warnEmptied(before, now *state) {
	for _, path := range now.emptiedFolders(before) {
		l.Logger.Warn("all files of a folder are gone, removing their layers; is a file system not mounted?", "path", source.Redacted(path))
	}
}

// restAfterScan is the pause after a scan, as a multiple of its duration. It keeps scans of large
// remote folders from taking all the time.
const restAfterScan = 20

// finishScan schedules the next scan and tells of folders that could not be read.
func (l *Library) finishScan(took time.Duration) {
	l.nextScan = time.Now().Add(max(cmp.Or(l.desired.rescan, stalledRetry), restAfterScan*took))
	logged := l.unreadable
	l.unreadable = make(map[string]string)
	var problems []string
	for _, u := range l.desired.unreadable() {
		reason := u.err.Error()
		if logged[u.path] != reason {
			l.Logger.Warn("cannot read folder, keeping its layers", "path", source.Redacted(u.path), "err", u.err)
		}
		l.unreadable[u.path] = reason
		if len(problems) < maxProblems {
			problems = append(problems, "folder "+source.Redacted(u.path)+" cannot be read: "+reason)
		}
	}
	l.problems.Store(&problems)
}

// reconcile applies every change to a new list that needs no file to be opened, and publishes it.
func (l *Library) reconcile(ctx context.Context, list []desiredLayer) {
	toOpen, offered := l.desired.open.split(list)
	byID := make(map[string]bool, len(toOpen))
	for _, w := range toOpen {
		byID[w.id] = true
	}
	for id, h := range l.opened {
		if !byID[id] {
			delete(l.opened, id)
			l.changes.removed = append(l.changes.removed, h.desiredLayer)
		}
	}
	l.layers = list
	l.pending.update(ctx, toOpen, l.opened)
	l.publish()
	l.offer(offered)
}

// prepare returns the layers that can be served at once: unchanged ones, rebuilt ones, and those
// whose files are named and open now.
func (l *Library) prepare(ctx context.Context, next *state, list []desiredLayer) (map[string]openLayer, error) {
	opened := make(map[string]openLayer, len(list))
	sameShared := l.desired.shared.isSame(&next.shared)
	var missing []desiredLayer
	var found Mistakes
	for _, w := range list {
		current, ok := l.opened[w.id]
		switch isSame := ok && current.isOpenedAs(w); {
		case isSame && sameShared && current.isWrittenAs(w):
			opened[w.id] = openLayer{w, current.layer}
		case isSame:
			rebuilt, err := l.rebuild(current.layer, w, next.shared)
			found.add(err)
			opened[w.id] = openLayer{w, rebuilt}
		case w.isNamed:
			missing = append(missing, w)
		}
	}
	results := l.openAll(ctx, missing, next.shared)
	for i, result := range results {
		w := missing[i]
		switch {
		case result.err == nil:
			opened[w.id] = openLayer{w, result.layer}
		case next.mustOpen(w) && !next.mayOpenLater(w, result.err):
			found.add(w.explain(result.err))
			if result.stack != "" {
				l.Logger.Error("panic while opening file", "path", w.image, "stack", result.stack)
			}
		}
	}
	if err := cmp.Or(ctx.Err(), found.err()); err != nil {
		l.discard(results)
		return nil, err
	}
	l.noteFailures(missing, results)
	return opened, nil
}

// noteFailures records which files could not be opened, and logs why.
func (l *Library) noteFailures(list []desiredLayer, results []openResult) {
	for i, result := range results {
		if result.err != nil && l.pending.noteFailure(list[i], result.state, result.err) {
			l.logSkipped(list[i], result)
		}
	}
}

func (l *Library) rebuild(old *layer.Layer, w desiredLayer, shared Shared) (*layer.Layer, error) {
	rebuilt, err := l.Catalog.Rebuild(old, l.configOf(w, shared))
	if err != nil {
		return nil, err
	}
	return rebuilt, l.check(w, rebuilt)
}

// configOf returns the configuration of a layer. The layer logs a warning when its changed file
// cannot be opened.
func (l *Library) configOf(w desiredLayer, shared Shared) layer.Config {
	c := layer.Config{Access: *cmp.Or(w.access, new(access.Policy))}
	if w.config != nil {
		c = w.config.Settings
	}
	c.ID, c.Title, c.Open = w.id, cmp.Or(c.Title, w.title), l.Open(w.image, w.options())
	c.Shared, c.TileSets = shared.Styles, shared.TileSets
	c.OnReopenError = func(err error) {
		level := slog.LevelWarn
		if !w.isNamed && errors.Is(err, fs.ErrNotExist) {
			level = slog.LevelDebug // the next scan of the folder removes the layer, and logs that
		}
		l.Logger.Log(context.Background(), level, "changed file cannot be opened", "layer", w.id, "err", w.fileError(err).Reason())
	}
	return c
}

// check returns the mistakes in the styles that the configuration gives to a layer.
func (l *Library) check(w desiredLayer, opened *layer.Layer) error {
	if w.config == nil {
		return nil
	}
	if err := opened.CheckStyles(); err != nil {
		return mistakeAt(w.config.Place, "", err)
	}
	return nil
}

// replace sets the open layers and records which were added and removed.
func (l *Library) replace(opened map[string]openLayer) {
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
func (l *Library) publish() {
	layers := make([]*layer.Layer, 0, len(l.opened))
	for _, w := range l.layers {
		if h, ok := l.opened[w.id]; ok {
			layers = append(layers, h.layer)
		}
	}
	if err := l.Catalog.Serve(layers); err != nil {
		l.Logger.Error("cannot publish layers", "err", err)
		return
	}
	if l.started.Load() {
		l.changes.log(l.Logger)
	}
	l.changes = layerChanges{}
	if l.stylesUnchecked && l.pending.isEmpty() {
		l.stylesUnchecked = false
		l.warnUnusedStyles(layers)
	}
}

// warnUnusedStyles warns of shared styles that fit no layer, which may be mistakes.
func (l *Library) warnUnusedStyles(layers []*layer.Layer) {
	for _, style := range l.desired.shared.Styles {
		used := slices.ContainsFunc(layers, func(l *layer.Layer) bool {
			_, err := l.Style(style.Name)
			return err == nil
		})
		if !used {
			l.Logger.Warn("style fits no layer", "style", style.Name)
		}
	}
}
