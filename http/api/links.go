package api

import (
	"net/http"

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
	at, version := s.placeOf(r, l), s.VersionQuery(l, "")
	format, ok := serve.PictureFormat(l)
	if !ok {
		return listedLinks{Self: at.at("", "")}
	}
	links := listedLinks{Self: at.at("", ""), Preview: at.at("/preview."+format.Extension(), "")}
	if d.CRS == nil {
		links.Tiles = at.tilesTemplate(tilesets.ImageID, format.Extension(), version)
		return links
	}
	links.Tiles = at.tilesTemplate(tilesets.DefaultID, format.Extension(), version)
	links.TileJSON = at.at("/tilejson.json", "")
	return links
}

func (s *service) links(r *http.Request, l *layer.Layer, d *layer.Description) layerLinks {
	at := s.placeOf(r, l)
	links := layerLinks{listedLinks: s.listedLinks(r, l, d), Legend: at.at("/legend.png", "")}
	if l.Access().Strangers.CheckValues() == nil {
		links.Statistics, links.Point = at.at("/statistics", ""), at.at("/point/{x},{y}", "crs={crs}")
	}
	format, hasPictures := serve.PictureFormat(l)
	if hasPictures {
		links.View = at.at("/view."+format.Extension(), "bbox={minx},{miny},{maxx},{maxy}&crs={crs}&width={width}&height={height}")
	}
	if at.hasProtocols {
		links.addProtocols(s.BaseURL(r), l, d, hasPictures)
	}
	return links
}

// addProtocols adds where other protocols have the layer.
func (links *layerLinks) addProtocols(base string, l *layer.Layer, d *layer.Description, hasPictures bool) {
	if hasPictures {
		links.TMS, links.IIIF, links.DZI = tms.Address(base, l.ID(), d), iiif.Address(base, l.ID()), deepzoom.Address(base, l.ID())
	}
	if zoomify.IsAllowed(l) {
		links.Zoomify = zoomify.Address(base, l.ID())
	}
}
