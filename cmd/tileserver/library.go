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

	"tileserver/layer"
)

// library keeps the layers of a catalog in step with the configuration and with what is in
// the folders. It has no lock, for one goroutine uses it: that which starts the server, and
// then that which watches. Requests know the catalog only.
type library struct {
	logger  *slog.Logger
	catalog *layer.Catalog
	layerOf layerOf // of an image, as its file suggests

	asked     arrangement     // by the configuration that was applied last
	wanted    []wanted        // all layers that there should be, in order
	opened    map[string]held // those that there are, by id
	newcomers newcomers
	news      news

	nextScan time.Time
	unread   map[string]string // why folders could not be looked into, as it was told last

	started       atomic.Bool // what was there at the start is open, as far as it opens
	stylesAreNews bool        // of the configuration: whether any layer has them was not told yet
}

func newLibrary(catalog *layer.Catalog, layerOf layerOf, logger *slog.Logger) *library {
	return &library{
		logger: logger, catalog: catalog, layerOf: layerOf,
		asked: arrangement{ids: newIDs()}, opened: make(map[string]held), newcomers: newNewcomers(), unread: make(map[string]string),
	}
}

// apply has a configuration take the place of the one before it. What must open is open when
// it returns; of what was found in folders, the rest follows. An error leaves all as it was.
func (l *library) apply(ctx context.Context, c config) error {
	next, err := l.asked.successor(c)
	if err != nil {
		return err
	}
	began := time.Now()
	next.look(ctx)
	took := time.Since(began)
	for _, u := range next.unread() {
		if next.isPlace(u.path) {
			return u.err
		}
	}
	list := next.list(l.wanted)
	opened, err := l.prepare(ctx, &next, list)
	if err != nil {
		return err
	}
	l.warnOfEmptied(&l.asked, &next)
	l.asked, l.stylesAreNews = next, true
	l.replace(opened)
	began = time.Now()
	l.follow(list)
	l.scanned(took + time.Since(began))
	return nil
}

// rescan finds out what has come and gone in the folders.
func (l *library) rescan(ctx context.Context) {
	began, before := time.Now(), l.asked
	changed := l.asked.look(ctx)
	switch {
	case ctx.Err() != nil:
		return
	case changed:
		l.warnOfEmptied(&before, &l.asked)
		l.follow(l.asked.list(l.wanted))
	default:
		l.newcomers.look()
	}
	l.scanned(time.Since(began)) // with looking at files that wait, of which there may be many
}

// warnOfEmptied tells of folders whose files are all gone at once: where a file system is not
// mounted any more, an empty folder is left.
func (l *library) warnOfEmptied(before, now *arrangement) {
	for _, path := range now.emptied(before) {
		l.logger.Warn("all files of a folder are gone, removing their layers; is a file system not mounted?", "path", path)
	}
}

// restAfterScan is how many times as long as a look into the folders takes there is none: of
// large ones far away, nothing else would be done.
const restAfterScan = 20

// scanned notes when to look again, and tells of folders that could not be looked into.
func (l *library) scanned(took time.Duration) {
	l.nextScan = time.Now().Add(max(l.asked.rescan, restAfterScan*took))
	told := l.unread
	l.unread = make(map[string]string)
	for _, u := range l.asked.unread() {
		reason := u.err.Error()
		if told[u.path] != reason {
			l.logger.Warn("cannot read folder, keeping its layers", "path", u.path, "err", u.err)
		}
		l.unread[u.path] = reason
	}
}

// follow makes of what there is what there should be, as far as nothing must be opened for
// that.
func (l *library) follow(list []wanted) {
	byID := make(map[string]bool, len(list))
	for _, w := range list {
		byID[w.id] = true
	}
	for id, h := range l.opened {
		if !byID[id] {
			delete(l.opened, id)
			l.news.removed = append(l.news.removed, h.wanted)
		}
	}
	l.wanted = list
	l.newcomers.follow(list, l.opened)
	l.publish()
}

