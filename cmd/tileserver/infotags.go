package main

import (
	"context"
	"errors"

	"tileserver/cmd/tileserver/info"
	"tileserver/cmd/tileserver/usage"
	"tileserver/dataset"
	"tileserver/decode/tiff/taglist"
	"tileserver/source"
)

// infoTags prints all directories and tags of a TIFF. It does not open the file as an image: tags
// are what one looks at if that fails.
func (p *program) infoTags(ctx context.Context, image dataset.Address, asJSON bool) error {
	told := source.Redacted(image.Path)
	if image.Number > 1 {
		return usage.Mistakef("--tags lists all directories of a file: name %s without #%d", told, image.Number)
	}
	s, err := p.files().Open(ctx, image.Path)
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	defer s.Close()
	list, err := taglist.Read(ctx, s)
	switch {
	case s.Size() == 0:
		return usage.Unusablef("%s: the file is empty", told)
	case errors.Is(err, taglist.ErrNoTIFF):
		return usage.Unusablef("%s: --tags is for TIFF files, and this is none", told)
	case err != nil:
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	return info.PrintTags(p.stdout, list, asJSON)
}
