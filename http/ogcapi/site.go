package ogcapi

import "net/url"

// Site is where the API is.
type Site struct {
	Root string // the address of the landing page, without a slash at the end
}

// document is the address of a document as JSON. Each says so by itself: clients that
// follow a link may ask for anything.
func (s Site) document(path string) string { return s.Root + path + "?f=json" }

// both are the links of a document to itself, as JSON and as a page.
func (s Site) both(path, query string) []Link {
	return []Link{
		{Href: s.document(path) + and(query), Rel: relSelf, Type: MIMEJSON, Title: "This document"},
		{Href: s.Root + path + "?f=html" + and(query), Rel: relAlternate, Type: MIMEHTML, Title: "This document as a page"},
	}
}

// and is a query to be added to another one.
func and(query string) string {
	if query == "" {
		return ""
	}
	return "&" + query
}

// Origin is what a map is made of: the dataset where it is zero.
type Origin struct {
	Collection string // the id of one, or ""
	Style      string // the id of a style of it, or ""
	Title      string

	// Selection is what addresses of the dataset ask for where it is not all of it, and
	// Version what those of pictures ask for, both as a query is written, or empty.
	Selection, Version string
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
	return s.Root + path + "?f=" + format + and(o.Selection) + and(o.Version)
}

// mapLinks are the pictures of an origin as a whole.
func (s Site) mapLinks(o Origin) []Link {
	var links []Link
	for _, f := range PictureFormats() {
		links = append(links, Link{Href: s.picture(o, o.path(), f.Name), Rel: relMap, Type: f.Types[0], Title: "The map as " + f.Title})
	}
	return links
}