// prepare is what there is to be of a list right away: layers as they are, rebuilt ones, and
// those that must open.
func (l *library) prepare(ctx context.Context, next *arrangement, list []wanted) (map[string]held, error) {
	opened := make(map[string]held, len(list))
	sameShared := l.asked.shared.isSame(&next.shared)
	var missing []wanted
	var found mistakes
	for _, w := range list {
		have, ok := l.opened[w.id]
		switch isSame := ok && have.from == w.from && have.qualityLayers() == w.qualityLayers(); {
		case isSame && sameShared && reflect.DeepEqual(have.own, w.own):
			opened[w.id] = held{w, have.layer}
		case isSame:
			rebuilt, err := l.rebuild(have.layer, w, next.shared)
			found.add(err)
			opened[w.id] = held{w, rebuilt}
		case w.named:
			missing = append(missing, w)
		}
	}
	attempts := l.openEach(ctx, missing, next.shared, time.Time{})
	for i, a := range attempts {
		w := missing[i]
		switch {
		case a.err == nil:
			opened[w.id] = held{w, a.layer}
		case next.mustOpen(w):
			found.add(w.explain(a.err))
			if a.stack != "" {
				l.logger.Error("panic while opening file", "path", w.from, "stack", a.stack)
			}
		}
	}
	if err := cmp.Or(ctx.Err(), found.err()); err != nil {
		l.discard(attempts)
		return nil, err
	}
	l.refuseFailed(missing, attempts)
	return opened, nil
}

// refuseFailed notes which files could not be opened, and logs why.
func (l *library) refuseFailed(list []wanted, attempts []attempt) {
	for i, a := range attempts {
		if a.err != nil && l.newcomers.refuse(list[i], a.looks, a.err) {
			l.tellOfRefusal(list[i], a)
		}
	}
}

func (l *library) rebuild(old *layer.Layer, w wanted, shared shared) (*layer.Layer, error) {
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

// configOf is what a layer is made of; the log has a line when what replaces its file cannot
// be opened.
func (l *library) configOf(w wanted, shared shared) (layer.Config, error) {
	c := l.layerOf(w.from, w.id, w.qualityLayers())
	c.Title, c.Shared, c.TileSets = w.title, shared.styles, shared.tileSets
	c.OnReopenError = func(err error) {
		level := slog.LevelWarn
		if !w.named && errors.Is(err, fs.ErrNotExist) {
			level = slog.LevelDebug // the next scan of the folder removes the layer, and logs that
		}
		l.logger.Log(context.Background(), level, "changed file cannot be opened", "layer", w.id, "err", err)
	}
	if w.own == nil {
		return c, nil
	}
	err := w.own.apply(&c, w.place)
	return c, err
}

// check finds out now what is wrong with the styles that the configuration gives to a layer.
func (l *library) check(w wanted, opened *layer.Layer) error {
	if w.own == nil {
		return nil
	}
	if err := l.catalog.CheckStyles(opened); err != nil {
		return w.place.mistake(err)
	}
	return nil
}

// replace has other layers take the place of those that there are.
func (l *library) replace(opened map[string]held) {
	for id, h := range l.opened {
		if _, stays := opened[id]; !stays {
			l.news.removed = append(l.news.removed, h.wanted)
		}
	}
	for id, h := range opened {
		if _, was := l.opened[id]; !was {
			l.news.added = append(l.news.added, h.wanted)
		}
	}
	l.opened = opened
}

// publish has requests find what there is of what is wanted.
func (l *library) publish() {
	layers := make([]*layer.Layer, 0, len(l.opened))
	for _, w := range l.wanted {
		if h, ok := l.opened[w.id]; ok {
			layers = append(layers, h.layer)
		}
	}
	if err := l.catalog.Serve(layers); err != nil {
		l.logger.Error("cannot publish layers", "err", err)
		return
	}
	if l.started.Load() {
		l.news.tell(l.logger)
	}
	l.news = news{}
	if l.stylesAreNews && len(l.newcomers.ready) == 0 {
		l.stylesAreNews = false
		l.warnOfUnusedStyles(layers)
	}
}

// warnOfUnusedStyles tells of shared styles that no layer can be shown with, which may be
// mistakes.
func (l *library) warnOfUnusedStyles(layers []*layer.Layer) {
	for _, style := range l.asked.shared.styles {
		used := slices.ContainsFunc(layers, func(l *layer.Layer) bool {
			_, err := l.Style(style.Name)
			return err == nil
		})
		if !used {
			l.logger.Warn("style fits no layer", "style", style.Name)
		}
	}
}
