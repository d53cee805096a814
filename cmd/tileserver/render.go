package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"tileserver/cache"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/layer"

	tilehttp "tileserver/http"
)

// renderOptions are the options of render.
type renderOptions struct {
	tile, tileSet string
	maxSize       int
	out           string
	view, style   url.Values // as the parameters of a request
}

// styleParameters are the options that are parameters of a request as well.
var styleParameters = map[string]string{
	"bidx":             "bands to show, as 3,2,1",
	"bands":            "bands to show by their names, as red,green,blue",
	"expression":       "what to compute of bands, as (b4-b3)/(b4+b3)",
	"unscale":          "true: values by the scale and offset of the file, and not samples",
	"complex":          "quarter_power or magnitude",
	"algorithm":        "hillshade, multihillshade, slope, aspect, contours, terrainrgb or terrarium",
	"algorithm_params": "its parameters, as {\"azimuth\":315}",
	"rescale":          "range from black to white, as 0,3000; repeat it for each band",
	"stretch":          "none, minmax, percentile:2,98, dra, stddev:2 or tile",
	"statistics":       "dataset, or file for those that the file tells",
	"color_formula":    "as \"gamma RGB 1.2, sigmoidal RGB 8 0.4, saturation 1.1\"",
	"colormap_name":    "colours of a single band",
	"colormap":         "colours as JSON, as {\"1\":\"#ff0000\"}",
	"colormap_type":    "explicit or linear",
	"background":       "colour behind what is transparent, in JPEG",
	"depth":            "bits a sample of PNG: 8 or 16",
	"nodata":           "one more sample that is no data",
	"resampling":       "nearest, bilinear, cubic, lanczos or average",
	"quality":          "of JPEG and WebP, 1 to 100",
	"subsampling":      "of colours in JPEG: 420 or 444",
	"lossless":         "true: WebP without loss",
}

// viewParameters are those that say what box to show.
var viewParameters = map[string]string{
	"bbox":   "box to render, minx,miny,maxx,maxy",
	"crs":    "what the box is in: EPSG:n, CRS84 (the default), or image for pixels",
	"width":  "width of the picture of a box",
	"height": "height of the picture of a box",
}

func (o *renderOptions) define(set *flag.FlagSet) {
	set.StringVar(&o.tile, "tile", "", "tile to render, z/x/y")
	set.StringVar(&o.tileSet, "tms", layer.DefaultTileSetID, "tile matrix set of the tile")
	set.IntVar(&o.maxSize, "max_size", 1024, "longer side of a picture of the whole file")
	set.StringVar(&o.out, "o", "", "picture to write")
	o.view, o.style = make(url.Values), make(url.Values)
	defineParameters(set, o.view, viewParameters)
	defineParameters(set, o.style, styleParameters)
}

// defineParameters makes options of parameters, to be gathered in values.
func defineParameters(set *flag.FlagSet, values url.Values, usages map[string]string) {
	for name, usage := range usages {
		set.Func(name, usage, func(value string) error {
			values.Add(name, value)
			return nil
		})
	}
}

func (p *program) render(ctx context.Context, args []string) error {
	set := flags("render")
	var o renderOptions
	o.define(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	from, err := oneFile("render", arguments)
	if err != nil {
		return err
	}
	request, err := o.request()
	if err != nil {
		return err
	}
	picture, err := renderFile(ctx, from, request)
	if err != nil {
		return err
	}
	return os.WriteFile(o.out, picture.Bytes, 0o644)
}

// request is what the server would make of the options.
func (o *renderOptions) request() (layer.Request, error) {
	if o.out == "" {
		return layer.Request{}, usageError("render needs -o OUT.png")
	}
	format, err := layer.ParseFormat(strings.TrimPrefix(filepath.Ext(o.out), "."))
	if err != nil {
		return layer.Request{}, usageError("%v", err)
	}
	style, err := tilehttp.ParseStyle(o.style, layer.Style{})
	if err != nil {
		return layer.Request{}, usageError("%v", err)
	}
	encoding, err := tilehttp.ParseEncoding(o.style)
	if err != nil {
		return layer.Request{}, usageError("%v", err)
	}
	area, err := o.area()
	if err != nil {
		return layer.Request{}, err
	}
	return layer.Request{Layer: "file", Area: area, Style: style, Format: format, Encoding: encoding}, nil
}

func (o *renderOptions) area() (layer.Area, error) {
	switch {
	case o.tile != "" && len(o.view) > 0:
		return nil, usageError("render takes a tile or a view, not both")
	case o.tile != "":
		n, err := integers(strings.ReplaceAll(o.tile, "/", ","))
		if err != nil || len(n) != 3 {
			return nil, usageError("a tile is z/x/y, not %q", o.tile)
		}
		return layer.TileArea{TileSet: o.tileSet, Tile: geo.TileID{Z: n[0], X: n[1], Y: n[2]}}, nil
	case len(o.view) > 0:
		area, err := tilehttp.ParseView(o.view)
		if err != nil {
			return nil, usageError("%v", err)
		}
		return area, nil
	default:
		return layer.PreviewArea{MaxSize: o.maxSize}, nil
	}
}

// renderFile makes one picture of a file, the way the server does.
func renderFile(ctx context.Context, from address, request layer.Request) (layer.Picture, error) {
	c := defaultConfig()
	kept := cache.New(int64(c.Cache))
	catalog := layer.NewCatalog(layer.CatalogConfig{
		Cache: kept, Gate: layer.NewGate(1, 0), MaxPixels: c.MaxPixels, Encoder: new(picture.Encoder),
		Patience: -1, // there is nobody else to ask
	})
	opener := newOpener(openerConfig{workers: c.Workers, inFlight: c.InFlight, cache: kept})
	if err := catalog.Add(ctx, opener.layerOf(from, request.Layer, 0)); err != nil {
		return layer.Picture{}, fmt.Errorf("%v: %w", from, err)
	}
	picture, err := makePicture(ctx, catalog, request)
	if err != nil {
		err = fmt.Errorf("%v: %w", from, err)
	}
	return picture, errors.Join(err, catalog.Close())
}

func makePicture(ctx context.Context, catalog *layer.Catalog, request layer.Request) (layer.Picture, error) {
	job, err := catalog.Prepare(request)
	if err != nil {
		return layer.Picture{}, err
	}
	return job.Picture(ctx)
}
