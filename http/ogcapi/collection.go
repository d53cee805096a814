package ogcapi

import (
	"net/url"
	"strconv"

	"tileserver/geo"
)

// Source is a layer as documents tell of it.
type Source struct {
	ID, Title, Description, Attribution string

	Bounds geo.Bounds  // in degrees of longitude and latitude
	CRS    *geo.CRS    // its own
	Styles []StyleName // the default one first
	Finest float64     // the smallest scale denominator at which there is something new to see; 0 is unknown
}

// StyleName is a style that a layer can be shown in.
type StyleName struct {
	ID, Title string
	Version   string // what addresses of pictures in it ask for, as a query is written, or ""
}

// origin is the layer in its default style.
func (s *Source) origin() Origin {
	origin := Origin{Collection: s.ID, Title: s.Title}
	if len(s.Styles) > 0 {
		origin.Version = s.Styles[0].Version
	}
	return origin
}

// Collection is what a map can be made of.
type Collection struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Attribution string   `json:"attribution,omitempty"`
	Extent      *Extent  `json:"extent"`
	CRS         []string `json:"crs"`
	DataType    string   `json:"dataType"`
	Finest      float64  `json:"minScaleDenominator,omitempty"`

	// ScaleDenominator is how GDAL's driver reads that.
	ScaleDenominator float64 `json:"scaleDenominator,omitempty"`
	Links            []Link  `json:"links"`
}

// Collections are a page of a list of collections.
type Collections struct {
	Links          []Link       `json:"links"`
	NumberMatched  int          `json:"numberMatched"`
	NumberReturned int          `json:"numberReturned"`
	Collections    []Collection `json:"collections"`
}

const collectionsPath = "/collections"

// Window is a part of a list.
type Window struct{ Offset, Limit int }

// Of is the part of a list of so many items: from the first to the one before end.
func (w Window) Of(total int) (first, end int) {
	first = min(max(w.Offset, 0), total)
	return first, first + min(max(w.Limit, 0), total-first)
}

func (w Window) query() string {
	return url.Values{"limit": {strconv.Itoa(w.Limit)}, "offset": {strconv.Itoa(w.Offset)}}.Encode()
}

// Collections is the document of a part of all total collections: of the sources that are in
// a window of them, which the client asked for or not.
func (s Site) Collections(sources []Source, total int, w Window, asked bool) Collections {
	query := ""
	if asked {
		query = w.query()
	}
	links := s.both(collectionsPath, query)
	if next := (Window{w.Offset + w.Limit, w.Limit}); next.Offset < total {
		links = append(links, Link{Href: s.document(collectionsPath) + "&" + next.query(), Rel: relNext, Type: MIMEJSON, Title: "The next collections"})
	}
	if w.Offset > 0 {
		previous := Window{max(w.Offset-w.Limit, 0), w.Limit}
		links = append(links, Link{Href: s.document(collectionsPath) + "&" + previous.query(), Rel: relPrevious, Type: MIMEJSON, Title: "The collections before"})
	}
	list := Collections{Links: links, NumberMatched: total, NumberReturned: len(sources), Collections: []Collection{}}
	for i := range sources {
		list.Collections = append(list.Collections, s.Collection(&sources[i]))
	}
	return list
}

// Collection is the document of a layer.
func (s Site) Collection(of *Source) Collection {
	origin := of.origin()
	path := origin.resource()
	links := append(s.both(path, ""),
		Link{Href: s.document(origin.path() + tilesPath), Rel: relMapTileSets, Type: MIMEJSON, Title: "Tiles of the map"},
		Link{Href: s.document(path + stylesPath), Rel: relStyles, Type: MIMEJSON, Title: "The styles"},
	)
	links = append(links, s.mapLinks(origin)...)
	// GDAL's driver for maps begins at one that is a document, with the styles of the map.
	links = append(links,
		Link{Href: s.document(path + stylesPath), Rel: relMap, Type: MIMEJSON, Title: "The map in each style"},
		Link{Href: s.document(collectionsPath), Rel: relUp, Type: MIMEJSON, Title: "All collections"},
	)
	return Collection{
		ID: of.ID, Title: of.Title, Description: of.Description, Attribution: of.Attribution,
		Extent: extentOf(of.Bounds), CRS: crsNames(of.CRS), DataType: "map", Finest: of.Finest, ScaleDenominator: of.Finest, Links: links,
	}
}
