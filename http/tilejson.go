package http

import (
	"math"
	"net/http"

	"tileserver/display/terrain"
	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/layer"
)

// tileJSON is a TileJSON 3.0.0 document, which map viewers load to show a layer.
type tileJSON struct {
	TileJSON string   `json:"tilejson"`
	Name     string   `json:"name"`
	Scheme   string   `json:"scheme"`
	Tiles    []string `json:"tiles"`
	MinZoom  int      `json:"minzoom"`
	MaxZoom  int      `json:"maxzoom"`
	Bounds   []number `json:"bounds,omitempty"`
	Center   []number `json:"center,omitempty"`

	Description string `json:"description,omitempty"`
	Attribution string `json:"attribution,omitempty"`

	// Encoding is the encoding of heights in the colors of tiles, for MapLibre.
	Encoding string `json:"encoding,omitempty"`

	// Statistics is the version of the statistics that stretches depend on. It is our extension,
	// which the standard permits.
	Statistics string `json:"statistics_version"`

	// TileSize is not part of the standard. Without it, MapLibre assumes 512 pixels.
	TileSize int `json:"tileSize"`
}

// zoomNames are parameters that map clients add to other addresses, where they mean nothing.
var zoomNames = [...]string{"minzoom", "maxzoom"}

func (s *server) tileJSON(e *answer.Exchange, r *http.Request) error {
	l, err := s.Catalog.Layer(request.PathValue(r, "layer"))
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("tilesize", "format", "empty", "tms")
	for _, name := range zoomNames {
		p.RejectUnsupported(name, "the zooms are those of the layer")
	}
	set, format, side := p.Text("tms"), p.Format(), sideOfTile(p)
	if set == "" {
		set = layer.DefaultTileSetID
	}
	if _, err := s.emptyAnswer(p, l.ID()); err != nil {
		return err
	}
	// Preparing any tile rejects parameters with which no tile can be rendered.
	if _, err := prepare(s.Catalog, p, layer.Request{Layer: l.ID(), Area: layer.TileArea{TileSet: set}, Format: format}); err != nil {
		return err
	}
	appearance, err := appearanceOf(l, p, format)
	if err != nil {
		return err
	}
	d := l.Describe()
	tiles := tilesTemplate(s.baseURL(r), l.ID(), set, format.Extension())
	if query := s.tileQuery(p, appearance); query != "" {
		tiles += "?" + query
	}
	document := tileJSON{
		TileJSON: "3.0.0", Name: l.Title(), Description: l.Abstract(), Attribution: l.Attribution(),
		Scheme: "xyz", Tiles: []string{tiles}, Statistics: s.statisticsState(l).Version,
	}
	document.Encoding = heightEncoding(appearance)
	if err := document.describe(&d, set); err != nil {
		return err
	}
	if side != 0 {
		if _, err := layer.SideScale(side, document.TileSize); err != nil {
			return err
		}
		document.TileSize = side
	}
	e.SendJSON(r, document)
	return nil
}

// heightEncoding returns MapLibre's name of the height encoding of an appearance, or "".
func heightEncoding(appearance *layer.Appearance) string {
	switch mode, _ := appearance.Relief(); mode {
	case terrain.ModeTerrainRGB:
		return "mapbox"
	case terrain.ModeTerrarium:
		return "terrarium"
	}
	return ""
}

// describe fills in the zooms and bounds of a layer in a tile matrix set.
func (t *tileJSON) describe(d *layer.Description, setID string) error {
	for _, set := range d.TileSets {
		if set.Set.ID != setID {
			continue
		}
		t.MinZoom, t.MaxZoom = set.MinZoom, set.MaxZoom
		t.TileSize = set.Set.Matrices[set.MaxZoom].TileWidth
		if d.HasBounds && setID != layer.ImageTileSetID {
			bounds, center := onEarth(d.Bounds)
			t.Bounds = boundsArray(bounds)
			t.Center = []number{number(center.X), number(center.Y), number(set.MinZoom)}
		}
		return nil
	}
	return answer.NotFound("the layer cannot be shown in the tile matrix set %q; use %q", setID, layer.ImageTileSetID)
}

// onEarth returns b within the bounds of the world, and its center. TileJSON has no bounds across
// the antimeridian: they become the whole range of longitudes, but the center stays.
func onEarth(b geo.Bounds) (bounds geo.Bounds, center geo.Point) {
	world := geo.Bounds{MinX: -180, MinY: -90, MaxX: 180, MaxY: 90}
	b.MinY, b.MaxY = max(b.MinY, world.MinY), min(b.MaxY, world.MaxY)
	center = b.Center()
	center.X = math.Remainder(center.X, 360)
	if b.MinX < world.MinX || b.MaxX > world.MaxX {
		b.MinX, b.MaxX = world.MinX, world.MaxX
	}
	return b, center
}
