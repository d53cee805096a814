package ogcapi

import (
	"net/url"
	"strconv"

	"tileserver/geo"
)

// Layer describes a layer for the documents.
type Layer struct {
	ID, Title, Description, Attribution string

	Bounds              geo.Bounds  // in degrees of longitude and latitude
	CRS                 *geo.CRS    // native
	Styles              []StyleName // the default one first
	MinScaleDenominator float64     // at which new detail shows; 0 is unknown
	Formats             []Format    // of its pictures; nil offers all
}

// StyleName is a style of a layer, for links.
type StyleName struct {
	ID, Title string
	Version   string // the query with the version of pictures, or ""
}

// origin returns the layer in its default style.
func (s *Layer) origin() Origin {
	origin := Origin{Collection: s.ID, Title: s.Title, Formats: s.Formats}
	if len(s.Styles) > 0 {
		origin.Version = s.Styles[0].Version
	}
	return origin
}

// Collection is the document of a layer.
type Collection struct {
	ID                  string   `json:"id"`
	Title               string   `json:"title"`
	Description         string   `json:"description,omitempty"`
	Attribution         string   `json:"attribution,omitempty"`
	Extent              *Extent  `json:"extent"`
	CRS                 []string `json:"crs"`
	DataType            string   `json:"dataType"`
	MinScaleDenominator float64  `json:"minScaleDenominator,omitempty"`

	// ScaleDenominator repeats MinScaleDenominator under the name that GDAL's driver reads.
	ScaleDenominator float64 `json:"scaleDenominator,omitempty"`
	Links            []Link  `json:"links"`

	picture string // the address of the map on the page
}

// Collections is a page of the list of collections.
type Collections struct {
	Links          []Link       `json:"links"`
	NumberMatched  int          `json:"numberMatched"`
	NumberReturned int          `json:"numberReturned"`
	Collections    []Collection `json:"collections"`
}

const collectionsPath = "/collections"

// ListRange is a page of a list by its offset and length.
type ListRange struct{ Offset, Limit int }

// Clamp returns the first index of the range in a list of total items, and the index after its
// last.
func (w ListRange) Clamp(total int) (first, end int) {
	first = min(max(w.Offset, 0), total)
	return first, first + min(max(w.Limit, 0), total-first)
}

func (w ListRange) query() string {
	return url.Values{"limit": {strconv.Itoa(w.Limit)}, "offset": {strconv.Itoa(w.Offset)}}.Encode()
}

// Collections returns the page of a list of total collections that has the given layers. Its own
// links repeat the range only if the client gave one.
func (s Site) Collections(sources []Layer, total int, w ListRange, isExplicit bool) Collections {
	query := ""
	if isExplicit {
		query = w.query()
	}
	links := s.selfLinks(collectionsPath, query)
	if next := (ListRange{w.Offset + w.Limit, w.Limit}); next.Offset < total {
		links = append(links, Link{Href: s.jsonAddress(collectionsPath) + "&" + next.query(), Rel: relNext, Type: MIMEJSON, Title: "The next collections"})
	}
	if w.Offset > 0 {
		previous := ListRange{max(w.Offset-w.Limit, 0), w.Limit}
		links = append(links, Link{Href: s.jsonAddress(collectionsPath) + "&" + previous.query(), Rel: relPrevious, Type: MIMEJSON, Title: "The collections before"})
	}
	list := Collections{Links: links, NumberMatched: total, NumberReturned: len(sources), Collections: []Collection{}}
	for i := range sources {
		list.Collections = append(list.Collections, s.Collection(&sources[i]))
	}
	return list
}

// Collection returns the document of a layer.
func (s Site) Collection(of *Layer) Collection {
	origin := of.origin()
	path := origin.resource()
	links := append(s.selfLinks(path, ""),
		Link{Href: s.jsonAddress(origin.path() + tilesPath), Rel: relMapTileSets, Type: MIMEJSON, Title: "Tiles of the map"},
		Link{Href: s.jsonAddress(path + stylesPath), Rel: relStyles, Type: MIMEJSON, Title: "The styles"},
	)
	links = append(links, s.mapLinks(origin)...)
	// GDAL's driver for maps follows a map link to a document, and finds the styles in it.
	links = append(links,
		Link{Href: s.jsonAddress(path + stylesPath), Rel: relMap, Type: MIMEJSON, Title: "The map in each style"},
		Link{Href: s.jsonAddress(collectionsPath), Rel: relUp, Type: MIMEJSON, Title: "All collections"},
	)
	picture := ""
	for _, f := range origin.formats()[:min(1, len(origin.formats()))] {
		picture = s.Root + origin.path() + "?f=" + f.Name
	}
	return Collection{
		picture: picture,
		ID:      of.ID, Title: of.Title, Description: of.Description, Attribution: of.Attribution,
		Extent: extentOf(of.Bounds), CRS: crsNames(of.CRS), DataType: "map", MinScaleDenominator: of.MinScaleDenominator, ScaleDenominator: of.MinScaleDenominator, Links: links,
	}
}
