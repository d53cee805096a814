package http

import (
	"net/http"
	"net/url"

	"tileserver/layer"
)

// listedLinks are the addresses of a layer in a list. Clients replace names in braces.
type listedLinks struct {
	Self     string `json:"self"`
	Tiles    string `json:"tiles"`
	TileJSON string `json:"tilejson,omitempty"`
	Preview  string `json:"preview"`
}

// layerLinks are all addresses of a layer.
type layerLinks struct {
	listedLinks
	View       string `json:"view"`
	Statistics string `json:"statistics"`
	Point      string `json:"point"`
	Legend     string `json:"legend"`
	TMS        string `json:"tms"`
	IIIF       string `json:"iiif"`
	DZI        string `json:"dzi"`
	Zoomify    string `json:"zoomify"`
}

// listedLinks leaves out links that need a position on earth if the layer has none.
func (s *server) listedLinks(r *http.Request, l *layer.Layer, d *layer.Description) listedLinks {
	base, version := s.baseURL(r), s.versionQuery(l)
	self := base + "/layers/" + url.PathEscape(l.ID())
	if d.CRS == nil {
		return listedLinks{Self: self, Tiles: tilesTemplate(base, l.ID(), layer.ImageTileSetID, "png") + version, Preview: self + "/preview.png"}
	}
	return listedLinks{
		Self: self, Tiles: tilesTemplate(base, l.ID(), layer.DefaultTileSetID, "png") + version,
		TileJSON: self + "/tilejson.json", Preview: self + "/preview.png",
	}
}

func (s *server) links(r *http.Request, l *layer.Layer, d *layer.Description) layerLinks {
	base, listed := s.baseURL(r), s.listedLinks(r, l, d)
	return layerLinks{
		listedLinks: listed,
		View:        listed.Self + "/view.png?bbox={minx},{miny},{maxx},{maxy}&crs={crs}&width={width}&height={height}",
		Statistics:  listed.Self + "/statistics",
		Point:       listed.Self + "/point/{x},{y}?crs={crs}",
		Legend:      listed.Self + "/legend.png",
		TMS:         s.tmsLink(r, l, d),
		IIIF:        s.iiifID(r, l.ID()) + "/info.json",
		DZI:         base + "/dzi/" + url.PathEscape(l.ID()) + deepZoomExtension,
		Zoomify:     base + "/zoomify/" + url.PathEscape(l.ID()) + "/ImageProperties.xml",
	}
}

// tilesTemplate returns the template of a layer's tiles. It is short for the default tile matrix
// set, which every map viewer knows.
func tilesTemplate(base, layerID, tileSetID, extension string) string {
	prefix := base + "/tiles/" + url.PathEscape(layerID)
	if tileSetID != layer.DefaultTileSetID {
		prefix += "/" + tileSetID
	}
	return prefix + "/{z}/{x}/{y}." + extension
}
