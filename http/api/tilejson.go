package api

import (
	"net/http"

	"tileserver/display/terrain"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
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

func (s *service) tileJSON(e *answer.Exchange, r *http.Request) error {
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("tilesize", "format", "empty", "tms")
	for _, name := range zoomNames {
		p.RejectUnsupported(name, "the zooms are those of the layer")
	}
	set, format, side := p.Text("tms"), serve.TileFormat(p, l), sideOfTile(p)
	if set == "" {
		set = tilesets.DefaultID
	}
	if _, err := p.EmptyAnswer(); err != nil {
		return err
	}
	// Preparing any tile rejects parameters with which no tile can be rendered.
	if _, err := serve.Prepare(s.Catalog, p, l, layer.Request{Area: areas.Tile{TileSet: set, Side: side}, Format: format}); err != nil {
		return err
	}
	appearance, err := serve.AppearanceOf(l, p, format)
	if err != nil {
		return err
	}
	d := l.Describe()
	tiles := s.placeOf(r, l).tilesTemplate(set, format.Extension(), s.TileQuery(p, appearance))
	document := tileJSON{
		TileJSON: "3.0.0", Name: l.Title(), Description: l.Abstract(), Attribution: l.Attribution(),
		Scheme: "xyz", Tiles: []string{tiles}, Statistics: s.statisticsState(l).Version,
	}
	document.Encoding = heightEncoding(appearance)
	if err := document.describe(&d, set); err != nil {
		return err
	}
	if side != 0 {
		if _, err := areas.SideScale(side, document.TileSize); err != nil {
			return layer.Classify(err)
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
		if d.HasBounds && setID != tilesets.ImageID {
			bounds, center := d.Bounds.OnEarth()
			t.Bounds = boundsArray(bounds)
			t.Center = []number{number(center.X), number(center.Y), number(set.MinZoom)}
		}
		return nil
	}
	return answer.NotFound("the layer cannot be shown in the tile matrix set %q; use %q", setID, tilesets.ImageID)
}
