package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"tileserver/archive"
	"tileserver/decode"
)

// documentName is the name of the TileJSON, which is written last.
const documentName = "tiles.json"

// document is the TileJSON of an archive, with its type, which TileJSON does not name.
type document struct {
	TileJSON    string    `json:"tilejson"`
	Tiles       []string  `json:"tiles"`
	Name        string    `json:"name,omitempty"`
	Description string    `json:"description,omitempty"`
	Attribution string    `json:"attribution,omitempty"`
	Version     string    `json:"version,omitempty"`
	Type        string    `json:"type"`
	Bounds      []float64 `json:"bounds"`
	Center      []float64 `json:"center"`
	MinZoom     float64   `json:"minzoom"`
	MaxZoom     float64   `json:"maxzoom"`
}

// template is the address of a tile, beside the document.
const template = "{z}/{x}/{y}"

// ErrCorrupt means that a folder is not an archive of tiles, or that a file is not what it must be.
var ErrCorrupt = decode.Corrupt("folder of tiles: corrupt")

// documentOf returns the TileJSON of a description. The address of tiles of several formats has no extension.
func documentOf(d archive.Description) ([]byte, error) {
	tiles := template
	if extension := d.Format.Extension(); extension != "" {
		tiles += "." + extension
	}
	text, err := json.MarshalIndent(document{
		TileJSON: "3.0.0", Tiles: []string{tiles},
		Name: d.Name, Description: d.Summary, Attribution: d.Attribution, Version: d.Version, Type: d.Kind(),
		Bounds:  []float64{d.Bounds.West, d.Bounds.South, d.Bounds.East, d.Bounds.North},
		Center:  []float64{d.Center.Longitude, d.Center.Latitude, float64(d.Center.Zoom)},
		MinZoom: float64(d.MinZoom), MaxZoom: float64(d.MaxZoom),
	}, "", "  ")
	return append(text, '\n'), err
}

// parse parses a TileJSON. Values that make no sense are unknown.
func parse(text []byte) (archive.Description, error) {
	var parsed document
	var mistyped *json.UnmarshalTypeError
	if err := json.Unmarshal(text, &parsed); err != nil && !errors.As(err, &mistyped) {
		return archive.Description{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	d := archive.Description{
		Name: parsed.Name, Summary: parsed.Description, Attribution: parsed.Attribution, Version: parsed.Version,
		MinZoom: archive.NearestZoom(parsed.MinZoom), MaxZoom: archive.NearestZoom(parsed.MaxZoom),
	}
	d.SetKind(parsed.Type)
	if len(parsed.Tiles) > 0 {
		d.Format = archive.FormatNamed(strings.TrimPrefix(path.Ext(parsed.Tiles[0]), "."))
	}
	if b := parsed.Bounds; len(b) == 4 {
		d.Bounds = archive.Bounds{West: b[0], South: b[1], East: b[2], North: b[3]}
	}
	if c := parsed.Center; len(c) == 3 {
		d.Center = archive.Center{Longitude: c[0], Latitude: c[1], Zoom: archive.NearestZoom(c[2])}
	}
	return d.WithoutNonsense(), nil
}
