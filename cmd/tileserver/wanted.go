package main

import (
	"errors"
	"fmt"
	"io/fs"

	"tileserver/layer"
)

// wanted is a layer that the configuration or a folder asks for.
type wanted struct {
	id    string
	title string // made of the path of the file; empty where the configuration gives the id
	from  address
	named bool         // in the configuration or on the command line: opened before others
	own   *layerConfig // what the configuration says of it, if anything
	place configPlace  // where it says that
}

// layerOf describes the layer of an image.
type layerOf = func(from address, id string, qualityLayers int) layer.Config

// called has the layer bear a name that was made for it.
func (w *wanted) called(n name) { w.id, w.title = n.id, n.title }

// qualityLayers is how many of them to decode; 0 is all.
func (w *wanted) qualityLayers() int {
	if w.own == nil {
		return 0
	}
	return w.own.QualityLayers
}

// explain returns why a file cannot be opened, with the file or with where the configuration
// names it.
func (w *wanted) explain(err error) error {
	switch {
	case isConfigMistake(err):
		return err
	case w.own == nil:
		return fileError{w.from, w.id, err}
	}
	at := w.place.at("path")
	if errors.Is(err, fs.ErrNotExist) {
		return at.source.mistake(at.path, "%v", pathError(w.from.path, err))
	}
	return fmt.Errorf("%s: %w", at.source.place(at.path), fileError{w.from, w.id, err})
}

// held is a layer that is open.
type held struct {
	wanted
	layer *layer.Layer
}
