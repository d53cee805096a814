package library

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"

	"tileserver/access"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/source"
)

// desiredLayer is a layer that the configuration or a folder asks for.
type desiredLayer struct {
	id      string
	title   string // from the path of the file; empty if the configuration sets the id
	image   dataset.Address
	isNamed bool            // in the configuration or on the command line; opened before others
	config  *Layer          // its settings; nil if it has none
	access  *access.Policy  // of a layer without settings; nil allows everything
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

// terrainID returns the id of the layer whose heights the settings ask for, or "".
func (w *desiredLayer) terrainID() string {
	if w.config == nil {
		return ""
	}
	return w.config.Terrain
}

// setTerrain sets the terrain that the settings name to a layer of the list.
func (w *desiredLayer) setTerrain(list []desiredLayer) {
	if w.terrainID() == "" {
		return
	}
	for i := range list {
		if list[i].id == w.terrainID() {
			w.terrain = list[i].asTerrain()
			return
		}
	}
}

// asTerrain returns the heights of the layer, with the settings that concern them.
func (w *desiredLayer) asTerrain() dataset.Terrain {
	t := dataset.Terrain{Layer: w.id, Image: w.image}
	if w.config != nil {
		t.QualityLayers, t.Placing = w.config.Options.QualityLayers, w.config.Options.Placing
		if noData := w.config.Settings.Style.NoData; noData != nil {
			t.NoData, t.HasNoData = *noData, true
		}
	}
	return t
}

// checkTerrains returns a mistake for each layer that is to lie on itself, or on a layer that lies on
// another one. So no layers depend on each other in a circle.
func checkTerrains(layers []desiredLayer) error {
	onTerrain := make(map[string]bool)
	for i := range layers {
		if layers[i].terrainID() != "" {
			onTerrain[layers[i].id] = true
		}
	}
	var found Mistakes
	for i := range layers {
		switch w := &layers[i]; {
		case w.terrainID() == "":
		case w.terrainID() == w.id:
			found.add(mistakeAt(w.config.Place, "dem", errors.New("a layer cannot lie on its own heights")))
		case onTerrain[w.terrainID()]:
			found.add(mistakeAt(w.config.Place, "dem", fmt.Errorf("layer %q has a dem itself, so it cannot be one", w.terrainID())))
		}
	}
	return found.err()
}

// checkTerrain returns an error if the settings name a terrain that no layer has.
func (w *desiredLayer) checkTerrain() error {
	if w.terrainID() == w.terrain.Layer {
		return nil
	}
	return mistakeAt(w.config.Place, "dem", fmt.Errorf("there is no layer %q", w.terrainID()))
}

// isOpenedAs reports whether both open the same image in the same way.
func (w *desiredLayer) isOpenedAs(other desiredLayer) bool {
	return w.image == other.image && w.options() == other.options()
}

// isWrittenAs reports whether both have the same settings.
func (w *desiredLayer) isWrittenAs(other desiredLayer) bool {
	if w.config == nil || other.config == nil {
		return w.config == other.config && reflect.DeepEqual(w.access, other.access)
	}
	return reflect.DeepEqual(w.config.Written, other.config.Written)
}

// explain adds to err either the file or the place in the configuration that names it.
func (w *desiredLayer) explain(err error) error {
	switch {
	case errors.As(err, new(placedError)):
		return err
	case w.config == nil && source.IsRemote(w.image.Path) && errors.Is(err, fs.ErrNotExist):
		return dataset.PathError(source.Redacted(w.image.Path), err) // as for a file on disk, which is looked for before
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
