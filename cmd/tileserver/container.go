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

// container is an open file, whatever its format.
type container interface {
	images() []page  // at least one
	Notes() []string // what of the file is left out, and why
	Close() error
}

// page is one of the images of a container.
type page interface {
	raster.Provider

	// Unsupported says why Blocks cannot give the pixels, if it cannot.
	Unsupported() error

	// Undisplayable says why no picture must be made of the samples, though they can be read.
	Undisplayable() error

	Georeference() georeference.Georeference

	// tellStorage says how the image is stored.
	tellStorage(info *fileInfo)

	// missing says what of the image is not stored though it should be, as far as that can be
	// told without reading pixels; nil where the format cannot tell.
	missing(ctx context.Context) (*raster.Damage, error)

	// tellMore says what else is known of the image: what is noted in the file or beside it.
	tellMore(ctx context.Context, info *fileInfo) error
}

// format is a kind of containers.
type format struct {
	name       string
	extensions []string               // of its files in folders, in lower case
	begins     func(head []byte) bool // tells files by their first bytes
	open       func(ctx context.Context, o *opener, s source.Source, as reading) (container, error)
}

// formats are all that there are.
var formats = []format{tiffFormat, jp2kFormat}

// headBytes is how much of a file it takes to tell its format.
const headBytes = 32

// formatOf is the format of a file, by its content: what it is called may be wrong.
func formatOf(ctx context.Context, s source.Source) (*format, error) {
	head, err := s.ReadRanges(ctx, []source.Range{{Length: min(headBytes, s.Size())}})
	if err != nil {
		return nil, err
	}
	for i := range formats {
		if formats[i].begins(head[0]) {
			return &formats[i], nil
		}
	}
	return nil, notRead(head[0])
}

// namesOfFormats lists the formats that are read: "TIFF and JPEG 2000".
func namesOfFormats() string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// openSource opens a file from wherever it is. The source is the container's, or closed
// if there is none.
func (o *opener) openSource(ctx context.Context, s source.Source, as reading) (container, error) {
	f, err := formatOf(ctx, s)
	var c container
	if err == nil {
		c, err = f.open(ctx, o, s, as)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Name(), err), s.Close())
	}
	return c, nil
}
