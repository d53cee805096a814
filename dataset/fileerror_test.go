package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"tileserver/layer"
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
