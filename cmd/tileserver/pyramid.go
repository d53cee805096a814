package main

import (
	"context"
	"errors"
	"fmt"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/dump"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/progress"
	"tileserver/cmd/tileserver/pyramid"
	"tileserver/cmd/tileserver/usage"
	"tileserver/dataset"
	"tileserver/decode/container"
)

func (p *program) pyramid(ctx context.Context, args []string) error {
	set := usage.Options("pyramid")
	var o pyramid.Options
	o.Define(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	in, out, err := o.Check(arguments)
	if err != nil {
		return err
	}
	restore, err := memory.BoundWork(o.Memory, 0)
	if err != nil {
		return err
	}
	defer restore()
	image, err := p.oneFile(ctx, "pyramid", []string{in})
	if err != nil {
		return err
	}
	if isSameFile(image.Path, out) {
		return usage.Unusablef("pyramid would overwrite %s", image.Path)
	}
	report, err := p.writePyramid(ctx, image, &pyramid.Run{Options: &o, Number: image.Number, Out: out, Stderr: p.stderr})
	if err != nil {
		return pyramidError(err, image, &o)
	}
	fmt.Fprintf(p.stdout, "%s: %s, %s\n", out, container.Counted(report.Levels, "level"), progress.Size(report.Bytes))
	return damaged.LostBlocks(out, report.Lost.Blocks, report.Lost.Texts)
}

// writePyramid opens a file and writes an image of it.
func (p *program) writePyramid(ctx context.Context, image dataset.Address, run *pyramid.Run) (report pyramid.Report, err error) {
	opener := dataset.NewOpener(dataset.Config{Files: p.files(), Workers: run.Options.Workers, InFlight: run.Options.InFlight()})
	if run.File, _, err = opener.Open(ctx, image.Path, dataset.Options{}); err != nil {
		return report, err
	}
	defer run.File.Close()
	m, err := container.ImageOf(run.File, image.Number)
	if err != nil {
		return report, err
	}
	if err := dump.CheckAnyStored(ctx, m); err != nil {
		return report, err
	}
	return run.Do(ctx)
}

// pyramidError names the input, if an error is about that.
func pyramidError(err error, image dataset.Address, o *pyramid.Options) error {
	if pyramid.IsAboutOutput(err) || errors.As(err, new(usage.Unusable)) || errors.Is(err, pyramid.ErrInterrupted) {
		return err
	}
	return dataset.FileError{Image: image, Layer: fileLayer, Err: memory.PyramidHint(err, o.Memory)}
}
