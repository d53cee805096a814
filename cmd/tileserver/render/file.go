package render

import (
	"context"
	"errors"
	"fmt"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/source"
)

// The shares of --in-flight when a picture is rendered. The rest is for reading and decoding.
const (
	renderingShare = 3. / 8 // for rendering
	cacheShare     = 1. / 8 // for the cache
)

// bytesPerRequestedPixel is the memory granted per pixel of the picture in addition to the share,
// so that large pictures can be rendered.
const bytesPerRequestedPixel = 64

// layerID is the id of the layer of the file.
const layerID = "file"

// Config says how to render.
type Config struct {
	Files    source.Store
	InFlight config.Size
	Grids    *geo.Grids // of datum shifts; or nil
}

// File renders one picture of a file in a store, as the server does. The layer of the request is
// that of the file, whatever the caller has set.
func File(ctx context.Context, own Config, image dataset.Address, request layer.Request) (layer.Picture, error) {
	c, inFlight := config.Default(), own.InFlight
	renderingBytes, cacheBytes := int64(float64(inFlight)*renderingShare), int64(float64(inFlight)*cacheShare)
	pixelCache := cache.New(cacheBytes)
	catalog := layer.NewCatalog(layer.CatalogConfig{
		Cache: pixelCache, MaxPixels: c.MaxPixels, Encoder: new(picture.Encoder),
		Gate:            admission.New(admission.Config{Memory: renderingBytes + bytesPerRequestedPixel*requestedPixels(request.Area, c.MaxPixels)}),
		OverviewTimeout: -1, // no other request could use overviews built in the background
		Pieces:          func() int { return c.Workers },
	})
	opener := dataset.NewOpener(dataset.Config{
		Files: own.Files, Workers: c.Workers, InFlight: int64(inFlight) - renderingBytes - cacheBytes, Cache: pixelCache, Grids: own.Grids,
	})
	described := opener.Layer(image, dataset.Options{ID: layerID})
	described.MaxInlineOverviewBytes = -1 // no limit: overviews are built for this picture only
	if err := catalog.Add(ctx, described); err != nil {
		return layer.Picture{}, dataset.FileError{Image: image, Layer: layerID, Err: memory.RenderHint(err, inFlight)}
	}
	picture, err := renderPicture(ctx, catalog, request)
	if err != nil {
		err = dataset.FileError{Image: image, Layer: layerID, Err: withPlaceHint(memory.RenderHint(err, inFlight), request.Area)}
	}
	return picture, errors.Join(err, catalog.Close())
}

// withPlaceHint adds the option for an image without a place on the earth to an error about that.
func withPlaceHint(err error, area areas.Area) error {
	if !errors.Is(err, layer.ErrUnplaced) {
		return err
	}
	if _, ok := area.(areas.Tile); ok {
		return fmt.Errorf("%w; use --tms image", err)
	}
	return fmt.Errorf("%w; use --crs image", err)
}

// requestedPixels returns how many pixels an area may request, at most max.
func requestedPixels(area areas.Area, maxPixels int) int64 {
	const least = 1 << 20 // a tile is smaller, and a small picture may show much of the file
	pixels := int64(least)
	switch a := area.(type) {
	case areas.Preview:
		pixels = int64(a.MaxSize) * int64(a.MaxSize)
	case areas.Box:
		pixels = int64(a.Width) * int64(a.Height)
	}
	return min(max(pixels, least), int64(maxPixels))
}

// renderPicture renders a picture. It returns an error if the picture would show nothing of the
// image, since a blank picture would look like nodata.
func renderPicture(ctx context.Context, catalog *layer.Catalog, request layer.Request) (layer.Picture, error) {
	var err error
	if request.Layer, err = catalog.Layer(layerID); err != nil {
		return layer.Picture{}, err
	}
	composition, err := catalog.Prepare(request)
	if err != nil {
		return layer.Picture{}, err
	}
	explained, err := composition.Explain(ctx)
	if err != nil {
		return layer.Picture{}, err
	}
	if len(explained.Parts[0].Plan.Parts) == 0 {
		return layer.Picture{}, outside(request)
	}
	return composition.Picture(ctx)
}

// outside returns the error for a request that does not intersect the image, with its bounds.
func outside(request layer.Request) error {
	option := "--bbox"
	if _, isTile := request.Area.(areas.Tile); isTile {
		option = "--tile"
	}
	d := request.Layer.Describe()
	bounds := fmt.Sprintf("0,0,%d,%d in pixels (--crs image)", d.Width, d.Height)
	if d.HasBounds {
		bounds = fmt.Sprintf("%.6f,%.6f,%.6f,%.6f in longitude and latitude, or ", d.Bounds.MinX, d.Bounds.MinY, d.Bounds.MaxX, d.Bounds.MaxY) + bounds
	}
	return usage.Unusablef("%s shows nothing of the image, whose bounds are %s", option, bounds)
}
