package ogcapi

import (
	"net/url"
	"strings"
)

// Site is where the API is.
type Site struct {
	Root string // the address of the landing page, without a slash at the end
}

// document is the address of a document as JSON. Each says so by itself: clients that
// follow a link may ask for anything.
func (s Site) document(path string) string { return s.Root + path + "?f=json" }

// both are the links of a document to itself, as JSON and as a page.
func (s Site) both(path, query string) []Link {
	if query != "" {
		query = "&" + query
	}
	return []Link{
		{Href: s.document(path) + query, Rel: relSelf, Type: MIMEJSON, Title: "This document"},
		{Href: s.Root + path + "?f=html" + query, Rel: relAlternate, Type: MIMEHTML, Title: "This document as a page"},
	}
}

// Origin is what a map is made of: the dataset where it is zero.
type Origin struct {
	Collection string // the id of one, or ""
	Style      string // the id of a style of it, or ""
	Title      string
	Query      string // what all addresses of its pictures ask for besides, as a query is written
}

// path is where the map of an origin is.
func (o Origin) path() string {
	path := o.resource()
	if o.Style != "" {
		path += "/styles/" + url.PathEscape(o.Style)
	}
	return path + "/map"
}

// resource is where the description of an origin is.
func (o Origin) resource() string {
	if o.Collection == "" {
		return ""
	}
	return "/collections/" + url.PathEscape(o.Collection)
}

// picture is the address of a picture in a format.
func (s Site) picture(o Origin, path, format string) string {
	query := "?f=" + format
	if o.Query != "" {
		query += "&" + o.Query
	}
	return s.Root + path + query
}

// mapLinks are the pictures of an origin as a whole.
func (s Site) mapLinks(o Origin) []Link {
	var links []Link
	for _, f := range PictureFormats() {
		links = append(links, Link{Href: s.picture(o, o.path(), f.Name), Rel: relMap, Type: f.Types[0], Title: "The map as " + strings.ToUpper(f.Name)})
	}
	return links
}
