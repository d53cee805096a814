package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"runtime"
	"time"

	"tileserver/cache"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/source/local"
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
type studio struct{ opener *dataset.Opener }

func newStudio() *studio {
	return &studio{dataset.NewOpener(dataset.Config{Files: local.Store{}, Workers: runtime.GOMAXPROCS(0), InFlight: inFlightBytes})}
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
		entries[i].picture, entries[i].err = s.picture(ctx, dataset.Address{Path: path, Number: i + 1})
	}
	return entries
}

func (s *studio) countImages(ctx context.Context, path string) (int, error) {
	file, _, err := s.opener.Open(ctx, path, dataset.Options{})
	if err != nil {
		return 0, err
	}
	return len(file.Images()), file.Close()
}

// picture renders an image in the default style.
func (s *studio) picture(ctx context.Context, of dataset.Address) (image.Image, error) {
	ctx, cancel := context.WithTimeout(ctx, pictureTimeout)
	defer cancel()
	const id = "file"
	catalog := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(cacheBytes), OverviewTimeout: -1})
	err := catalog.Add(ctx, s.opener.Layer(of, dataset.Options{ID: id}))
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
	l, err := catalog.Layer(id)
	if err != nil {
		return nil, err
	}
	composition, err := catalog.Prepare(layer.Request{Layer: l, Area: areas.Preview{MaxSize: pictureSide}, Format: layer.PNG})
	if err != nil {
		return nil, err
	}
	made, err := composition.Picture(ctx)
	return made.Bytes, err
}
