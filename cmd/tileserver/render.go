package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tileserver/cache"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/source/local"
	"tileserver/style"
)

// renderOptions are the options of render.
type renderOptions struct {
	tile, tileSet string
	maxSize       int // 0 if not given
	out           string
	view, style   url.Values // parameters as in a request
}

func (o *renderOptions) define(set *flag.FlagSet) {
	set.StringVar(&o.out, "o", "", "`FILE` Picture to write")
	set.StringVar(&o.tile, "tile", "", "`Z/X/Y` Tile to render")
	set.StringVar(&o.tileSet, "tms", layer.DefaultTileSetID, "`ID` Tile matrix set of the tile")
	set.Func("max_size", fmt.Sprintf("`N` Longer side of the picture in pixels, without --width and --height (default %d, of a box 512)", defaultSide), o.setMaxSize)
	o.view, o.style = make(url.Values), make(url.Values)
	defineParameters(set, o.view, viewParameters())
	for _, group := range styleParameters() {
		defineParameters(set, o.style, group.parameters)
	}
}

// defaultSide is the longer side of a picture of the whole file, in pixels.
const defaultSide = 1024

func (o *renderOptions) setMaxSize(text string) error {
	side, err := strconv.Atoi(text)
	if err != nil || side < 1 {
		return errors.New("it must be a whole number of at least 1")
	}
	o.maxSize = side
	return nil
}

func (p *program) render(ctx context.Context, args []string) error {
	set := usage.Options("render")
	var o renderOptions
	o.define(set)
	inFlight := inFlightOption(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	image, err := oneFile(ctx, "render", arguments)
	if err != nil {
		return err
	}
	request, err := o.request()
	if err != nil {
		return err
	}
	if isSameFile(image.Path, o.out) {
		return unusableError("render would overwrite %s", image.Path)
	}
	restore, err := limitMemory(*inFlight)
	if err != nil {
		return err
	}
	defer restore()
	picture, err := renderFile(ctx, image, request, *inFlight)
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.out, picture.Bytes, 0o644); err != nil {
		return cmp.Or(outputError(err, o.out), err)
	}
	return damagedOf(image.String(), picture.Damage)
}

// request returns the request that the server would parse from the options.
func (o *renderOptions) request() (layer.Request, error) {
	if o.out == "" {
		return layer.Request{}, usageError("render needs -o OUT.png")
	}
	format, err := layer.ParseFormat(strings.TrimPrefix(filepath.Ext(o.out), "."))
	if err != nil || format.Extension() == "auto" {
		return layer.Request{}, unusableError("%s: the name must end in .png, .webp, .jpg, .npy or .tif", o.out)
	}
	parsed, err := config.ParseStyle(o.style, style.Style{})
	if err != nil {
		return layer.Request{}, unusableError("%v", err)
	}
	parameters := request.With(o.style)
	encoding := parameters.Encoding()
	if parameters.Err != nil {
		return layer.Request{}, unusableError("%v", parameters.Err)
	}
	area, err := o.area()
	if err != nil {
		return layer.Request{}, err
	}
	return layer.Request{Layer: fileLayer, Area: area, Style: parsed, Format: format, Encoding: encoding}, nil
}

func (o *renderOptions) area() (layer.Area, error) {
	switch {
	case len(o.view) > 0 && !o.view.Has("bbox"):
		return nil, usageError("--%s needs --bbox; to limit a picture of the whole image, use --max_size", slices.Min(slices.Collect(maps.Keys(o.view))))
	case o.tile != "" && len(o.view) > 0:
		return nil, usageError("render takes either --tile or --bbox, not both")
	case o.tile != "":
		n, err := integers(strings.ReplaceAll(o.tile, "/", ","))
		if err != nil || len(n) != 3 {
			return nil, usageError("--tile must be z/x/y, not %q", o.tile)
		}
		return layer.TileArea{TileSet: o.tileSet, Tile: geo.TileID{Z: n[0], X: n[1], Y: n[2]}}, nil
	case len(o.view) > 0:
		return o.box()
	default:
		return layer.PreviewArea{MaxSize: cmp.Or(o.maxSize, defaultSide)}, nil
	}
}

// box returns the area that the options select, parsed as the server would.
func (o *renderOptions) box() (layer.Area, error) {
	view := request.With(maps.Clone(o.view))
	if o.maxSize > 0 {
		view.Set("max_size", strconv.Itoa(o.maxSize))
	}
	area, err := view.BoxArea()
	if err != nil {
		return nil, usageError("%v", err)
	}
	return area, nil
}

