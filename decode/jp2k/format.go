package jp2k

import (
	"context"

	"tileserver/decode/container"
	"tileserver/decode/jp2k/boxes"
	"tileserver/source"
)

// Format returns the format of JPEG 2000 files, which are opened with a Config. Of a single file
// are its Key, Layers, Beside, Store and Warn: the options of opening replace them.
func Format(config Config) container.Format {
	return container.Format{
		Name:       "JPEG 2000",
		Extensions: []string{".jp2", ".j2k", ".jpx", ".jpf", ".jpc", ".j2c", ".jph", ".jhc"},
		Matches:    boxes.LooksLike,
		Open:       config.open,
	}
}

func (c Config) open(ctx context.Context, s source.Source, options container.Options) (container.File, error) {
	c.Key, c.Layers, c.Beside = options.Key, options.QualityLayers, options.Beside
	c.Store, c.Warn = options.State, options.Warn
	f, err := Open(ctx, s, c)
	if err != nil {
		return nil, err
	}
	return containerFile{f}, nil
}

// containerFile is a File whose image is that of any format.
type containerFile struct{ *File }

// Images returns the image.
func (f containerFile) Images() []container.Image { return []container.Image{f.image} }
