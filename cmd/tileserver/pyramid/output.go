package pyramid

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tileserver/cmd/tileserver/usage"
	"tileserver/source"
)

// checkOutput returns an error for an output that cannot or must not be written.
func (o *Options) checkOutput(out string) error {
	if err := source.CheckLocal(out); err != nil {
		return usage.Unusablef("%s: %v", source.Redacted(out), err)
	}
	if !isTIFF(out) {
		return usage.Unusablef("%s: pyramid writes GeoTIFF, whose names end in .tif or .tiff", out)
	}
	info, err := os.Stat(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usage.Unusablef("%s: %v", out, errors.Unwrap(err))
	case !info.Mode().IsRegular():
		return usage.Unusablef("%s is in the way: it is not a regular file", out)
	case !o.Overwrite:
		return usage.Unusablef("%s exists already; --overwrite replaces it", out)
	}
	return nil
}

// A writeError is an error about the output.
type writeError struct {
	out string
	err error
}

func (e *writeError) Error() string {
	err := e.err
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Sprintf("cannot write %s: %v", e.out, err)
}

func (e *writeError) Unwrap() error { return e.err }

// IsAboutOutput reports whether an error of Run is about the output, and not about the input.
func IsAboutOutput(err error) bool { return errors.As(err, new(*writeError)) }