// The shares of --in-flight when a picture is rendered. The rest is for reading and decoding.
const (
	renderingShare = 3. / 8 // for rendering
	cacheShare     = 1. / 8 // for the cache
)

// bytesPerRequestedPixel is the memory granted per pixel of the picture in addition to the share,
// so that large pictures can be rendered.
const bytesPerRequestedPixel = 64

// renderFile renders one picture of a file, as the server does.
func renderFile(ctx context.Context, image dataset.Address, request layer.Request, inFlight config.Size) (layer.Picture, error) {
	c := config.Default()
	renderingBytes, cacheBytes := int64(float64(inFlight)*renderingShare), int64(float64(inFlight)*cacheShare)
	pixelCache := cache.New(cacheBytes)
	catalog := layer.NewCatalog(layer.CatalogConfig{
		Cache: pixelCache, Gate: layer.NewGate(1, 0), MaxPixels: c.MaxPixels, Encoder: new(picture.Encoder),
		Pictures:        cache.NewBudget(renderingBytes + bytesPerRequestedPixel*requestedPixels(request.Area, c.MaxPixels)),
		OverviewTimeout: -1, // no other request could use overviews built in the background
	})
	opener := dataset.NewOpener(dataset.Config{Files: local.Store{}, Workers: c.Workers, InFlight: int64(inFlight) - renderingBytes - cacheBytes, Cache: pixelCache})
	config := opener.Layer(image, dataset.Options{ID: request.Layer})
	config.MaxInlineOverviewBytes = -1 // no limit: overviews are built for this picture only
	if err := catalog.Add(ctx, config); err != nil {
		return layer.Picture{}, dataset.FileError{Image: image, Layer: fileLayer, Err: withRenderMemoryHint(err, inFlight)}
	}
	picture, err := renderPicture(ctx, catalog, request)
	if err != nil {
		err = dataset.FileError{Image: image, Layer: fileLayer, Err: withPlaceHint(withRenderMemoryHint(err, inFlight))}
	}
	return picture, errors.Join(err, catalog.Close())
}

// withPlaceHint adds the options for an image without a place on the earth to an error about that.
func withPlaceHint(err error) error {
	if errors.Is(err, layer.ErrUnplaced) {
		return fmt.Errorf("%w; use --crs image", err)
	}
	return err
}

// requestedPixels returns how many pixels an area may request, at most max.
func requestedPixels(area layer.Area, maxPixels int) int64 {
	const least = 1 << 20 // a tile is smaller, and a small picture may show much of the file
	pixels := int64(least)
	switch a := area.(type) {
	case layer.PreviewArea:
		pixels = int64(a.MaxSize) * int64(a.MaxSize)
	case layer.BoxArea:
		pixels = int64(a.Width) * int64(a.Height)
	}
	return min(max(pixels, least), int64(maxPixels))
}

// renderPicture renders a picture. It returns an error if the picture would show nothing of the
// image, since a blank picture would look like nodata.
func renderPicture(ctx context.Context, catalog *layer.Catalog, request layer.Request) (layer.Picture, error) {
	composition, err := catalog.Prepare(request)
	if err != nil {
		return layer.Picture{}, err
	}
	explained, err := composition.Explain(ctx)
	if err != nil {
		return layer.Picture{}, err
	}
	if len(explained.Parts[0].Plan.Parts) == 0 {
		return layer.Picture{}, outside(catalog, request)
	}
	return composition.Picture(ctx)
}

// outside returns the error for a request that does not intersect the image, with its bounds.
func outside(catalog *layer.Catalog, request layer.Request) error {
	option := "--bbox"
	if _, isTile := request.Area.(layer.TileArea); isTile {
		option = "--tile"
	}
	l, err := catalog.Layer(request.Layer)
	if err != nil {
		return err
	}
	d := l.Describe()
	bounds := fmt.Sprintf("0,0,%d,%d in pixels (--crs image)", d.Width, d.Height)
	if d.HasBounds {
		bounds = fmt.Sprintf("%.6f,%.6f,%.6f,%.6f in longitude and latitude, or ", d.Bounds.MinX, d.Bounds.MinY, d.Bounds.MaxX, d.Bounds.MaxY) + bounds
	}
	return unusableError("%s shows nothing of the image, whose bounds are %s", option, bounds)
}
