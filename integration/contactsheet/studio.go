package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"time"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/tiff"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/recolor"
	"tileserver/source"
)

const (
	cacheBytes     = 64 << 20
	inFlightBytes  = 256 << 20
	pictureTimeout = 20 * time.Second // the timeout for one picture
	imagesPerFile  = 6                // the maximum number of images shown of a file
)

// entry holds a picture of an image, or the error that prevented it.
type entry struct {
	name    string
	picture image.Image
	err     error
}

// studio renders pictures of files.
type studio struct {
	pool   *decode.Pool
	shared *tiff.Shared
}

func newStudio() *studio {
	pool := decode.NewPool(decode.PoolConfig{Codecs: decode.Default(), Budget: cache.NewBudget(inFlightBytes)})
	return &studio{pool, tiff.NewShared(cacheBytes)}
}

// entries returns one entry for each of the first images of a file. Names are relative to folder.
func (s *studio) entries(ctx context.Context, folder, path string) []entry {
	name, err := filepath.Rel(folder, path)
	if err != nil {
		name = path
	}
	name = filepath.ToSlash(name)
	count, err := s.countImages(ctx, path)
	if err != nil {
		return []entry{{name: name, err: err}}
	}
	entries := make([]entry, min(count, imagesPerFile))
	for i := range entries {
		entries[i].name = name
		if i > 0 {
			entries[i].name = fmt.Sprintf("%s#%d", name, i+1)
		}
		entries[i].picture, entries[i].err = s.picture(ctx, path, i)
	}
	return entries
}

func (s *studio) open(ctx context.Context, path string) (*tiff.File, error) {
	file, err := source.OpenFile(path, source.Options{})
	if err != nil {
		return nil, err
	}
	beside := source.NewSiblings(path, source.Options{})
	opened, err := tiff.Open(ctx, file, tiff.Config{Pool: s.pool, Shared: s.shared, Beside: beside.Open})
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return opened, nil
}

func (s *studio) countImages(ctx context.Context, path string) (int, error) {
	file, err := s.open(ctx, path)
	if err != nil {
		return 0, err
	}
	return len(file.Images()), file.Close()
}

// dataset opens an image of a file. Its georeference is included because it decides which side is
// up.
func (s *studio) dataset(ctx context.Context, path string, number int) (*layer.Dataset, error) {
	file, err := s.open(ctx, path)
	if err != nil {
		return nil, err
	}
	img := file.Images()[number]
	if err := cmp.Or(img.Unsupported(), undisplayable(img)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	d := &layer.Dataset{Provider: img, Close: file.Close}
	if place := img.Georeference(); place.HasAffine && place.CRS != nil {
		placement, err := geo.NewAffinePlacement(place.Affine)
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		d.CRS, d.Placement = place.CRS, placement
	}
	return d, nil
}

func undisplayable(img *tiff.Image) error {
	if info := img.Info(); info.Colors.Space != raster.RGB {
		return recolor.Check(info)
	}
	return img.Undisplayable()
}

// picture renders an image in the default style.
func (s *studio) picture(ctx context.Context, path string, number int) (image.Image, error) {
	ctx, cancel := context.WithTimeout(ctx, pictureTimeout)
	defer cancel()
	const id = "file"
	catalog := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(cacheBytes), OverviewTimeout: -1})
	err := catalog.Add(ctx, layer.Config{ID: id, Open: func(ctx context.Context) (*layer.Dataset, error) {
		return s.dataset(ctx, path, number)
	}})
	if err != nil {
		return nil, err
	}
	encoded, err := preview(ctx, catalog, id)
	if err := errors.Join(err, catalog.Close()); err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(encoded))
}

func preview(ctx context.Context, catalog *layer.Catalog, id string) ([]byte, error) {
	composition, err := catalog.Prepare(layer.Request{Layer: id, Area: layer.PreviewArea{MaxSize: pictureSide}, Format: layer.PNG})
	if err != nil {
		return nil, err
	}
	made, err := composition.Picture(ctx)
	return made.Bytes, err
}
