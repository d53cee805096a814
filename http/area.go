package http

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/layer"
)

// tileArea parses the tile address and the format from the path. Without an extension, the server
// chooses JPEG or PNG, or WebP for clients that accept it.
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

// tileID parses a tile address. It accepts each number in its shortest form only, so that a
// tile has one address and caches store it once.
func tileID(z, x, y string) (geo.TileID, error) {
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

// formatOf returns the format of a file extension, ignoring case.
func formatOf(extension string) (layer.Format, error) {
	format, err := layer.ParseFormat(strings.ToLower(extension))
	if err != nil {
		return format, answer.NotFound("%v", err)
	}
	return format, nil
}

const (
	defaultViewSide    = 512
	maxViewSide        = 1 << 16
	defaultPreviewSide = 512
	maxPreviewSide     = 2048
)

// previewArea returns the area of a preview: the whole image, in its own aspect ratio or that of
// width and height. A preview is never larger than the image.
func (p *parameters) previewArea() layer.PreviewArea {
	side := p.Integer("max_size", defaultPreviewSide, 1, maxPreviewSide)
	width, height := p.Integer("width", 0, 1, maxPreviewSide), p.Integer("height", 0, 1, maxPreviewSide)
	if width+height > 0 {
		side = maxPreviewSide
	}
	return layer.PreviewArea{MaxSize: side, Width: width, Height: height}
}

// boxArea parses the area of a view.
func (p *parameters) boxArea() (layer.BoxArea, error) {
	bboxCRS, viewCRS := p.boxCRS()
	area := layer.BoxArea{CRS: viewCRS}
	text := p.Text("bbox")
	if text == "" {
		p.Reject("bbox is missing: minx,miny,maxx,maxy")
	}
	b := p.Numbers("bbox", text, 4)
	if p.Err != nil {
		return area, p.Err
	}
	area.Bounds = geo.Bounds{MinX: b[0], MinY: b[1], MaxX: b[2], MaxY: b[3]}
	p.checkDegrees("bbox", area.Bounds, bboxCRS)
	if bboxCRS != viewCRS && p.Err == nil {
		var err error
		if area.Bounds, err = transformBounds(area.Bounds, bboxCRS, viewCRS); err != nil {
			return area, ogcFailure(err)
		}
	}
	p.sizeView(&area, p.Integer("max_size", defaultViewSide, 1, maxViewSide), maxViewSide)
	return area, p.Err
}

// sizeView sets the size of a view. It derives a missing side from the aspect ratio of the bbox. If
// both are missing, the longer side gets defaultSide pixels. A given side may have maxSide pixels.
func (p *parameters) sizeView(area *layer.BoxArea, defaultSide, maxSide int) {
	b := area.Bounds
	if b.Empty() || math.IsInf(b.Width(), 0) || math.IsInf(b.Height(), 0) {
		p.Reject("bbox must be minx,miny,maxx,maxy with minx < maxx and miny < maxy")
		return
	}
	area.Width = p.Integer("width", 0, 1, maxSide)
	area.Height = p.Integer("height", 0, 1, maxSide)
	aspect := b.Width() / b.Height()
	switch {
	case area.Width == 0 && area.Height == 0:
		area.Width, area.Height = roundSide(float64(defaultSide)*min(aspect, 1)), roundSide(float64(defaultSide)/max(aspect, 1))
	case area.Width == 0:
		area.Width = roundSide(float64(area.Height) * aspect)
	case area.Height == 0:
		area.Height = roundSide(float64(area.Width) / aspect)
	}
}

// roundSide rounds to the nearest side that a picture may have.
func roundSide(pixels float64) int { return int(math.Round(min(max(pixels, 1), maxViewSide))) }

// boxCRS returns the CRS of the bbox and that of the view, as one pointer if they are equal. crs
// sets both. TiTiler calls them coord_crs and dst_crs: coord_crs alone sets both, dst_crs alone
// sets that of the view.
func (p *parameters) boxCRS() (bboxCRS, viewCRS *geo.CRS) {
	box, view := p.either("bbox-crs", "coord_crs"), p.either("crs", "dst_crs")
	switch {
	case view == "":
		view = box
	case box == "" && p.Text("dst_crs") == "":
		box = view
	}
	viewCRS = p.crs(view)
	if view == box {
		return viewCRS, viewCRS
	}
	bboxCRS = p.crs(box)
	switch {
	case p.Err != nil:
	case bboxCRS == nil || viewCRS == nil:
		p.Reject("a bbox in image pixels cannot be shown in another crs: %s and %s must be equal", box, view)
	case bboxCRS.Key() == viewCRS.Key():
		bboxCRS = viewCRS
	}
	return bboxCRS, viewCRS
}

// either returns the value of a parameter that has two names. If both are given they must agree.
func (p *parameters) either(name, other string) string {
	first, second := p.Text(name), p.Text(other)
	if first != "" && second != "" && first != second {
		p.Reject("%s and %s are synonyms but differ: %q and %q", name, other, first, second)
	}
	return cmp.Or(first, second)
}

const defaultCRS = "EPSG:4326"

// crs returns the reference system of a name, or nil for "image". Coordinates are always x
// before y, so longitude before latitude, which makes EPSG:4326 and CRS84 the same.
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
		p.Reject("crs must be like EPSG:3857, or CRS84, or image, not %q", name)
		return nil
	}
	crs, err := geo.ByCode(code)
	if errors.Is(err, geo.ErrUnknownCRS) {
		p.Reject("crs: %v", err)
	} else if err != nil && p.Err == nil {
		p.Err = err
	}
	return crs
}
