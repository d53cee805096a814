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

func (o *renderOptions) define(set *flag.FlagSet) {
	set.StringVar(&o.out, "o", "", "`FILE` Picture to write")
	set.StringVar(&o.tile, "tile", "", "`Z/X/Y` Tile to render")
	set.StringVar(&o.tileSet, "tms", layer.DefaultTileSetID, "`ID` Tile matrix set of the tile")
	set.IntVar(&o.maxSize, "max_size", 1024, "`N` Longer side of a picture of the whole file, in pixels")
	o.view, o.style = make(url.Values), make(url.Values)
	defineParameters(set, o.view, viewParameters())
	for _, group := range styleParameters() {
		defineParameters(set, o.style, group.parameters)
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
		return nil, usageError("render takes either --tile or --bbox, not both")
	case o.tile != "":
		n, err := integers(strings.ReplaceAll(o.tile, "/", ","))
		if err != nil || len(n) != 3 {
			return nil, usageError("--tile must be z/x/y, not %q", o.tile)
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
