package main

import (
	"context"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/dump"
	"tileserver/cmd/tileserver/info"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/dataset"
)

func (p *program) info(ctx context.Context, args []string) error {
	set := usage.Options("info")
	asJSON := set.Bool("json", false, "Print JSON")
	checkAll := set.Bool("check", false, "Read all pixels, to find out whether the file is damaged")
	tags := set.Bool("tags", false, "List the directories of a TIFF with all of their tags instead")
	inFlight := memory.Option(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	image, err := oneFile(ctx, "info", arguments)
	if err != nil {
		return err
	}
	switch {
	case *tags && *checkAll:
		return usage.Mistakef("info takes either --tags or --check, not both")
	case *tags:
		return p.infoTags(ctx, image, *asJSON)
	}
	restore, err := memory.Limit(*inFlight)
	if err != nil {
		return err
	}
	defer restore()
	f, file, err := fileOpener(*inFlight).Open(ctx, image.Path, dataset.Options{})
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	defer f.Close()
	described, err := info.Describe(ctx, f, image.Number)
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	m := f.Images()[image.Number-1]
	d := &dump.Dump{Provider: m, Bands: m.Info().AllBands(), Room: int64(*inFlight) / readShare}
	if described.Damage, err = info.FindDamage(ctx, m, file.Size(), d, *checkAll); err != nil && *checkAll {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: memory.Hint(err, *inFlight)}
	}
	if err := described.Print(p.stdout, *asJSON); err != nil {
		return err
	}
	return damaged.In(image.String(), described.Damage.Found())
}
