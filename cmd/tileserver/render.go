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
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/layer"

	tilehttp "tileserver/http"
)

// renderOptions are the options of render.
type renderOptions struct {
	tile, tileSet string
	maxSize       int // 0: not given
	out           string
	view, style   url.Values // as the parameters of a request
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
	set := flags("render")
	var o renderOptions
	o.define(set)
	inFlight := inFlightOption(set)
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
	if isSameFile(from.path, o.out) {
		return unusableError("render would overwrite %s", from.path)
	}
	end, err := grant(*inFlight)
	if err != nil {
		return err
	}
	defer end()
	picture, err := renderFile(ctx, from, request, *inFlight)
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.out, picture.Bytes, 0o644); err != nil {
		return cmp.Or(outputError(err, o.out), err)
	}
	return damagedOf(from.String(), picture.Damage)
}

// request is what the server would make of the options.
func (o *renderOptions) request() (layer.Request, error) {
	if o.out == "" {
		return layer.Request{}, usageError("render needs -o OUT.png")
	}
	format, err := layer.ParseFormat(strings.TrimPrefix(filepath.Ext(o.out), "."))
	if err != nil || format.Extension() == "auto" {
		return layer.Request{}, unusableError("%s: the name must end in .png, .webp, .jpg, .npy or .tif", o.out)
	}
	style, err := parseStyle(o.style, layer.Style{})
	if err != nil {
		return layer.Request{}, unusableError("%v", err)
	}
	encoding, err := tilehttp.ParseEncoding(o.style)
	if err != nil {
		return layer.Request{}, unusableError("%v", err)
	}
	area, err := o.area()
	if err != nil {
		return layer.Request{}, err
	}
	return layer.Request{Layer: fileLayer, Area: area, Style: style, Format: format, Encoding: encoding}, nil
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

// box returns the view that the options ask for, as the server would.
func (o *renderOptions) box() (layer.Area, error) {
	query := maps.Clone(o.view)
	if o.maxSize > 0 {
		query.Set("max_size", strconv.Itoa(o.maxSize))
	}
	area, err := tilehttp.ParseView(query)
	if err != nil {
		return nil, usageError("%v", err)
	}
	return area, nil
}

// What of --in-flight is for what, when a picture is rendered. The rest is for what is being
// read and decoded.
const (
	drawnShare = 3. / 8 // for what is drawn
	keptShare  = 1. / 8 // for what is needed twice
)

// bytesPerAskedPixel is what a picture may take for each of its pixels, on top of its share:
// whoever asks for a large one grants that much.
const bytesPerAskedPixel = 64

// renderFile makes one picture of a file, the way the server does.
func renderFile(ctx context.Context, from address, request layer.Request, inFlight byteSize) (layer.Picture, error) {
	c := defaultConfig()
	drawn, keptBytes := int64(float64(inFlight)*drawnShare), int64(float64(inFlight)*keptShare)
	kept := cache.New(keptBytes)
	catalog := layer.NewCatalog(layer.CatalogConfig{
		Cache: kept, Gate: layer.NewGate(1, 0), MaxPixels: c.MaxPixels, Encoder: new(picture.Encoder),
		Pictures:        cache.NewBudget(drawn + bytesPerAskedPixel*askedPixels(request.Area, c.MaxPixels)),
		OverviewTimeout: -1, // there is nobody else to ask
	})
	opener := newOpener(openerConfig{workers: c.Workers, inFlight: inFlight - byteSize(drawn+keptBytes), cache: kept})
	config := opener.layerOf(from, request.Layer, 0)
	config.MaxInlineOverviewBytes = -1 // overviews are made for this picture, as nothing comes after it
	if err := catalog.Add(ctx, config); err != nil {
		return layer.Picture{}, fileError{from, fileLayer, withRenderRemedy(err, inFlight)}
	}
	picture, err := makePicture(ctx, catalog, request)
	if err != nil {
		err = fileError{from, fileLayer, withRenderRemedy(err, inFlight)}
	}
	return picture, errors.Join(err, catalog.Close())
}

// askedPixels is how many pixels an area asks for, whatever the file.
func askedPixels(area layer.Area, most int) int64 {
	const least = 1 << 20 // a tile is smaller, and a small picture may show much of the file
	pixels := int64(least)
	switch a := area.(type) {
	case layer.PreviewArea:
		pixels = int64(a.MaxSize) * int64(a.MaxSize)
	case layer.BoxArea:
		pixels = int64(a.Width) * int64(a.Height)
	}
	return min(max(pixels, least), int64(most))
}

// makePicture makes a picture, if it shows anything of the image: a blank one would pass for a
// picture of no data.
func makePicture(ctx context.Context, catalog *layer.Catalog, request layer.Request) (layer.Picture, error) {
	job, err := catalog.Prepare(request)
	if err != nil {
		return layer.Picture{}, err
	}
	explained, err := job.Explain(ctx)
	if err != nil {
		return layer.Picture{}, err
	}
	if len(explained.Plan.Parts) == 0 {
		return layer.Picture{}, outside(catalog, request)
	}
	return job.Picture(ctx)
}

// outside says that an image lies elsewhere than a request, and where.
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
