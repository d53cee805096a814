package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"tileserver/cmd/tileserver/export"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/library"
	"tileserver/source"
)

// inlineOverviewBytes is so little that all overviews are built before the tiles, and saved.
const inlineOverviewBytes = 1

// addInputs opens what is exported.
func (p *program) addInputs(ctx context.Context, c *config.Config, run *export.Run) error {
	if len(run.Options.Layers) > 0 {
		return p.addLayers(ctx, c, run)
	}
	for i, file := range run.Files {
		if err := p.addFile(ctx, file, i, run); err != nil {
			return err
		}
	}
	return nil
}

// addFile opens a file, the one with a number.
func (p *program) addFile(ctx context.Context, file string, number int, run *export.Run) error {
	image, err := dataset.ParseAddress(ctx, p.files(), file)
	if err != nil {
		return err
	}
	id := fileLayer
	if number > 0 {
		id += strconv.Itoa(number + 1)
	}
	described := run.Catalog.Opener.Layer(image, dataset.Options{ID: id})
	described.Title, described.MaxInlineOverviewBytes = image.String(), inlineOverviewBytes
	if err := run.Catalog.Add(ctx, described); err != nil {
		return dataset.FileError{Image: image, Layer: id, Err: err}
	}
	opened, err := run.Catalog.Layer(id)
	run.Inputs = append(run.Inputs, export.Input{Layer: opened, Name: image.String()})
	return err
}

// addLayers opens layers of a configuration.
func (p *program) addLayers(ctx context.Context, c *config.Config, run *export.Run) error {
	desired, err := desiredBy(c)
	if err != nil {
		return err
	}
	onlyNamed(&desired, run.Options.Layers)
	opener := run.Catalog.Opener
	served := library.New(library.Config{
		Catalog: run.Catalog.Catalog, Files: opener.Files, IsRaster: opener.Formats.HasExtension, Logger: opener.Logger,
		Open: func(image dataset.Address, options dataset.Options) layer.Open {
			return opener.Layer(image, options).Open
		},
	})
	if err := served.Start(ctx, desired); err != nil {
		return sortedMistakes(err)
	}
	for _, id := range run.Options.Layers {
		opened, err := run.Catalog.Find(ctx, id)
		if err != nil {
			return usage.Unusablef("--layer %s: %v", id, layer.Classify(err).Reason())
		}
		run.Inputs = append(run.Inputs, export.Input{Layer: opened, Name: fmt.Sprintf("layer %s of %s", id, source.Redacted(run.Options.Config))})
	}
	return nil
}

// onlyNamed removes what need not be opened for layers with some ids. Folders are searched only for ids
// that no layer with settings has.
func onlyNamed(desired *library.Desired, ids []string) {
	needed := slices.Clone(ids)
	for i := range desired.Layers {
		if l := &desired.Layers[i]; slices.Contains(ids, l.ID) && l.Terrain != "" {
			needed = append(needed, l.Terrain)
		}
	}
	desired.Rescan = 0
	has := func(id string) bool {
		return slices.ContainsFunc(desired.Layers, func(l library.Layer) bool { return l.ID == id })
	}
	if slices.ContainsFunc(ids, func(id string) bool { return !has(id) }) {
		return
	}
	desired.Paths = nil
	desired.Layers = slices.DeleteFunc(desired.Layers, func(l library.Layer) bool { return !slices.Contains(needed, l.ID) })
	for i := range desired.Layers {
		desired.Layers[i].Settings.MaxInlineOverviewBytes = inlineOverviewBytes
	}
}
