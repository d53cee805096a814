package ogcapi

import "tileserver/geo"

// Service describes the server in the operator's words. Every field may be empty.
type Service struct {
	Title, Abstract         string
	Keywords                []string
	Provider, Site          string
	Contact, Email          string
	Fees, AccessConstraints string
}

// Landing is the landing page.
type Landing struct {
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Attribution string   `json:"attribution,omitempty"`
	Extent      *Extent  `json:"extent,omitempty"`
	CRS         []string `json:"crs,omitempty"`
	Links       []Link   `json:"links"`
}

// Landing returns the landing page. The bounds are those of the dataset, empty if no layer has a
// known position.
func (s Site) Landing(service Service, bounds geo.Bounds) Landing {
	links := []Link{
		{Href: s.jsonAddress("/"), Rel: relSelf, Type: MIMEJSON, Title: "This document"},
		{Href: s.Root + "/?f=html", Rel: relAlternate, Type: MIMEHTML, Title: "This document as a page"},
		{Href: s.jsonAddress(definitionPath), Rel: relServiceDesc, Type: MIMEOpenAPI, Title: "The definition of the API, as OpenAPI 3.0"},
		{Href: s.Root + definitionPath + "?f=html", Rel: relServiceDoc, Type: MIMEHTML, Title: "The operations of the API"},
		{Href: s.jsonAddress(conformancePath), Rel: relConformance, Type: MIMEJSON, Title: "What the API keeps to"},
		{Href: s.jsonAddress(conformancePath), Rel: relOGCConformance, Type: MIMEJSON, Title: "What the API keeps to"},
		{Href: s.jsonAddress(collectionsPath), Rel: relData, Type: MIMEJSON, Title: "The collections"},
		{Href: s.jsonAddress(collectionsPath), Rel: relOGCData, Type: MIMEJSON, Title: "The collections"},
		{Href: s.jsonAddress(tileMatrixSetsPath), Rel: relTilingSchemes, Type: MIMEJSON, Title: "The tile matrix sets"},
	}
	landing := Landing{Title: service.Title, Description: service.Abstract, Attribution: service.Provider, Links: links}
	if !bounds.Empty() {
		dataset := Origin{Formats: s.Formats}
		landing.Extent = extentOf(bounds)
		landing.CRS = crsNames(nil)
		landing.Links = append(landing.Links, Link{Href: s.jsonAddress(dataset.path() + tilesPath), Rel: relMapTileSets, Type: MIMEJSON, Title: "Tiles of the topmost collections on each other"})
		landing.Links = append(landing.Links, s.mapLinks(dataset)...)
	}
	return landing
}

// Extent is the extent of a collection or of the dataset.
type Extent struct {
	Spatial Spatial `json:"spatial"`
}

// Spatial is a list of boxes in degrees.
type Spatial struct {
	BBox [][4]float64 `json:"bbox"`
	CRS  string       `json:"crs"`
}

// extentOf writes bounds as GeoJSON does: across the antimeridian, west is greater than east.
func extentOf(b geo.Bounds) *Extent {
	switch {
	case b.Width() >= 360:
		b.MinX, b.MaxX = -180, 180
	case b.MinX < -180:
		b.MinX += 360
	case b.MaxX > 180:
		b.MaxX -= 360
	}
	return &Extent{Spatial{BBox: [][4]float64{{b.MinX, b.MinY, b.MaxX, b.MaxY}}, CRS: geo.CRS84().URI()}}
}

// crsNames returns the reference systems that documents offer for maps, the default first. Requests
// may use other EPSG systems as well.
func crsNames(native *geo.CRS) []string {
	names := []string{geo.CRS84().URI(), epsgURI + "4326", epsgURI + "3857"}
	if native == nil {
		return names
	}
	own := native.URI()
	for _, name := range names {
		if own == name {
			return names
		}
	}
	if own != "" {
		names = append(names, own)
	}
	return names
}

const epsgURI = "http://www.opengis.net/def/crs/EPSG/0/"
