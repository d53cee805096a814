package tiff

import (
	"bytes"
	"context"
	"slices"

	"tileserver/decode/container"
	"tileserver/source"
)

// Format returns the format of TIFF files, which are opened with a Config. Of a single file are its
// Key, Beside and Warn: the options of opening replace them.
func Format(config Config) container.Format {
	return container.Format{
		Name:       "TIFF",
		Extensions: []string{".tif", ".tiff", ".gtiff", ".gtif", ".btf", ".tf8", ".svs"},
		Matches:    looksLikeTIFF,
		Open:       config.open,
	}
}

func (c Config) open(ctx context.Context, s source.Source, options container.Options) (container.File, error) {
	c.Key, c.Beside, c.Warn = options.Key, options.Beside, options.Warn
	f, err := Open(ctx, s, c)
	if err != nil {
		return nil, err
	}
	return containerFile{f}, nil
}

func looksLikeTIFF(head []byte) bool {
	return slices.ContainsFunc([]string{"II*\x00", "MM\x00*", "II+\x00", "MM\x00+"}, func(mark string) bool {
		return bytes.HasPrefix(head, []byte(mark))
	})
}

// containerFile is a File whose images are those of any format.
type containerFile struct{ *File }

// Images returns the images of full resolution.
func (f containerFile) Images() []container.Image {
	images := make([]container.Image, len(f.images))
	for i, m := range f.images {
		images[i] = m
	}
	return images
}
