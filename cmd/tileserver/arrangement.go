package main

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"time"

	"tileserver/geo"
	"tileserver/layer"
)

// arrangement is which layers a configuration asks for.
type arrangement struct {
	ids    *ids
	layers []wanted // by themselves
	places []place  // whatever is there
	found  []sight  // at the places, at the last look
	rescan time.Duration

	shared shared
}

// shared is what all layers have in common.
type shared struct {
	styles   []layer.NamedStyle // of those that can be shown so
	tileSets []*geo.TileMatrixSet

	saidOfStyles   []namedStyle // in the configuration
	saidOfTileSets []string     // in it or in a file that it names
}

// isSame tells whether the same is said.
func (s *shared) isSame(other *shared) bool {
	return reflect.DeepEqual(s.saidOfStyles, other.saidOfStyles) && slices.Equal(s.saidOfTileSets, other.saidOfTileSets)
}

// sharedOf is what a configuration says of all layers.
func sharedOf(c config) (s shared, err error) {
	var found mistakes
	s.saidOfStyles = c.Styles
	s.styles, err = stylesOf(c.Styles, c.source.at("styles"))
	found.add(err)
	for i := range c.TileMatrixSets {
		text, set, err := c.TileMatrixSets[i].read()
		if err != nil {
			found.add(c.source.mistake(fmt.Sprintf("tile_matrix_sets[%d]", i), "%v", err))
			continue
		}
		s.saidOfTileSets = append(s.saidOfTileSets, text)
		s.tileSets = append(s.tileSets, set)
	}
	if err := layer.CheckTileSets(s.tileSets); err != nil {
		found.add(c.source.at("tile_matrix_sets").mistake(err))
	}
	return s, found.err()
}

// successor is what a configuration asks for after this one. The error is all that is wrong with
// that, as far as no file need be opened to know.
func (a *arrangement) successor(c config) (next arrangement, err error) {
	var found mistakes
	next = arrangement{ids: a.ids.clone(), rescan: time.Duration(c.Rescan)}
	next.shared, err = sharedOf(c)
	found.add(err)
	next.layers, err = layersOf(c.Layers, next.ids, &c.source)
	found.add(err)
	for i := range c.Layers {
		found.add(c.Layers[i].apply(new(layer.Config), c.source.at("layers[%d]", i)))
	}
	for _, w := range next.layers {
		found.add(a.missing(w))
	}
	next.places, err = placesOf(c.Paths, a.places, &c.source)
	found.add(err)
	return next, found.err()
}

// missing tells that a layer has no file. One that had it before may be without it for a while.
func (a *arrangement) missing(w wanted) error {
	isKnown := slices.ContainsFunc(a.layers, func(b wanted) bool { return b.from == w.from })
	if isKnown || w.own == nil || w.own.Path == "" || exists(w.from.path) {
		return nil
	}
	return w.explain(fs.ErrNotExist)
}

// layersOf are the layers that a configuration names, each under an id of its own. Ids that
// it gives go before those that are made of the names of files, wherever they stand.
func layersOf(named []layerConfig, ids *ids, source *configSource) ([]wanted, error) {
	var found mistakes
	layers := make([]wanted, len(named))
	for i := range named {
		own, place := &named[i], source.at("layers[%d]", i)
		if own.Path == "" {
			continue // validate has said so
		}
		from, err := parseAddress(own.Path)
		if err != nil {
			found.add(place.at("path").mistake(err))
			continue
		}
		layers[i] = wanted{id: own.ID, from: identity(from), named: true, own: own, place: place}
		if own.ID == "" {
			continue
		}
		if err := ids.mayClaim(own.ID, layers[i].from); err != nil {
			found.add(place.at("id").mistake(err))
			continue
		}
		ids.claim(own.ID, layers[i].from)
	}
	var unnamed []origin
	for _, w := range layers {
		if w.own != nil && w.id == "" {
			unnamed = append(unnamed, originOf(w.from))
		}
	}
	ids.give(unnamed)
	taken := make(map[string]bool)
	for i := range layers {
		w := &layers[i]
		if w.own == nil {
			continue // its path is none
		}
		if w.id == "" {
			w.called(ids.given[w.from])
		}
		if taken[w.id] {
			found.add(w.place.mistake(fmt.Errorf("another layer has the id %q", w.id)))
		}
		taken[w.id] = true
	}
	return layers, found.err()
}

// look looks into the folders, and tells whether there is anything else than at the last look.
// Mostly there is not, and nothing more is to be done.
func (a *arrangement) look(ctx context.Context) (changed bool) {
	found := make([]sight, len(a.places))
	for i, p := range a.places {
		if p.isFolder {
			found[i] = lookInto(ctx, p.path)
		}
	}
	changed = !slices.EqualFunc(found, a.found, sight.isSame)
	a.found = found
	return changed
}

// unread are the folders that could not be looked into.
func (a *arrangement) unread() []unreadFolder {
	var all []unreadFolder
	for _, found := range a.found {
		all = append(all, found.unread...)
	}
	return all
}

// list is all layers that there should be after a look: those that the configuration names,
// then what is found at the places, in their order. What was there before and lies in a folder
// that cannot be looked into is taken to be there.
func (a *arrangement) list(before []wanted) []wanted {
	list := slices.Clone(a.layers)
	added := make(map[address]bool, len(before))
	for _, w := range list {
		added[w.from] = true
	}
	var named, found []origin
	add := func(o origin, to *[]origin) {
		if !added[o.address] {
			added[o.address] = true
			*to = append(*to, o)
			list = append(list, wanted{from: o.address, named: to == &named})
		}
	}
	for i, p := range a.places {
		if !p.isFolder {
			add(originOf(p.address), &named)
			continue
		}
		for _, path := range a.found[i].files {
			add(origin{address{path, 1}, p.path}, &found)
		}
		for _, w := range before {
			if !w.named && a.found[i].hides(w.from.path) {
				add(origin{w.from, p.path}, &found)
			}
		}
	}
	a.ids.give(named) // first, so that no file in a folder changes how these are called
	a.ids.give(found)
	for i := len(a.layers); i < len(list); i++ {
		list[i].called(a.ids.given[list[i].from])
	}
	a.ids.keepInBounds(list)
	return list
}

// emptied are the folders in which there were files at a look before, and are none now.
func (a *arrangement) emptied(before *arrangement) []string {
	var paths []string
	for i, p := range a.places {
		was := slices.IndexFunc(before.places, func(b place) bool { return b == p })
		isEmpty := len(a.found[i].files)+len(a.found[i].unread) == 0
		if isEmpty && was >= 0 && was < len(before.found) && len(before.found[was].files) > 0 {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// mustOpen reports whether the configuration is refused if a file cannot be opened: one that it
// describes as a layer, or the only one that is named. Of several, those that open are served.
func (a *arrangement) mustOpen(w wanted) bool {
	return w.own != nil || len(a.layers)+len(a.places) == 1
}

// isPlace tells whether a path is one that the configuration names.
func (a *arrangement) isPlace(path string) bool {
	return slices.ContainsFunc(a.places, func(p place) bool { return p.path == path })
}

// watches tells whether layers may come by themselves.
func (a *arrangement) watches() bool {
	return a.rescan > 0 && slices.ContainsFunc(a.places, func(p place) bool { return p.isFolder })
}
