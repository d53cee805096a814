package main

import (
	"cmp"
	"errors"
	"time"

	"tileserver/access"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/layer/tilesets"
	"tileserver/library"
)

// place is where an entry is written, as the library asks for it.
type place struct{ config.Location }

// Mistake returns an error in a key of the entry, or in the entry if the key is empty.
func (p place) Mistake(key string, err error) error {
	if key == "" {
		return p.Location.Mistake(err)
	}
	return p.At(key).Mistake(err)
}

// Of returns the start of a message about a key of the entry.
func (p place) Of(key string) string { return p.At(key).String() }

// desiredBy returns what a configuration asks the library to serve. The error lists the mistakes in
// styles, tile matrix sets and layers.
func desiredBy(c *config.Config) (library.Desired, error) {
	var found config.Mistakes
	shared, err := sharedBy(c)
	found.Add(err)
	d := library.Desired{Rescan: time.Duration(c.Rescan), Shared: shared, Open: library.OpenLimits{Local: c.OpenFiles, Remote: c.OpenRemoteFiles}}
	for i := range c.Layers {
		l, err := desiredLayer(&c.Layers[i], &c.Allow, c.At("layers[%d]", i))
		found.Add(err)
		d.Layers = append(d.Layers, l)
	}
	for i := range c.Paths {
		path := library.Path{Text: c.Paths[i].Path, Access: c.Paths[i].Allow.Policy(&c.Allow)}
		if location := c.At("paths[%d]", i); location.IsWritten() {
			path.Place = place{location}
		}
		d.Paths = append(d.Paths, path)
	}
	return d, found.Err()
}

// writtenShared is what the shared part of a configuration is made from.
type writtenShared struct {
	styles   []config.NamedStyle
	tileSets []string
}

// sharedBy returns what applies to every layer.
func sharedBy(c *config.Config) (s library.Shared, err error) {
	var found config.Mistakes
	written := writtenShared{styles: c.Styles}
	s.Styles, err = config.ParseStyles(c.Styles, c.At("styles"))
	found.Add(err)
	for i := range c.TileMatrixSets {
		text, set, err := c.TileMatrixSets[i].Read()
		if err != nil {
			found.Add(c.At("tile_matrix_sets[%d]", i).Mistakef("%v", err))
			continue
		}
		written.tileSets = append(written.tileSets, text)
		s.TileSets = append(s.TileSets, set)
	}
	if err := tilesets.Check(s.TileSets); err != nil {
		found.Add(c.At("tile_matrix_sets").Mistake(err))
	}
	s.Written = written
	return s, found.Err()
}

// writtenLayer is what a layer is made from.
type writtenLayer struct {
	layer  config.Layer
	access access.Policy
}

// desiredLayer returns the layer that an entry asks for. Requests may ask what allow says where the
// entry does not.
func desiredLayer(l *config.Layer, allow *config.Allow, location config.Location) (library.Layer, error) {
	settings, err := settingsOf(l, location)
	settings.Access = l.Allow.Policy(allow)
	return library.Layer{
		ID: l.ID, Path: l.Path, Options: dataset.Options{QualityLayers: l.QualityLayers, Placing: placingOf(l)}, Terrain: l.DEM,
		Settings: settings, Written: writtenLayer{*l, settings.Access}, Place: place{location},
	}, err
}

// placingOf returns how an entry has its file placed.
func placingOf(l *config.Layer) container.Placing {
	placing := container.Placing{RequiresRPC: l.Placement == config.PlacementRPC}
	if l.Height != nil {
		placing.Height, placing.HasHeight = *l.Height, true
	}
	return placing
}

// settingsOf returns what an entry sets for its layer.
func settingsOf(l *config.Layer, location config.Location) (layer.Config, error) {
	c := layer.Config{
		Title: cmp.Or(l.Title, l.ID), Abstract: l.Description, Attribution: l.Attribution,
		BlockSize: l.Block, MaxInlineOverviewBytes: int64(l.MaxMaking), StatisticsPixels: l.StatisticsPixels,
	}
	var found config.Mistakes
	var err error
	if c.Empty, err = request.ParseEmptyAnswer(l.Empty); err != nil {
		found.Add(location.At("empty").Mistake(err))
	}
	if c.Style, err = l.Parse(); err != nil {
		found.Add(location.Mistake(err))
	}
	c.Styles, err = config.ParseStyles(l.Styles, location.At("styles"))
	found.Add(err)
	return c, found.Err()
}

// sortedMistakes returns the mistakes that the library has found, in the order of their lines.
func sortedMistakes(err error) error {
	var found config.Mistakes
	addMistakes(&found, err)
	return found.Err()
}

// addMistakes adds the mistakes that the library has found, or another error.
func addMistakes(to *config.Mistakes, err error) {
	several := library.Mistakes(nil)
	if !errors.As(err, &several) {
		several = library.Mistakes{err}
	}
	for _, one := range several {
		to.Add(one)
	}
}
