package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"tileserver/layer"
	"tileserver/source"
)

// fileLayer is the id of the layer that a picture of a file is one of.
const fileLayer = "file"

// fileError is an error about a file, without the words about a layer that nobody has named.
type fileError struct {
	from  address
	layer string // the id
	err   error
}

func (e fileError) Error() string {
	if errors.Is(e.asOpened(), fs.ErrNotExist) {
		return e.reason() + ": " + e.from.path
	}
	return e.from.String() + ": " + e.reason()
}

// reason is the cause, without the file and what stands between the two.
func (e fileError) reason() string {
	opened := e.asOpened()
	switch {
	case errors.Is(e.err, source.ErrNotRegular):
		return "this is " + kindAt(e.from.path) + ", not a file"
	case errors.Is(opened, fs.ErrNotExist):
		return "no such file or folder"
	case opened != nil:
		return opened.Error()
	}
	text := strings.TrimPrefix(e.withoutLayer(), e.from.path+": ")
	for _, decoder := range []string{"tiff: ", "jp2k: "} {
		text = strings.TrimPrefix(text, decoder)
	}
	return text
}

// asOpened is what the system said of the file when it was opened, if it did not open.
func (e fileError) asOpened() error {
	if failed := (*fs.PathError)(nil); errors.As(e.err, &failed) && failed.Path == e.from.path {
		return failed.Err
	}
	return nil
}

// Is makes it errUsage if what was named is not there or is no file, or if the file has not what was
// asked for.
func (e fileError) Is(target error) bool {
	known := (*layer.Error)(nil)
	isRefused := errors.As(e.err, &known) && (known.Code == layer.Invalid || known.Code == layer.NotFound)
	return target == errUsage && (isRefused || errors.Is(e.asOpened(), fs.ErrNotExist) || errors.Is(e.err, source.ErrNotRegular))
}

// kindAt is what lies at a path that is no file, with its article.
func kindAt(path string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "something else"
	case info.IsDir():
		return "a folder"
	case info.Mode()&fs.ModeNamedPipe != 0:
		return "a pipe"
	case info.Mode()&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

func (e fileError) withoutLayer() string {
	text := strings.ReplaceAll(e.err.Error(), fmt.Sprintf("layer %q: ", e.layer), "")
	if known := (*layer.Error)(nil); errors.As(e.err, &known) {
		text = strings.TrimPrefix(text, string(known.Code)+": ")
		if known.Code == layer.Unavailable && known.Err != nil {
			text = strings.TrimPrefix(text, known.Message+": ")
		}
	}
	return strings.TrimPrefix(text, "opening: ")
}

// Unwrap returns the error itself.
func (e fileError) Unwrap() error { return e.err }

// outputError says that an output cannot be written, if that is what an error is about. Otherwise it returns nil.
func outputError(err error, out string) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == out {
		return fmt.Errorf("cannot write %s: %w", out, failed.Err)
	}
	return nil
}
