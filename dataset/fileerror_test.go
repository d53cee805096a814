package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"tileserver/layer"
	"tileserver/source"
)

func TestReasonIsTheCauseAlone(t *testing.T) {
	invalid := &layer.Error{Code: layer.Invalid, Message: "there is no band 9"}
	corrupt := errors.New("corrupt TIFF")
	for _, test := range []struct {
		err  error
		want string
	}{
		{corrupt, "corrupt TIFF"},
		{fmt.Errorf("tiff: %w", corrupt), "corrupt TIFF"},
		{fmt.Errorf("a.tif: jp2k: %w", corrupt), "corrupt TIFF"},
		{fmt.Errorf("nitf: %w", corrupt), "corrupt TIFF"},
		{fmt.Errorf("source: a.tif: %w: a.tif: no route", source.ErrStalled), "the storage does not answer: a.tif: no route"},
		{fmt.Errorf("layer \"a\": opening: %w", corrupt), "corrupt TIFF"},
		{fmt.Errorf("layer \"a\": %w", invalid), "there is no band 9"},
		{fmt.Errorf("layer \"a\", style \"s\": %w", invalid), `layer "a", style "s": there is no band 9`},
		{fmt.Errorf("%w; use another", invalid), "there is no band 9; use another"},
		{&layer.Error{Code: layer.Unavailable, Message: "the file cannot be opened", Err: corrupt}, "corrupt TIFF"},
		{&fs.PathError{Op: "open", Path: "a.tif", Err: fs.ErrNotExist}, "no such file or folder"},
	} {
		e := FileError{Image: Address{"a.tif", 1}, Layer: "a", Err: test.err}
		if got := e.Reason(); got != test.want {
			t.Errorf("%v: got %q, want %q", test.err, got, test.want)
		}
	}
}

func TestErrorsAboutAddressesHaveNoSecrets(t *testing.T) {
	const path = "https://user:secret@h/a.tif?sig=secret"
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("read %s: the server refuses", path), "https://h/a.tif#2: read https://h/a.tif: the server refuses"},
		{fmt.Errorf("%s: tiff: corrupt", path), "https://h/a.tif#2: corrupt"},
		{&fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}, "no such file or folder: https://h/a.tif"},
		{&fs.PathError{Op: "open", Path: "https://h/a.tif", Err: fs.ErrNotExist}, "no such file or folder: https://h/a.tif"},
		{&fs.PathError{Op: "open", Path: "https://h/a.tif", Err: fmt.Errorf("%s is gone", path)}, "https://h/a.tif#2: https://h/a.tif is gone"},
	} {
		if got := (FileError{Image: Address{path, 2}, Layer: "a", Err: test.err}).Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
