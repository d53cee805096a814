package main

import (
	"errors"
	"fmt"
	"io/fs"

	"tileserver/config"
	"tileserver/dataset"
	"tileserver/layer"
)

// desiredLayer is a layer that the configuration or a folder asks for.
type desiredLayer struct {
	id       string
	title    string // from the path of the file; empty if the configuration sets the id
	image    dataset.Address
	isNamed  bool            // in the configuration or on the command line; opened before others
	config   *config.Layer   // its entry in layers; nil if it has none
	location config.Location // of that entry
}

// layerConfigFunc returns the configuration of the layer of an image.
type layerConfigFunc = func(from dataset.Address, id string, qualityLayers int) layer.Config

// setName sets the id and the title.
func (w *desiredLayer) setName(n name) { w.id, w.title = n.id, n.title }

// qualityLayers returns the number of quality layers to decode; 0 means all.
func (w *desiredLayer) qualityLayers() int {
	if w.config == nil {
		return 0
	}
	return w.config.QualityLayers
}

// explain adds to err either the file or the place in the configuration that names it.
func (w *desiredLayer) explain(err error) error {
	switch {
	case config.IsMistake(err):
		return err
	case w.config == nil:
		return dataset.FileError{Image: w.image, Layer: w.id, Err: err}
	}
	at := w.location.At("path")
	if errors.Is(err, fs.ErrNotExist) {
		return at.Mistakef("%v", pathError(w.image.Path, err))
	}
	return fmt.Errorf("%v: %w", at, dataset.FileError{Image: w.image, Layer: w.id, Err: err})
}

// openLayer is a desired layer with its open layer.
type openLayer struct {
	desiredLayer
	layer *layer.Layer
}
