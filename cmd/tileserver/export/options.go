package export

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tileserver/cmd/tileserver/render"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/export"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/tilesets"
)

// Options are the options of the command.
type Options struct {
	Config  string   // file of a configuration, or empty
	Layers  []string // ids of its layers
	Memory  config.Size
	Workers int

	zooms, format, tileSet, box, style, onError string
	skipEmpty                                   bool
	appearance                                  render.Appearance
}

// defaultMemory is the default of --memory.
const defaultMemory config.Size = 512 << 20

// Define defines the options.
func (o *Options) Define(set *flag.FlagSet) {
	o.Memory = defaultMemory
	set.StringVar(&o.zooms, "zooms", "", "`FIRST-LAST` Zooms to make, such as 5-17 (default those that the layer is useful at)")
	set.StringVar(&o.format, "format", "png", "`jpg|png|webp|auto` Format of the tiles; auto is PNG where a tile has transparency, and else JPEG")
	set.StringVar(&o.tileSet, "tms", tilesets.DefaultID, "`ID` Tile matrix set; image is the pixels of the file, native the same in its coordinate system")
	set.StringVar(&o.box, "bbox", "", "`W,S,E,N` Only tiles that touch this box, in degrees")
	set.BoolVar(&o.skipEmpty, "skip-empty", false, "Leave tiles out in which the image has no pixels, instead of blank ones")
	set.StringVar(&o.onError, "on-error", onErrorStop, "`stop|skip` What a damaged tile does: end the export, or be left out")
	set.Var(&o.Memory, "memory", "`SIZE` Memory for what is read, decoded, cached and drawn; the program itself takes up to 150MiB more")
	set.IntVar(&o.Workers, "workers", config.Default().Workers, "`N` Tiles that are made at a time (default one for each core)")
	set.StringVar(&o.Config, "config", "", "`FILE` Configuration of a server, whose layers to export with --layer")
	set.Func("layer", "`ID` Layer of the configuration; given again, the next is drawn over it", func(id string) error {
		o.Layers = append(o.Layers, id)
		return nil
	})
	set.StringVar(&o.style, "style", "", "`NAME` Style of the layer, as the configuration names it")
	o.appearance.Define(set)
}

// Groups returns the options that are grouped in the help of the command.
func Groups() []usage.Group {
	return append([]usage.Group{{Title: "Layers of a configuration", Names: []string{"config", "layer", "style"}}}, render.AppearanceGroups()...)
}

// The values of --on-error.
const (
	onErrorStop = "stop"
	onErrorSkip = "skip"
)

// Check returns the files and the output of a command line, or an error in what can be checked before a
// layer is open.
func (o *Options) Check(arguments []string) (files []string, out string, err error) {
	switch {
	case len(arguments) == 0:
		return nil, "", usage.Mistakef("export needs an output, such as a folder")
	case o.Workers < 1:
		return nil, "", usage.Mistakef("--workers must be at least 1, not %d", o.Workers)
	case o.onError != onErrorStop && o.onError != onErrorSkip:
		return nil, "", usage.Mistakef("--on-error must be %s or %s, not %q", onErrorStop, onErrorSkip, o.onError)
	}
	files, out = arguments[:len(arguments)-1], arguments[len(arguments)-1]
	switch isConfigured := o.Config != ""; {
	case len(o.Layers) > 0 && !isConfigured:
		return nil, "", usage.Mistakef("--layer needs --config, which has the layers")
	case len(o.Layers) == 0 && isConfigured:
		return nil, "", usage.Mistakef("--config needs --layer, which says what to export")
	case len(files) > 0 && isConfigured:
		return nil, "", usage.Mistakef("export takes files or layers of --config, not both")
	case len(files) == 0 && !isConfigured:
		return nil, "", usage.Mistakef("export needs a file and an output: tileserver export FILE OUT")
	}
	if _, err := o.tileFormat(); err != nil {
		return nil, "", err
	}
	if err := o.checkKind(out); err != nil {
		return nil, "", err
	}
	if err := export.CheckFree(out); err != nil {
		return nil, "", usage.Unusablef("%v", err)
	}
	if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
		return nil, "", usage.Unusablef("cannot write %s: there is no folder %s", out, filepath.Dir(out))
	}
	return files, out, nil
}

// tileFormat returns the format of tiles.
func (o *Options) tileFormat() (layer.Format, error) {
	format, err := layer.ParseFormat(o.format)
	if err != nil || format.IsData() {
		return format, usage.Mistakef("--format must be jpg, png, webp or auto, not %q", o.format)
	}
	return format, nil
}

// zoomRange is zooms from first to last.
type zoomRange struct{ first, last int }

func (r zoomRange) String() string { return fmt.Sprintf("%d-%d", r.first, r.last) }

// zoomsOf returns the zooms to make. Without the option they are the useful ones.
func (o *Options) zoomsOf(useful zoomRange) (zoomRange, error) {
	if o.zooms == "" {
		return useful, nil
	}
	first, last, isRange := strings.Cut(o.zooms, "-")
	if !isRange {
		last = first
	}
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil || from < 0 || to < from {
		return zoomRange{}, usage.Mistakef("--zooms must be such as 5-17 or 12, not %q", o.zooms)
	}
	return zoomRange{from, to}, nil
}

// boxOf returns the box in degrees; ok is false if there is none.
func (o *Options) boxOf() (box geo.Bounds, ok bool, err error) {
	if o.box == "" {
		return geo.Bounds{}, false, nil
	}
	var n [4]float64
	fields := strings.Split(o.box, ",")
	for i, field := range fields {
		number, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || len(fields) != len(n) {
			return geo.Bounds{}, false, usage.Mistakef("--bbox must be west,south,east,north in degrees, not %q", o.box)
		}
		n[i] = number
	}
	box = geo.Bounds{MinX: n[0], MinY: n[1], MaxX: n[2], MaxY: n[3]}
	globe := geo.Bounds{MinX: -180, MinY: -90, MaxX: 180, MaxY: 90}
	if box.Empty() || box.Intersect(globe) != box {
		return geo.Bounds{}, false, usage.Mistakef("--bbox must be west,south,east,north in degrees, from -180,-90 to 180,90, with west < east and south < north, not %q", o.box)
	}
	return box, true, nil
}
