package http

import (
	"net/http"
	"net/url"

	"tileserver/layer"
)

// layerLinks are the addresses of a layer. What stands in braces is for the
// client to fill in.
type layerLinks struct {
	Self       string `json:"self"`
	Tiles      string `json:"tiles"`
	TileJSON   string `json:"tilejson,omitempty"`
	Preview    string `json:"preview"`
	View       string `json:"view"`
	Statistics string `json:"statistics"`
	Point      string `json:"point"`
	Legend     string `json:"legend"`
	TMS        string `json:"tms"`
	IIIF       string `json:"iiif"`
	DZI        string `json:"dzi"`
	Zoomify    string `json:"zoomify"`
}

// links are the addresses of a layer; those that need a place on the earth are
// left out if it has none.
func (s *server) links(r *http.Request, l *layer.Layer, d *layer.Description) layerLinks {
	base, version := s.baseURL(r), s.versionQuery(l)
	self := base + "/layers/" + url.PathEscape(l.ID())
	links := layerLinks{
		Self:       self,
		Tiles:      tilesTemplate(base, l.ID(), layer.ImageTileSetID, "png") + version,
		Preview:    self + "/preview.png",
		View:       self + "/view.png?bbox={minx},{miny},{maxx},{maxy}&crs={crs}&width={width}&height={height}",
		Statistics: self + "/statistics",
		Point:      self + "/point/{x},{y}?crs={crs}",
		Legend:     self + "/legend.png",
		TMS:        s.tmsLink(r, l, d),
		IIIF:       s.iiifID(r, l.ID()) + "/info.json",
		DZI:        base + "/dzi/" + url.PathEscape(l.ID()) + deepZoomExtension,
		Zoomify:    base + "/zoomify/" + url.PathEscape(l.ID()) + "/ImageProperties.xml",
	}
	if d.CRS != nil {
		links.Tiles = tilesTemplate(base, l.ID(), layer.DefaultTileSetID, "png") + version
		links.TileJSON = self + "/tilejson.json"
	}
	return links
}

// tilesTemplate is the address of all tiles of a layer, short for the tiles that
// every map viewer asks for.
func tilesTemplate(base, layerID, tileSetID, extension string) string {
	prefix := base + "/tiles/" + url.PathEscape(layerID)
	if tileSetID != layer.DefaultTileSetID {
		prefix += "/" + tileSetID
	}
	return prefix + "/{z}/{x}/{y}." + extension
}
