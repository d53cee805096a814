package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tileserver/cmd/tileserver/grids"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/source"
)

// fileLayer is the layer id that commands use for the file they read.
const fileLayer = "file"

// readShare is the divisor of --in-flight that gives the bytes for pixels that were read. Decoding
// may use the rest.
const readShare = 4

// oneFile returns the single argument of a command that takes one file, or an image of it.
func (p *program) oneFile(ctx context.Context, command string, arguments []string) (dataset.Address, error) {
	if len(arguments) != 1 {
		return dataset.Address{}, usage.Mistakef("%s takes one file, not %d", command, len(arguments))
	}
	defaults := config.Default()
	if err := p.mountRemote(&defaults); err != nil {
		return dataset.Address{}, err
	}
	return dataset.ParseAddress(ctx, p.files(), arguments[0])
}

// fileOpener returns an opener for a command that reads one file.
func (p *program) fileOpener(inFlight config.Size) *dataset.Opener {
	return dataset.NewOpener(dataset.Config{Files: p.files(), Workers: config.Default().Workers, InFlight: int64(inFlight)})
}

// openGrids opens the folder of grids of a command that places a file, and prints what cannot be used.
func (p *program) openGrids(path string) (grids.Folder, error) {
	found, err := grids.Folder{}, source.CheckLocal(path)
	if err == nil {
		found, err = grids.Open(path, func(name string, err error) {
			fmt.Fprintln(p.stderr, usage.WithoutControls(fmt.Sprintf("grid cannot be used: %s: %v", name, err)))
		})
	}
	if err != nil {
		return grids.Folder{}, usage.Unusablef("--grids: %v", err)
	}
	return found, nil
}

// outputError returns an error that names the output if err is about writing it, else nil.
func outputError(err error, out string) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == out {
		return fmt.Errorf("cannot write %s: %w", out, failed.Err)
	}
	return nil
}

// isSameFile reports whether two paths lead to the same file on disk.
func isSameFile(path, other string) bool {
	a, errA := os.Stat(path)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
