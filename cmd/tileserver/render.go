package main

import (
	"cmp"
	"context"
	"os"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/grids"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/render"
	"tileserver/cmd/tileserver/usage"
)

func (p *program) render(ctx context.Context, args []string) error {
	set := usage.Options("render")
	var o render.Options
	o.Define(set)
	inFlight, folder := memory.Option(set), grids.Option(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	image, err := p.oneFile(ctx, "render", arguments)
	if err != nil {
		return err
	}
	request, err := o.Request()
	if err != nil {
		return err
	}
	if isSameFile(image.Path, o.Out) {
		return usage.Unusablef("render would overwrite %s", image.Path)
	}
	shifts, err := p.openGrids(*folder)
	if err != nil {
		return err
	}
	restore, err := memory.BoundCommand(*inFlight, shifts.MaxBytes)
	if err != nil {
		return err
	}
	defer restore()
	picture, err := render.File(ctx, render.Config{Files: p.files(), InFlight: *inFlight, Grids: shifts.Grids}, image, request)
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.Out, picture.Bytes, 0o644); err != nil {
		return cmp.Or(outputError(err, o.Out), err)
	}
	return damaged.In(image.String(), picture.Damage)
}
