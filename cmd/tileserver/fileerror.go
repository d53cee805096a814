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

// fileLayer is the layer id that commands use for the file they read.
const fileLayer = "file"

// fileError is an error about a file. Its text omits the layer, which the user has not named.
type fileError struct {
	image imageAddress
	layer string // the id
	err   error
}

func (e fileError) Error() string {
	if errors.Is(e.asOpened(), fs.ErrNotExist) {
		return e.reason() + ": " + e.image.path
	}
	return e.image.String() + ": " + e.reason()
}

// reason returns the cause, without the file name and intermediate prefixes.
func (e fileError) reason() string {
	opened := e.asOpened()
	switch {
	case errors.Is(e.err, source.ErrNotRegular):
		return "this is " + kindAt(e.image.path) + ", not a file"
	case errors.Is(opened, fs.ErrNotExist):
		return "no such file or folder"
	case opened != nil:
		return opened.Error()
	}
	text := strings.TrimPrefix(e.withoutLayer(), e.image.path+": ")
	for _, decoder := range []string{"tiff: ", "jp2k: "} {
		text = strings.TrimPrefix(text, decoder)
	}
	return text
}

// asOpened returns the system's error from opening the file, or nil.
func (e fileError) asOpened() error {
	if failed := (*fs.PathError)(nil); errors.As(e.err, &failed) && failed.Path == e.image.path {
		return failed.Err
	}
	return nil
}

// isUserError reports whether the file does not exist, is not a regular file, or lacks what was
// requested.
func (e fileError) isUserError() bool {
	known := (*layer.Error)(nil)
	isRefused := errors.As(e.err, &known) && (known.Code == layer.Invalid || known.Code == layer.NotFound)
	return isRefused || errors.Is(e.asOpened(), fs.ErrNotExist) || errors.Is(e.err, source.ErrNotRegular)
}

// kindAt names what lies at a path that is not a regular file, with its article.
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

// Unwrap returns the underlying error.
func (e fileError) Unwrap() error { return e.err }

// outputError returns an error that names the output if err is about writing it, else nil.
func outputError(err error, out string) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == out {
		return fmt.Errorf("cannot write %s: %w", out, failed.Err)
	}
	return nil
}
