package ogcapi

import "net/url"

// Styles is the document of the styles of a collection.
type Styles struct {
	Title   string  `json:"title"`
	Default string  `json:"default,omitempty"`
	Styles  []Style `json:"styles"`
	Links   []Link  `json:"links"`
}

// Style is the document of a style.
type Style struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Links []Link `json:"links"`
}

const stylesPath = "/styles"

// Styles returns the document of the styles of a layer. The first style is the default.
func (s Site) Styles(of *Layer) Styles {
	origin := of.origin()
	path := origin.resource() + stylesPath
	list := Styles{Title: "Styles of " + of.Title, Styles: []Style{}, Links: s.selfLinks(path, "")}
	for i, style := range of.Styles {
		if i == 0 {
			list.Default = style.ID
		}
		list.Styles = append(list.Styles, s.style(of, style))
	}
	list.Links = append(list.Links, Link{Href: s.jsonAddress(origin.resource()), Rel: relCollection, Type: MIMEJSON, Title: of.Title})
	return list
}

// Style returns the document of a style of a layer.
func (s Site) Style(of *Layer, style StyleName) Style {
	document := s.style(of, style)
	path := of.origin().resource() + stylesPath + "/" + url.PathEscape(style.ID)
	document.Links = append(s.selfLinks(path, ""), document.Links...)
	document.Links = append(document.Links, Link{Href: s.jsonAddress(of.origin().resource()), Rel: relCollection, Type: MIMEJSON, Title: of.Title})
	return document
}

// style returns a style with the links that lists of styles have.
func (s Site) style(of *Layer, style StyleName) Style {
	origin := of.origin()
	origin.Style, origin.Version = style.ID, style.Version
	links := append([]Link{{Href: s.jsonAddress(origin.path() + tilesPath), Rel: relMapTileSets, Type: MIMEJSON, Title: "Tiles in this style"}}, s.mapLinks(origin)...)
	return Style{ID: style.ID, Title: style.Title, Links: links}
}
