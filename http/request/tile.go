package request

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
)

// Tile parses the tile address and the format from the path. Without an extension, the server
// chooses JPEG or PNG, or WebP for clients that accept it.
func Tile(r *http.Request) (areas.Tile, layer.Format, error) {
	name, extension, hasExtension := strings.Cut(PathValue(r, "tile"), ".")
	if !hasExtension {
		extension = layer.AutoJPEG.Extension()
	}
	format, err := FormatOf(extension)
	if err != nil {
		return areas.Tile{}, format, err
	}
	area := areas.Tile{TileSet: TileSet(r), Scale: 1}
	if plain, ok := strings.CutSuffix(name, "@2x"); ok {
		name, area.Scale = plain, 2
	}
	area.Tile, err = TileID(r.PathValue("z"), r.PathValue("x"), name)
	return area, format, err
}

// TileSet returns the tile matrix set that the path names, or the default one.
func TileSet(r *http.Request) string {
	if id := r.PathValue("tms"); id != "" {
		return id
	}
	return tilesets.DefaultID
}

// TileID parses a tile address. It accepts each number in its shortest form only, so that a
// tile has one address and caches store it once.
func TileID(z, x, y string) (geo.TileID, error) {
	var numbers [3]int
	for i, text := range [...]string{z, x, y} {
		v, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(v) != text {
			return geo.TileID{}, answer.Invalid("a tile is three whole numbers without leading zeros, optionally with @2x after the last, not %s/%s/%s", z, x, y)
		}
		numbers[i] = v
	}
	return geo.TileID{Z: numbers[0], X: numbers[1], Y: numbers[2]}, nil
}

// FormatOf returns the format of a file extension, ignoring case.
func FormatOf(extension string) (layer.Format, error) {
	format, err := layer.ParseFormat(strings.ToLower(extension))
	if err != nil {
		return format, answer.NotFound("%v", err)
	}
	return format, nil
}

// Format returns the format of tiles, by default PNG, which is lossless and can be transparent.
func (p *Parameters) Format() layer.Format {
	text := p.Text("format")
	if text == "" {
		return layer.PNG
	}
	format, err := layer.ParseFormat(text)
	if err != nil {
		p.Reject("format: %v", err)
	}
	return format
}

// EmptyAnswer returns the answer for empty tiles that the parameter empty selects.
func (p *Parameters) EmptyAnswer() (layer.EmptyAnswer, error) {
	requested, err := ParseEmptyAnswer(p.Text("empty"))
	if err != nil {
		return requested, answer.Invalid("empty: %v", err)
	}
	return requested, nil
}

// ParseEmptyAnswer parses blank, or the status 204 or 404. An empty text gives layer.EmptyUnset.
func ParseEmptyAnswer(text string) (layer.EmptyAnswer, error) {
	switch text {
	case "":
		return layer.EmptyUnset, nil
	case "blank":
		return layer.EmptyBlank, nil
	case "204":
		return layer.EmptyNothing, nil
	case "404":
		return layer.EmptyNotFound, nil
	}
	return layer.EmptyUnset, fmt.Errorf("unknown answer %q for empty tiles; use blank, 204 or 404", text)
}
