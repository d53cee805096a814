package main

import (
	"context"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/dump"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/dataset"
	"tileserver/decode/container"
)

func (p *program) read(ctx context.Context, args []string) error {
	set := usage.Options("read")
	level := set.Int("level", 0, "`N` Level to read: 0 is full resolution, then come the overviews")
	windowText := set.String("window", "", "`X,Y,WIDTH,HEIGHT` Pixels of the level to read (default all)")
	bandsText := set.String("bands", "", "`LIST` Bands to write, by number or name, such as 3,2,1 or red,nir (default all)")
	out := set.String("o", "", "`FILE` File to write, or - for the standard output")
	inFlight := memory.Option(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	image, err := p.oneFile(ctx, "read", arguments)
	if err != nil {
		return err
	}
	if *out == "" {
		return usage.Mistakef("read needs -o OUT")
	}
	restore, err := memory.BoundCommand(*inFlight, 0)
	if err != nil {
		return err
	}
	defer restore()
	f, _, err := p.fileOpener(*inFlight).Open(ctx, image.Path, dataset.Options{})
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	defer f.Close()
	m, err := container.ImageOf(f, image.Number)
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	d, err := dump.New(m, *level, *windowText, *bandsText)
	if err != nil {
		return err
	}
	if isSameFile(image.Path, *out) {
		return usage.Unusablef("read would overwrite %s", image.Path)
	}
	d.Room = int64(*inFlight) / readShare
	if err = dump.CheckAnyStored(ctx, m); err == nil {
		err = p.writeSamples(ctx, d, *out)
	}
	if failed := outputError(err, *out); failed != nil {
		return failed
	}
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: memory.Hint(err, *inFlight)}
	}
	return damaged.In(image.String(), d.Damage())
}

// writeSamples writes samples to a file, or to the standard output if its name is "-".
func (p *program) writeSamples(ctx context.Context, d *dump.Dump, out string) error {
	if out == "-" {
		return d.WriteInOrder(ctx, p.stdout)
	}
	return d.WriteFile(ctx, out)
}
