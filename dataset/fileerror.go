package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tileserver/layer"
	"tileserver/source"
)

// FileError is an error about a file. Its text omits the layer, which the user has not named.
type FileError struct {
	Image Address
	Layer string // the id
	Err   error
}

func (e FileError) Error() string {
	if errors.Is(e.asOpened(), fs.ErrNotExist) {
		return e.Reason() + ": " + e.Image.Path
	}
	return e.Image.String() + ": " + e.Reason()
}

// Reason returns the cause, without the file name and intermediate prefixes.
func (e FileError) Reason() string {
	opened, notObject := e.asOpened(), source.NotObjectError{}
	switch {
	case errors.As(e.Err, &notObject):
		return "this is " + notObject.Kind() + ", not a file"
	case errors.Is(opened, fs.ErrNotExist):
		return "no such file or folder"
	case opened != nil:
		return opened.Error()
	}
	text := strings.TrimPrefix(e.withoutLayer(), e.Image.Path+": ")
	for _, decoder := range []string{"tiff: ", "jp2k: ", "nitf: "} {
		text = strings.TrimPrefix(text, decoder)
	}
	return text
}

// asOpened returns the system's error from opening the file, or nil.
func (e FileError) asOpened() error {
	if failed := (*fs.PathError)(nil); errors.As(e.Err, &failed) && failed.Path == e.Image.Path {
		return failed.Err
	}
	return nil
}

// IsUserError reports whether the file does not exist, is not a regular file, or lacks what was
// requested.
func (e FileError) IsUserError() bool {
	known := (*layer.Error)(nil)
	isRefused := errors.As(e.Err, &known) && (known.Code == layer.Invalid || known.Code == layer.NotFound)
	return isRefused || errors.Is(e.asOpened(), fs.ErrNotExist) || source.IsNotObject(e.Err)
}

func (e FileError) withoutLayer() string {
	text, prefix := e.Err.Error(), fmt.Sprintf("layer %q: ", e.Layer)
	known := (*layer.Error)(nil)
	if !errors.As(e.Err, &known) {
		return strings.TrimPrefix(strings.ReplaceAll(text, prefix, ""), "opening: ")
	}
	text = strings.ReplaceAll(strings.Replace(text, known.Error(), known.Reason(), 1), prefix, "")
	if known.Code == layer.Unavailable && known.Err != nil {
		text = strings.TrimPrefix(text, known.Message+": ")
	}
	return strings.TrimPrefix(text, "opening: ")
}

// Unwrap returns the underlying error.
func (e FileError) Unwrap() error { return e.Err }

// PathError returns the error about a path at which nothing can be served. It names the path as the
// user wrote it.
func PathError(path string, err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	return FileError{Image: Address{path, 1}, Err: &fs.PathError{Op: "open", Path: path, Err: err}}
}
