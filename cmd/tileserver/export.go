package main

import (
	"context"
	"errors"
	"fmt"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/export"
	"tileserver/cmd/tileserver/grids"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/progress"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/layer"
)

func (p *program) export(ctx context.Context, args []string) error {
	set := usage.Options("export")
	var o export.Options
	o.Define(set)
	folder := grids.Option(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	files, out, err := o.Check(arguments)
	if err != nil {
		return err
	}
	c, err := exportedConfig(o.Config)
	if err != nil {
		return err
	}
	if *folder != "" {
		c.Grids = *folder
	}
	return p.exportTo(ctx, &c, export.Run{Options: &o, Files: files, Out: out, Version: builtFrom().String(), Stderr: p.stderr})
}

// exportedConfig returns the configuration of a file, or the default one if its name is empty.
func exportedConfig(path string) (config.Config, error) {
	c := config.Default()
	if path == "" {
		return c, nil
	}
	err := c.Load(path)
	if err != nil && !config.IsMistake(err) {
		return c, err
	}
	found := config.MistakesIn(err)
	found.Add(c.Validate())
	return c, found.Err()
}

// exportTo exports within the memory that the options allow.
func (p *program) exportTo(ctx context.Context, c *config.Config, run export.Run) error {
	if err := p.mountRemote(c); err != nil {
		return err
	}
	shifts, err := p.openGrids(c.Grids)
	if err != nil {
		return err
	}
	restore, err := memory.BoundWork(run.Options.Memory, shifts.MaxBytes)
	if err != nil {
		return err
	}
	defer restore()
	if err := run.Open(export.CatalogConfig{Files: p.files(), Grids: shifts.Grids}); err != nil {
		return err
	}
	defer run.Close()
	if err := p.addInputs(ctx, c, &run); err != nil {
		return err
	}
	report, err := run.Do(ctx)
	if err != nil {
		return exportError(memory.ExportHint(err, run.Options.Memory), &run)
	}
	fmt.Fprintf(p.stdout, "%s: %d tiles, %s\n", run.Out, report.Tiles, progress.Size(report.Bytes))
	return damaged.LeftOut(run.Out, export.Texts(report.Damaged))
}

// exportError names the file that an error of a layer is about.
func exportError(err error, run *export.Run) error {
	if len(run.Inputs) != 1 || !errors.As(err, new(*layer.Error)) {
		return err
	}
	only := &run.Inputs[0]
	return dataset.FileError{Image: dataset.Address{Path: only.Name, Number: 1}, Layer: only.Layer.ID(), Err: err}
}
