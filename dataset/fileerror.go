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
		return e.Reason() + ": " + source.Redacted(e.Image.Path)
	}
	return e.Image.String() + ": " + e.Reason()
}

// Reason returns the cause, without the file name and intermediate prefixes. It has no secrets of the
// address, even if the error that it explains does.
func (e FileError) Reason() string {
	opened, notObject := e.asOpened(), source.NotObjectError{}
	switch {
	case errors.As(e.Err, &notObject):
		return "this is " + notObject.Kind() + ", not a file"
	case errors.Is(opened, fs.ErrNotExist):
		return "no such file or folder"
	case opened != nil:
		return e.withoutFile(opened.Error())
	}
	text := e.withoutFile(e.withoutLayer())
	for _, by := range []string{"source: ", "tiff: ", "jp2k: ", "nitf: "} {
		text = e.withoutFile(strings.TrimPrefix(text, by))
	}
	return strings.TrimPrefix(text, "source: ")
}

// asOpened returns the error of the store from opening the file, or nil.
func (e FileError) asOpened() error {
	if failed := (*fs.PathError)(nil); errors.As(e.Err, &failed) && source.Redacted(failed.Path) == source.Redacted(e.Image.Path) {
		return failed.Err
	}
	return nil
}

// withoutFile removes the path of the file from the beginning of a text. Elsewhere it is as it may be told.
func (e FileError) withoutFile(text string) string {
	told := source.Redacted(e.Image.Path)
	if told != e.Image.Path {
		text = strings.ReplaceAll(text, e.Image.Path, told)
	}
	return strings.TrimPrefix(text, told+": ")
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
