package main

import (
	"cmp"
	"context"
	"errors"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/dump"
	"tileserver/cmd/tileserver/grids"
	"tileserver/cmd/tileserver/info"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
)

// infoOptions are the options of command info.
type infoOptions struct {
	asJSON, checkAll, tags *bool
	inFlight               *config.Size
	grids                  *string
}

func (p *program) info(ctx context.Context, args []string) error {
	set := usage.Options("info")
	options := infoOptions{
		asJSON:   set.Bool("json", false, "Print JSON"),
		checkAll: set.Bool("check", false, "Read all pixels, to find out whether the file is damaged"),
		tags:     set.Bool("tags", false, "List the directories of a TIFF with all of their tags instead"),
		inFlight: memory.Option(set),
		grids:    grids.Option(set),
	}
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	if *options.tags && *options.checkAll {
		return usage.Mistakef("info takes either --tags or --check, not both")
	}
	err = p.infoOf(ctx, arguments, options)
	isAboutFile := err != nil && !errors.As(err, new(usage.Mistake)) && !errors.As(err, new(*damaged.Error))
	if *options.asJSON && isAboutFile {
		return cmp.Or(info.PrintError(p.stdout, err), err)
	}
	return err
}

// infoOf prints what the only file of the arguments contains.
func (p *program) infoOf(ctx context.Context, arguments []string, options infoOptions) error {
	image, err := p.oneFile(ctx, "info", arguments)
	if err != nil {
		return err
	}
	if *options.tags {
		return p.infoTags(ctx, image, *options.asJSON)
	}
	shifts, err := p.openGrids(*options.grids)
	if err != nil {
		return err
	}
	restore, err := memory.BoundCommand(*options.inFlight, shifts.MaxBytes)
	if err != nil {
		return err
	}
	defer restore()
	f, file, err := p.fileOpener(*options.inFlight).Open(ctx, image.Path, dataset.Options{})
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	defer f.Close()
	described, err := info.Describe(ctx, f, image.Number, shifts.Grids)
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	m := f.Images()[image.Number-1]
	d := &dump.Dump{Provider: m, Bands: m.Info().AllBands(), Room: int64(*options.inFlight) / readShare}
	if described.Damage, err = info.FindDamage(ctx, m, file.Size(), d, *options.checkAll); err != nil && *options.checkAll {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: memory.Hint(err, *options.inFlight)}
	}
	if err := described.Print(p.stdout, *options.asJSON); err != nil {
		return err
	}
	return damaged.In(image.String(), described.Damage.Found())
}
