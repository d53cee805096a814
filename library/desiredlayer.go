package library

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"

	"tileserver/dataset"
	"tileserver/layer"
)

// desiredLayer is a layer that the configuration or a folder asks for.
type desiredLayer struct {
	id      string
	title   string // from the path of the file; empty if the configuration sets the id
	image   dataset.Address
	isNamed bool            // in the configuration or on the command line; opened before others
	config  *Layer          // its settings; nil if it has none
	terrain dataset.Terrain // that the settings name; zero if there is none
}

// setName sets the id and the title.
func (w *desiredLayer) setName(n name) { w.id, w.title = n.id, n.title }

// options returns how to open the file.
func (w *desiredLayer) options() dataset.Options {
	var o dataset.Options
	if w.config != nil {
		o = w.config.Options
	}
	o.ID, o.Terrain = w.id, w.terrain
	return o
}

// setTerrain sets the terrain that the settings name to a layer of the list.
func (w *desiredLayer) setTerrain(list []desiredLayer) {
	if w.config == nil || w.config.Terrain == "" {
		return
	}
	for i := range list {
		if list[i].id == w.config.Terrain {
			w.terrain = dataset.Terrain{Layer: list[i].id, Image: list[i].image}
			return
		}
	}
}

// checkTerrain returns an error if the settings name a terrain that no layer has.
func (w *desiredLayer) checkTerrain() error {
	if w.config == nil || w.config.Terrain == w.terrain.Layer {
		return nil
	}
	return mistakeAt(w.config.Place, "dem", fmt.Errorf("there is no layer %q", w.config.Terrain))
}

// isWrittenAs reports whether both have the same settings.
func (w *desiredLayer) isWrittenAs(other desiredLayer) bool {
	if w.config == nil || other.config == nil {
		return w.config == other.config
	}
	return reflect.DeepEqual(w.config.Written, other.config.Written)
}

// explain adds to err either the file or the place in the configuration that names it.
func (w *desiredLayer) explain(err error) error {
	switch {
	case errors.As(err, new(placedError)):
		return err
	case w.config == nil:
		return w.fileError(err)
	case errors.Is(err, fs.ErrNotExist):
		return mistakeAt(w.config.Place, "path", dataset.PathError(w.image.Path, err))
	}
	return fmt.Errorf("%s: %w", w.config.Place.Of("path"), w.fileError(err))
}

// fileError returns an error about the file of the layer.
func (w *desiredLayer) fileError(err error) dataset.FileError {
	return dataset.FileError{Image: w.image, Layer: w.id, Err: err}
}

// openLayer is a desired layer with its open layer.
type openLayer struct {
	desiredLayer
	layer *layer.Layer
}
