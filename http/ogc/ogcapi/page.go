package ogcapi

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tileserver/geo"
)

// Page is the HTML page of a document.
type Page struct {
	Title, Text string
	Picture     string // the address of a picture, or ""
	Facts       []Fact
	Items       []Item
	Links       []Link
	Home        string // the landing page; "" on the landing page
}

// Fact is a named value on a page.
type Fact struct{ Name, Value string }

// Item is an element of a list on a page.
type Item struct {
	Title, Text string
	Href        string // of its page, or ""
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML renders the page.
func (p *Page) HTML() ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("page %q: %w", p.Title, err)
	}
	return b.Bytes(), nil
}

// PagePolicy allows a page to show pictures of this server, and to load nothing else.
const PagePolicy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

func (s Site) home() string { return s.Root + "/?f=html" }

// htmlAddress turns the address of a JSON document into that of its page.
func htmlAddress(document string) string { return strings.Replace(document, "?f=json", "?f=html", 1) }

// htmlLinks returns the links of a document with those to JSON documents leading to their pages.
func htmlLinks(links []Link) []Link {
	shown := slices.Clone(links)
	for i := range shown {
		link := &shown[i]
		switch {
		case link.Rel == relSelf:
			link.Title = "This page as a document"
		case link.Rel == relAlternate:
			link.Title = "This page"
		case link.Type == MIMEJSON:
			link.Href, link.Type = htmlAddress(link.Href), MIMEHTML
		}
	}
	return shown
}

// Page returns the HTML page of the document.
func (l *Landing) Page() Page {
	p := Page{Title: l.Title, Text: l.Description, Links: htmlLinks(l.Links)}
	p.fact("Provided by", l.Attribution)
	if l.Extent != nil {
		p.fact("Extent", l.Extent.text())
	}
	return p
}

// Page returns the HTML page of the document.
func (c *Conformance) Page(s Site) Page {
	p := Page{Title: "What the API keeps to", Links: htmlLinks(c.Links), Home: s.home()}
	for _, class := range c.ConformsTo {
		p.Items = append(p.Items, Item{Title: class})
	}
	return p
}

// Page returns the HTML page of the document.
func (c *Collections) Page(s Site) Page {
	p := Page{Title: "Collections", Text: fmt.Sprintf("%d of %d", c.NumberReturned, c.NumberMatched), Links: htmlLinks(c.Links), Home: s.home()}
	for i := range c.Collections {
		of := &c.Collections[i]
		p.Items = append(p.Items, Item{Title: of.Title, Text: of.Description, Href: htmlAddress(of.Links[0].Href)})
	}
	return p
}

// Page returns the HTML page of the document, with a small map.
func (c *Collection) Page(s Site) Page {
	p := Page{Title: c.Title, Text: c.Description, Links: htmlLinks(c.Links), Home: s.home()}
	p.Picture = c.picture
	p.fact("Id", c.ID)
	p.fact("Extent", c.Extent.text())
	p.fact("Attribution", c.Attribution)
	p.fact("Reference systems", strings.Join(c.CRS, ", "))
	return p
}

// Page returns the HTML page of the document.
func (l *Styles) Page(s Site) Page {
	p := Page{Title: l.Title, Links: htmlLinks(l.Links), Home: s.home()}
	for _, style := range l.Styles {
		p.Items = append(p.Items, Item{Title: style.Title, Text: style.ID, Href: style.Links[len(style.Links)-1].Href})
	}
	return p
}

// Page returns the HTML page of the document.
func (st *Style) Page(s Site) Page {
	return Page{Title: st.Title, Text: st.ID, Links: htmlLinks(st.Links), Home: s.home()}
}

// Page returns the HTML page of the document.
func (l *TileSets) Page(s Site) Page {
	p := Page{Title: "Tilesets", Links: htmlLinks(l.Links), Home: s.home()}
	for _, set := range l.TileSets {
		p.Items = append(p.Items, Item{Title: set.Title, Text: set.CRS, Href: htmlAddress(set.Links[0].Href)})
	}
	return p
}

// Page returns the HTML page of the document.
func (t *TileSet) Page(s Site) Page {
	p := Page{Title: t.Title, Links: htmlLinks(t.Links), Home: s.home()}
	p.fact("Reference system", t.CRS)
	p.fact("Tile matrix set", t.TileMatrixSetURI)
	p.fact("Attribution", t.Attribution)
	for _, l := range t.Limits {
		p.fact("Matrix "+l.TileMatrix, fmt.Sprintf("rows %d to %d, columns %d to %d", l.MinTileRow, l.MaxTileRow, l.MinTileCol, l.MaxTileCol))
	}
	return p
}

// Page returns the HTML page of the document.
func (l *TileMatrixSets) Page(s Site) Page {
	p := Page{Title: "Tile matrix sets", Links: htmlLinks(l.Links), Home: s.home()}
	for _, set := range l.TileMatrixSets {
		p.Items = append(p.Items, Item{Title: firstOf(set.Title, set.ID), Text: set.ID, Href: htmlAddress(set.Links[0].Href)})
	}
	return p
}

// TileMatrixSetPage returns the HTML page of a tile matrix set.
func (s Site) TileMatrixSetPage(set *geo.TileMatrixSet) Page {
	p := Page{Title: firstOf(set.Title, set.ID), Links: htmlLinks(s.selfLinks(tileMatrixSetsPath+"/"+set.ID, "")), Home: s.home()}
	p.fact("Id", set.ID)
	p.fact("Name", s.TileMatrixSetURI(set))
	p.fact("Reference system", set.CRS.URI())
	for _, m := range set.Matrices {
		p.fact("Matrix "+m.ID, fmt.Sprintf("%d × %d tiles of %d × %d pixels, 1 : %s", m.Columns, m.Rows, m.TileWidth, m.TileHeight,
			strconv.FormatFloat(m.ScaleDenominator, 'f', 0, 64)))
	}
	return p
}

// Page returns the HTML page that lists the operations.
func (d *Definition) Page(s Site) Page {
	p := Page{Title: "Operations", Text: d.Info.Title, Home: s.home()}
	p.Links = []Link{{Href: s.jsonAddress(definitionPath), Rel: relServiceDesc, Type: MIMEOpenAPI, Title: "The definition of the API, as OpenAPI 3.0"}}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		get := d.Paths[path].Get
		names := make([]string, len(get.Parameters))
		for i, of := range get.Parameters {
			names[i] = d.Components.Parameters[strings.TrimPrefix(of.Ref, refParameters)].Name
		}
		p.Items = append(p.Items, Item{Title: "GET " + path, Text: get.Summary + ". Parameters: " + strings.Join(names, ", ")})
	}
	return p
}

// fact adds a fact unless its value is empty.
func (p *Page) fact(name, value string) {
	if value != "" {
		p.Facts = append(p.Facts, Fact{name, value})
	}
}

func (e *Extent) text() string {
	b := e.Spatial.BBox[0]
	return fmt.Sprintf("%.6g to %.6g east, %.6g to %.6g north", b[0], b[2], b[1], b[3])
}
