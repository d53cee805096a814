package api

import (
	"net/http"
	"net/url"

	"tileserver/http/deepzoom"
	"tileserver/http/iiif"
	"tileserver/http/tms"
	"tileserver/http/zoomify"
	"tileserver/layer"
	"tileserver/layer/tilesets"
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
func (s *service) listedLinks(r *http.Request, l *layer.Layer, d *layer.Description) listedLinks {
	base, version := s.BaseURL(r), s.VersionQuery(l, "")
	self := base + "/layers/" + url.PathEscape(l.ID())
	if d.CRS == nil {
		return listedLinks{Self: self, Tiles: withQuery(tilesTemplate(base, l.ID(), tilesets.ImageID, "png"), version), Preview: self + "/preview.png"}
	}
	return listedLinks{
		Self: self, Tiles: withQuery(tilesTemplate(base, l.ID(), tilesets.DefaultID, "png"), version),
		TileJSON: self + "/tilejson.json", Preview: self + "/preview.png",
	}
}

func (s *service) links(r *http.Request, l *layer.Layer, d *layer.Description) layerLinks {
	base, listed := s.BaseURL(r), s.listedLinks(r, l, d)
	return layerLinks{
		listedLinks: listed,
		View:        listed.Self + "/view.png?bbox={minx},{miny},{maxx},{maxy}&crs={crs}&width={width}&height={height}",
		Statistics:  listed.Self + "/statistics",
		Point:       listed.Self + "/point/{x},{y}?crs={crs}",
		Legend:      listed.Self + "/legend.png",
		TMS:         tms.Address(base, l.ID(), d),
		IIIF:        iiif.Address(base, l.ID()),
		DZI:         deepzoom.Address(base, l.ID()),
		Zoomify:     zoomify.Address(base, l.ID()),
	}
}

// tilesTemplate returns the template of a layer's tiles. It is short for the default tile matrix
// set, which every map viewer knows.
func tilesTemplate(base, layerID, tileSetID, extension string) string {
	prefix := base + "/tiles/" + url.PathEscape(layerID)
	if tileSetID != tilesets.DefaultID {
		prefix += "/" + tileSetID
	}
	return prefix + "/{z}/{x}/{y}." + extension
}

// withQuery appends a query to an address, unless it is empty.
func withQuery(address, query string) string {
	if query == "" {
		return address
	}
	return address + "?" + query
}
