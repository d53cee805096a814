package http

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"tileserver/geo"
	"tileserver/layer"
)

// tileArea is the tile that a path names, and the format behind its dot. Without a dot, the
// server chooses one.
func tileArea(r *http.Request) (layer.TileArea, layer.Format, error) {
	name, extension, hasExtension := strings.Cut(pathValue(r, "tile"), ".")
	if !hasExtension {
		extension = layer.AutoJPEG.Extension()
	}
	format, err := formatOf(extension)
	if err != nil {
		return layer.TileArea{}, format, err
	}
	area := layer.TileArea{TileSet: tileSetOf(r), Scale: 1}
	if plain, ok := strings.CutSuffix(name, "@2x"); ok {
		name, area.Scale = plain, 2
	}
	area.Tile, err = tileID(r.PathValue("z"), r.PathValue("x"), name)
	return area, format, err
}

func tileSetOf(r *http.Request) string {
	if id := r.PathValue("tms"); id != "" {
		return id
	}
	return layer.DefaultTileSetID
}

// tileID takes each number in its shortest form only: a tile has one address, or
// caches would keep it once for every way to write that.
func tileID(z, x, y string) (geo.TileID, error) {
	var numbers [3]int
	for i, text := range [...]string{z, x, y} {
		v, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(v) != text {
			return geo.TileID{}, invalid("a tile is named by whole numbers, as short as can be, with @2x behind the last or nothing, not %s/%s/%s", z, x, y)
		}
		numbers[i] = v
	}
	return geo.TileID{Z: numbers[0], X: numbers[1], Y: numbers[2]}, nil
}

// formatOf finds a format by a file's extension, which other programs may write in capitals.
func formatOf(extension string) (layer.Format, error) {
	format, err := layer.ParseFormat(strings.ToLower(extension))
	if err != nil {
		return format, notFound("%v", err)
	}
	return format, nil
}

const (
	defaultViewSide    = 512
	maxViewSide        = 1 << 16
	defaultPreviewSide = 512
	maxPreviewSide     = 2048
)

// boxArea is the view that a query asks for.
func (p *parameters) boxArea() layer.BoxArea {
	area := layer.BoxArea{CRS: p.viewCRS()}
	text := p.text("bbox")
	if text == "" {
		p.refuse("bbox is missing: minx,miny,maxx,maxy")
		return area
	}
	if b := p.numbers("bbox", text, 4); b != nil {
		area.Bounds = geo.Bounds{MinX: b[0], MinY: b[1], MaxX: b[2], MaxY: b[3]}
		p.sizeView(&area)
	}
	return area
}

// sizeView takes the size of the picture, and what is not given of it from the
// shape of the bbox.
func (p *parameters) sizeView(area *layer.BoxArea) {
	b := area.Bounds
	if b.Empty() || math.IsInf(b.Width(), 0) || math.IsInf(b.Height(), 0) {
		p.refuse("bbox must be minx,miny,maxx,maxy with some room between them")
		return
	}
	area.Width = p.integer("width", 0, 1, maxViewSide)
	area.Height = p.integer("height", 0, 1, maxViewSide)
	aspect := b.Width() / b.Height()
	switch {
	case area.Width == 0 && area.Height == 0:
		area.Width, area.Height = side(defaultViewSide*min(aspect, 1)), side(defaultViewSide/max(aspect, 1))
	case area.Width == 0:
		area.Width = side(float64(area.Height) * aspect)
	case area.Height == 0:
		area.Height = side(float64(area.Width) / aspect)
	}
}

// side is the nearest side that a picture may have.
func side(pixels float64) int { return int(math.Round(min(max(pixels, 1), maxViewSide))) }

// viewCRS is what the numbers of a bbox are in, which is what the view is in:
// crs or bbox-crs, if both are given they must agree.
func (p *parameters) viewCRS() *geo.CRS {
	view, bbox := p.text("crs"), p.text("bbox-crs")
	if view != "" && bbox != "" && view != bbox {
		p.refuse("bbox-crs must be the same as crs")
	}
	if view == "" {
		view = bbox
	}
	return p.crs(view)
}

const defaultCRS = "EPSG:4326"

// crs finds a reference system; "image" is nil. Coordinates are always x before
// y, so longitude before latitude, which makes EPSG:4326 and CRS84 the same.
func (p *parameters) crs(name string) *geo.CRS {
	switch strings.ToUpper(name) {
	case "":
		name = defaultCRS
	case strings.ToUpper(layer.ImageTileSetID):
		return nil
	case "CRS84", "OGC:CRS84":
		name = defaultCRS
	}
	code, err := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(name), "EPSG:"))
	if err != nil {
		p.refuse("crs must be like EPSG:3857, or CRS84, or image, not %q", name)
		return nil
	}
	crs, err := geo.ByCode(code)
	if errors.Is(err, geo.ErrUnknownCRS) {
		p.refuse("crs: %v", err)
	} else if err != nil && p.err == nil {
		p.err = err
	}
	return crs
}
