package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"tileserver/cmd/tileserver/usage"
	"tileserver/export"
	"tileserver/layer"
)

// Input is a layer to export.
type Input struct {
	Layer *layer.Layer
	Name  string // of its file, as messages tell it
}

// A Run makes the tiles that the options select of layers.
type Run struct {
	Options *Options
	Files   []string // to export; none if the layers are those of a configuration
	Out     string
	Version string    // of the program
	Stderr  io.Writer // for progress

	Catalog *Catalog // once Open has returned
	Inputs  []Input  // the lowest first
}

// Open opens a catalog without layers.
func (r *Run) Open(c CatalogConfig) (err error) {
	c.Memory, c.Workers, c.State = r.Options.Memory, r.Options.Workers, filepath.Join(export.WorkFolder(r.Out), "state")
	r.Catalog, err = NewCatalog(c)
	return err
}

// Close closes the layers. Nothing is left beside the output if the export has not begun.
func (r *Run) Close() {
	r.Catalog.Close()
	export.Discard(r.Out)
}

// Do exports the tiles.
func (r *Run) Do(ctx context.Context) (export.Report, error) {
	if len(r.Inputs) > layer.MaxStackLayers {
		return export.Report{}, usage.Unusablef("%d layers are too many to draw over each other; the limit is %d", len(r.Inputs), layer.MaxStackLayers)
	}
	var layers []*layer.Layer
	for _, input := range r.Inputs {
		layers = append(layers, input.Layer)
	}
	t, err := r.Options.tilesOf(r.Catalog.Catalog, layers)
	if err != nil {
		return export.Report{}, err
	}
	progress := new(export.Progress)
	end := r.tell(progress)
	defer end()
	report, err := export.Run(ctx, export.Config{
		Out: r.Out, Job: r.job(t), Grid: t.area.grid, Render: t.render,
		Prepare: t.awaitOverviews, Create: r.create(ctx, t),
		Workers: r.Options.Workers, SkipDamaged: r.Options.onError == onErrorSkip, Progress: progress,
	})
	switch {
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	case errors.Is(err, export.ErrOtherJob):
		err = usage.Unusablef("%v", err)
	}
	return report, err
}

var errInterrupted = errors.New("interrupted; the same command goes on where it ended")

// job returns everything that the output depends on.
func (r *Run) job(t *tiles) export.Job {
	o := r.Options
	job := export.Job{{Name: "the program", Value: r.Version}}
	for _, input := range r.Inputs {
		job = append(job, export.Fact{Name: "the input", Value: input.Name})
	}
	return append(job, export.Job{
		{Name: "the version of the input", Value: t.version},
		{Name: "--tms", Value: o.tileSet},
		{Name: "--zooms", Value: t.area.zooms.String()},
		{Name: "--bbox", Value: o.box},
		{Name: "--format", Value: t.format.Extension()},
		{Name: "--style", Value: o.style},
		{Name: "how tiles look", Value: o.appearance.String()},
		{Name: "--skip-empty", Value: strconv.FormatBool(o.skipEmpty)},
		{Name: "--on-error", Value: o.onError},
	}...)
}

// Texts returns a line for each tile that was left out.
func Texts(tiles []export.DamagedTile) (lines []string) {
	for _, t := range tiles {
		lines = append(lines, fmt.Sprintf("tile %v: %s", t.Position, t.Reason))
	}
	return lines
}
