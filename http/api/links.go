package api

import (
	"net/http"
	"net/url"

	"tileserver/http/deepzoom"
	"tileserver/http/iiif"
	"tileserver/http/serve"
	"tileserver/http/tms"
	"tileserver/http/zoomify"
	"tileserver/layer"
	"tileserver/layer/tilesets"
)

// listedLinks are the addresses of a layer in a list. Clients replace names in braces.
type listedLinks struct {
	Self     string `json:"self"`
	Tiles    string `json:"tiles,omitempty"`
	TileJSON string `json:"tilejson,omitempty"`
	Preview  string `json:"preview,omitempty"`
}

// layerLinks are all addresses of a layer.
type layerLinks struct {
	listedLinks
	View       string `json:"view,omitempty"`
	Statistics string `json:"statistics,omitempty"`
	Point      string `json:"point,omitempty"`
	Legend     string `json:"legend"`
	TMS        string `json:"tms,omitempty"`
	IIIF       string `json:"iiif,omitempty"`
	DZI        string `json:"dzi,omitempty"`
	Zoomify    string `json:"zoomify,omitempty"`
}

// listedLinks leaves out links that need a position on earth if the layer has none, and those that
// strangers may not follow.
func (s *service) listedLinks(r *http.Request, l *layer.Layer, d *layer.Description) listedLinks {
	base, version := s.BaseURL(r), s.VersionQuery(l, "")
	self := base + "/layers/" + url.PathEscape(l.ID())
	format, ok := serve.PictureFormat(l)
	if !ok {
		return listedLinks{Self: self}
	}
	links := listedLinks{Self: self, Preview: self + "/preview." + format.Extension()}
	if d.CRS == nil {
		links.Tiles = withQuery(tilesTemplate(base, l.ID(), tilesets.ImageID, format.Extension()), version)
		return links
	}
	links.Tiles = withQuery(tilesTemplate(base, l.ID(), tilesets.DefaultID, format.Extension()), version)
	links.TileJSON = self + "/tilejson.json"
	return links
}

func (s *service) links(r *http.Request, l *layer.Layer, d *layer.Description) layerLinks {
	base, listed := s.BaseURL(r), s.listedLinks(r, l, d)
	links := layerLinks{listedLinks: listed, Legend: listed.Self + "/legend.png"}
	if l.Access().Strangers.CheckValues() == nil {
		links.Statistics, links.Point = listed.Self+"/statistics", listed.Self+"/point/{x},{y}?crs={crs}"
	}
	if format, ok := serve.PictureFormat(l); ok {
		links.View = listed.Self + "/view." + format.Extension() + "?bbox={minx},{miny},{maxx},{maxy}&crs={crs}&width={width}&height={height}"
		links.TMS, links.IIIF, links.DZI = tms.Address(base, l.ID(), d), iiif.Address(base, l.ID()), deepzoom.Address(base, l.ID())
	}
	if zoomify.IsAllowed(l) {
		links.Zoomify = zoomify.Address(base, l.ID())
	}
	return links
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
