// Package render renders a picture of one file, as the server would send it. Command render calls
// it. The package owns the options of the command, which are parameters of requests. It must never
// know how a server is configured.
package render

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/geo"
	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
	"tileserver/style"
)

// Options are the options of the command.
type Options struct {
	tile, tileSet string
	maxSize       int        // 0 if not given
	Out           string     // file to write
	view          url.Values // parameters as in a request
	appearance    Appearance
}

func (o *Options) Define(set *flag.FlagSet) {
	set.StringVar(&o.Out, "o", "", "`FILE` Picture to write")
	set.StringVar(&o.tile, "tile", "", "`Z/X/Y` Tile to render")
	set.StringVar(&o.tileSet, "tms", tilesets.DefaultID, "`ID` Tile matrix set of the tile")
	set.Func("max_size", fmt.Sprintf("`N` Longer side of the picture in pixels, without --width and --height (default %d, of a box 512)", defaultSide), o.setMaxSize)
	o.view = make(url.Values)
	defineParameters(set, o.view, viewParameters())
	o.appearance.Define(set)
}

// defaultSide is the longer side of a picture of the whole file, in pixels.
const defaultSide = 1024

func (o *Options) setMaxSize(text string) error {
	side, err := strconv.Atoi(text)
	if err != nil || side < 1 {
		return errors.New("it must be a whole number of at least 1")
	}
	o.maxSize = side
	return nil
}

// Request returns the request that the server would parse from the options, without a layer.
func (o *Options) Request() (layer.Request, error) {
	if o.Out == "" {
		return layer.Request{}, usage.Mistakef("render needs -o OUT.png")
	}
	format, err := layer.ParseFormat(strings.TrimPrefix(filepath.Ext(o.Out), "."))
	if err != nil || format.Extension() == "auto" {
		return layer.Request{}, usage.Unusablef("%s: the name must end in .png, .webp, .jpg, .npy or .tif", o.Out)
	}
	parsed, err := o.appearance.Style(style.Style{})
	if err != nil {
		return layer.Request{}, err
	}
	encoding, err := o.appearance.Encoding()
	if err != nil {
		return layer.Request{}, err
	}
	area, err := o.area()
	if err != nil {
		return layer.Request{}, err
	}
	return layer.Request{Area: area, Style: parsed, Format: format, Encoding: encoding}, nil
}

func (o *Options) area() (areas.Area, error) {
	switch {
	case len(o.view) > 0 && !o.view.Has("bbox"):
		return nil, usage.Mistakef("--%s needs --bbox; to limit a picture of the whole image, use --max_size", slices.Min(slices.Collect(maps.Keys(o.view))))
	case o.tile != "" && len(o.view) > 0:
		return nil, usage.Mistakef("render takes either --tile or --bbox, not both")
	case o.tile != "":
		tile, err := parseTile(o.tile)
		return areas.Tile{TileSet: o.tileSet, Tile: tile}, err
	case len(o.view) > 0:
		return o.box()
	default:
		return areas.Preview{MaxSize: cmp.Or(o.maxSize, defaultSide)}, nil
	}
}

// parseTile parses z/x/y.
func parseTile(text string) (geo.TileID, error) {
	var n [3]int
	fields := strings.Split(strings.ReplaceAll(text, ",", "/"), "/")
	for i, field := range fields {
		number, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || len(fields) != len(n) {
			return geo.TileID{}, usage.Mistakef("--tile must be z/x/y, not %q", text)
		}
		n[i] = number
	}
	return geo.TileID{Z: n[0], X: n[1], Y: n[2]}, nil
}

// box returns the area that the options select, parsed as the server would.
func (o *Options) box() (areas.Area, error) {
	view := request.With(maps.Clone(o.view))
	if o.maxSize > 0 {
		view.Set("max_size", strconv.Itoa(o.maxSize))
	}
	area, err := view.BoxArea()
	if err != nil {
		return nil, usage.Mistakef("%v", err)
	}
	return area, nil
}
