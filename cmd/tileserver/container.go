package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tileserver/decode/georeference"
	"tileserver/raster"
	"tileserver/source"
)

// container is an open file of any format.
type container interface {
	images() []fileImage // at least one
	Notes() []string     // what is ignored in the file, and why
	Close() error
}

// fileImage is one image of a container.
type fileImage interface {
	raster.Provider

	// Unsupported returns why Blocks cannot decode the pixels, or nil.
	Unsupported() error

	// Undisplayable returns why the samples must not be rendered although they can be read, or nil.
	Undisplayable() error

	Georeference() georeference.Georeference

	// addStorage adds to info how the image is stored.
	addStorage(info *fileInfo)

	// missing returns the damage that shows without reading pixels: data that should be stored but
	// is not. It returns nil if the format cannot tell.
	missing(ctx context.Context) (*raster.Damage, error)

	// addDetails adds further metadata of the image to info, from the file and its side files.
	addDetails(ctx context.Context, info *fileInfo) error
}

// format is a file format.
type format struct {
	name       string
	extensions []string               // of its files in folders, in lower case
	matches    func(head []byte) bool // recognizes a file by its first bytes
	open       func(ctx context.Context, o *opener, s source.Source, options openOptions) (container, error)
}

// formats lists all supported formats.
var formats = []format{tiffFormat, jp2kFormat}

// headBytes is how many bytes are needed to recognize a format.
const headBytes = 32

// formatOf returns the format of a file by its content; the extension may be wrong.
func formatOf(ctx context.Context, s source.Source) (*format, error) {
	head, err := s.ReadRanges(ctx, []source.Range{{Length: min(headBytes, s.Size())}})
	if err != nil {
		return nil, err
	}
	for i := range formats {
		if formats[i].matches(head[0]) {
			return &formats[i], nil
		}
	}
	return nil, unsupportedFormat(head[0])
}

// namesOfFormats lists the supported formats: "TIFF and JPEG 2000".
func namesOfFormats() string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// openSource opens a file from any source. The container closes the source; on an error openSource
// closes it.
func (o *opener) openSource(ctx context.Context, s source.Source, options openOptions) (container, error) {
	f, err := formatOf(ctx, s)
	var c container
	if err == nil {
		c, err = f.open(ctx, o, s, options)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Name(), err), s.Close())
	}
	return c, nil
}
