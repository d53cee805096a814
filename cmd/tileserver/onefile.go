package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/source/local"
)

// fileLayer is the layer id that commands use for the file they read.
const fileLayer = "file"

// readShare is the divisor of --in-flight that gives the bytes for pixels that were read. Decoding
// may use the rest.
const readShare = 4

// oneFile returns the single argument of a command that takes one file, or an image of it.
func oneFile(ctx context.Context, command string, arguments []string) (dataset.Address, error) {
	if len(arguments) != 1 {
		return dataset.Address{}, usage.Mistakef("%s takes one file, not %d", command, len(arguments))
	}
	return dataset.ParseAddress(ctx, local.Store{}, arguments[0])
}

// fileOpener returns an opener for a command that reads one file.
func fileOpener(inFlight config.Size) *dataset.Opener {
	return dataset.NewOpener(dataset.Config{Files: local.Store{}, Workers: config.Default().Workers, InFlight: int64(inFlight)})
}

// servedLayer returns the configuration of a layer of a server. Its errors name the option to raise
// when a block is too large.
func servedLayer(o *dataset.Opener, image dataset.Address, id string, qualityLayers int) layer.Config {
	c := o.Layer(image, dataset.Options{ID: id, QualityLayers: qualityLayers})
	open := c.Open
	c.Open = func(ctx context.Context) (*layer.Dataset, error) {
		d, err := open(ctx)
		return d, memory.Hint(err, config.Size(o.InFlight))
	}
	return c
}

// outputError returns an error that names the output if err is about writing it, else nil.
func outputError(err error, out string) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == out {
		return fmt.Errorf("cannot write %s: %w", out, failed.Err)
	}
	return nil
}
