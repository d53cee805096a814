package http

import (
	"math"
	"net/http"

	"tileserver/display/terrain"
	"tileserver/geo"
	"tileserver/layer"
)

// tileJSON is a TileJSON 3.0.0 document: what a map viewer needs to show a layer.
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

	// Encoding is how heights are coded in the colours of tiles, for MapLibre.
	Encoding string `json:"encoding,omitempty"`

	// Statistics is the version of those that the pictures are stretched by; the member is
	// ours, as the standard allows.
	Statistics string `json:"statistics_version"`

	// TileSize is not of the standard; MapLibre takes tiles for 512 pixels
	// without it.
	TileSize int `json:"tileSize"`
}

func (s *server) tileJSON(e *exchange, r *http.Request) error {
	l, err := s.Catalog.Layer(pathValue(r, "layer"))
	if err != nil {
		return err
	}
	p := parametersOf(r).knowing("tilesize", "format", "empty")
	set, format, side := p.text("tms"), p.format(), p.tileSide()
	if set == "" {
		set = layer.DefaultTileSetID
	}
	if _, err := s.emptyAnswer(p, l.ID()); err != nil {
		return err
	}
	// Preparing any tile refuses what no tile of the document could be made of.
	job, err := prepare(s.Catalog, p, layer.Request{Layer: l.ID(), Area: layer.TileArea{TileSet: set}, Format: format})
	if err != nil {
		return err
	}
	d := l.Describe()
	tiles := tilesTemplate(s.baseURL(r), l.ID(), set, format.Extension())
	if query := s.tileQuery(p, job); query != "" {
		tiles += "?" + query
	}
	document := tileJSON{
		TileJSON: "3.0.0", Name: l.Title(), Description: l.Abstract(), Attribution: l.Attribution(),
		Scheme: "xyz", Tiles: []string{tiles}, Statistics: s.statisticsState(l).Version,
	}
	document.Encoding = heightEncoding(job)
	if err := document.describe(&d, set); err != nil {
		return err
	}
	if side != 0 {
		if _, err := layer.SideScale(side, document.TileSize); err != nil {
			return err
		}
		document.TileSize = side
	}
	e.sendJSON(r, document)
	return nil
}

// heightEncoding is what MapLibre calls the way in which the colours of a job stand for
// heights, or nothing.
func heightEncoding(job *layer.Job) string {
	switch mode, _ := job.Relief(); mode {
	case terrain.ModeTerrainRGB:
		return "mapbox"
	case terrain.ModeTerrarium:
		return "terrarium"
	}
	return ""
}

// format is the format of tiles; PNG loses nothing and can be transparent.
func (p *parameters) format() layer.Format {
	text := p.text("format")
	if text == "" {
		return layer.PNG
	}
	format, err := layer.ParseFormat(text)
	if err != nil {
		p.refuse("format: %v", err)
	}
	return format
}

// describe fills in where in a tile matrix set the layer lies.
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
	return notFound("the layer cannot be shown in the tile matrix set %q; use %q", setID, layer.ImageTileSetID)
}

// onEarth is b within a map of the world, and its middle. TileJSON knows no bounds across the
// date line: there they are all around the world, and the middle is still that of the layer.
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
