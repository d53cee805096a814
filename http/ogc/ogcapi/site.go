package ogcapi

import "net/url"

// Site is the address of the API, and what its landing page and its definition offer.
type Site struct {
	Root string // of the landing page, without a slash at the end

	Formats         []Format // of pictures; nil offers all
	FixedBackground bool     // requests may not choose the color
}

// jsonAddress returns the address of a document as JSON. It names the format, because clients that
// follow a link may send any Accept header.
func (s Site) jsonAddress(path string) string { return s.Root + path + "?f=json" }

// selfLinks returns the links of a document to itself as JSON and as an HTML page.
func (s Site) selfLinks(path, query string) []Link {
	return []Link{
		{Href: s.jsonAddress(path) + joinQuery(query), Rel: relSelf, Type: MIMEJSON, Title: "This document"},
		{Href: s.Root + path + "?f=html" + joinQuery(query), Rel: relAlternate, Type: MIMEHTML, Title: "This document as a page"},
	}
}

// joinQuery returns query with an ampersand, to append it to another query, or "".
func joinQuery(query string) string {
	if query == "" {
		return ""
	}
	return "&" + query
}

// Origin is the subject of a map. The zero Origin is the whole dataset.
type Origin struct {
	Collection string // the id of a collection, or ""
	Style      string // the id of its style, or ""
	Title      string

	// Selection is the query that selects collections of the dataset, and Version the query with
	// the version of pictures. Both may be empty.
	Selection, Version string

	Formats []Format // of its pictures; nil offers all
}

// formats returns the formats of pictures that the documents of an origin offer.
func (o Origin) formats() []Format { return offered(o.Formats) }

// offered returns formats, or all of them for nil.
func offered(formats []Format) []Format {
	if formats == nil {
		return PictureFormats()
	}
	return formats
}

// path returns the path of the map of an origin.
func (o Origin) path() string {
	path := o.resource()
	if o.Style != "" {
		path += "/styles/" + url.PathEscape(o.Style)
	}
	return path + "/map"
}

// resource returns the path of the description of an origin.
func (o Origin) resource() string {
	if o.Collection == "" {
		return ""
	}
	return "/collections/" + url.PathEscape(o.Collection)
}

// picture returns the address of a picture of an origin.
func (s Site) picture(o Origin, path, format string) string {
	return s.Root + path + "?f=" + format + joinQuery(o.Selection) + joinQuery(o.Version)
}

// mapLinks returns links to the map of an origin in all offered formats.
func (s Site) mapLinks(o Origin) []Link {
	var links []Link
	for _, f := range o.formats() {
		links = append(links, Link{Href: s.picture(o, o.path(), f.Name), Rel: relMap, Type: f.Types[0], Title: "The map as " + f.Title})
	}
	return links
}
