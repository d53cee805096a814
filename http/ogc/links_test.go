package ogc_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

// crawler follows all links of documents and HTML pages from the landing page.
type crawler struct {
	w       *servertest.Server
	root    string
	visited map[string]bool
	queue   []ogcLink
}

// maxVisited exceeds the number of addresses to visit.
const maxVisited = 2000

func (c *crawler) add(t *testing.T, from string, links ...ogcLink) {
	for _, link := range links {
		if strings.HasPrefix(link.Href, "http://www.opengis.net/") {
			continue
		}
		if !strings.HasPrefix(link.Href, c.root) {
			t.Errorf("%s links to another host: %s", from, link.Href)
			continue
		}
		if link.Templated {
			continue // other tests check tiles
		}
		if strings.ContainsAny(link.Href, "{}") {
			t.Errorf("%s has the template %s, and is not marked as a template", from, link.Href)
		}
		if link.Rel == "" && from == "" || c.visited[link.Href] {
			continue
		}
		c.visited[link.Href] = true
		c.queue = append(c.queue, link)
	}
}

var pageAddress = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

func (c *crawler) visit(t *testing.T, link ogcLink) {
	got := c.w.GetAs(link.Href, "")
	mime := got.Header().Get("Content-Type")
	if got.Code != http.StatusOK {
		t.Errorf("%s (%s): status %d: %s", link.Href, link.Rel, got.Code, got.Body)
		return
	}
	if link.Type != "" && !strings.HasPrefix(mime, link.Type) {
		t.Errorf("%s has the type %s, the link says %s", link.Href, mime, link.Type)
	}
	switch {
	case strings.Contains(mime, "json"):
		if !strings.Contains(link.Href, "f=json") {
			t.Errorf("a link to a document is %s", link.Href)
		}
		c.add(t, link.Href, ogcLinks(t, got.Body.Bytes())...)
	case strings.HasPrefix(mime, "text/html"):
		for _, match := range pageAddress.FindAllStringSubmatch(got.Body.String(), -1) {
			c.add(t, link.Href, ogcLink{Href: html.UnescapeString(match[1]), Rel: "page"})
		}
	}
}

func TestAllLinksLeadSomewhere(t *testing.T) {
	c := &crawler{w: newServer(t), root: root + "/", visited: make(map[string]bool)}
	c.add(t, "the address", ogcLink{Href: root + "/?f=json", Rel: "start", Type: "application/json"})
	for len(c.queue) > 0 && len(c.visited) < maxVisited {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.visit(t, next)
	}
	if len(c.visited) >= maxVisited {
		t.Error("the links do not end")
	}
	for _, path := range []string{
		"/api?f=json", "/api?f=html", "/conformance?f=json", "/collections?f=json", "/collections/utm?f=html", "/collections/flat/styles/dim/map?f=png",
		"/collections/utm/map/tiles/UTM33WGS84Quad?f=json", "/collections/flat/styles/dim/map/tiles/WebMercatorQuad?f=json", "/map?f=webp",
		"/map/tiles/WorldCRS84Quad?f=html", "/tileMatrixSets/native-utm?f=json",
	} {
		if !c.visited[root+path] {
			t.Errorf("no link to %s", path)
		}
	}
}

// The definition lists the existing paths, and no others.
func TestDefinitionMatchesRoutes(t *testing.T) {
	server := newServer(t)
	definition := servertest.DecodeJSON[struct {
		OpenAPI string
		Servers []struct{ URL string }
		Paths   map[string]struct {
			Get struct {
				OperationID string
				Responses   map[string]any
			}
		}
	}](t, server.GetAs(root+"/api", ""))
	if !strings.HasPrefix(definition.OpenAPI, "3.0.") || len(definition.Servers) != 1 || definition.Servers[0].URL != root {
		t.Errorf("the definition is of %s, for %v", definition.OpenAPI, definition.Servers)
	}
	values := strings.NewReplacer(
		"{collectionId}", "flat", "{styleId}", "dim", "{tileMatrixSetId}", "WorldCRS84Quad", "{tileMatrix}", "0", "{tileRow}", "0", "{tileCol}", "1",
	)
	ids := make(map[string]bool)
	for path, of := range definition.Paths {
		if ids[of.Get.OperationID] || of.Get.Responses["200"] == nil {
			t.Errorf("%s has the id %q and the answers %v", path, of.Get.OperationID, of.Get.Responses)
		}
		ids[of.Get.OperationID] = true
		if got := server.GetAs(root+values.Replace(path), ""); got.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, got.Code)
		}
	}
	for _, id := range []string{
		"dataset.map.getTileSetsList", "dataset.map.getTileSet", "dataset.map.getTile", "collection.map.getTileSetsList", "collection.map.getTileSet",
		"collection.map.getTile", "collection.style.map.getTile", "collection.getMap", "dataset.getMap", "collection.style.getMap",
	} {
		if !ids[id] {
			t.Errorf("there is no operation %s", id)
		}
	}
	page := server.GetAs(root+"/api?f=html", "").Body.String()
	for path := range definition.Paths {
		if !strings.Contains(page, html.EscapeString("GET "+path)) {
			t.Errorf("the page lacks %s", path)
		}
	}
}

// A layer id with reserved characters survives in links.
func TestAddressesAreEscaped(t *testing.T) {
	server := newServer(t)
	address := root + "/map/tiles?collections=" + url.QueryEscape("flat,map")
	for _, link := range ogcLinks(t, server.GetAs(address, "").Body.Bytes()) {
		if strings.Contains(link.Href, "/map/tiles") && !strings.Contains(link.Href, "collections=flat,map") {
			t.Errorf("the selection is lost on the way to %s", link.Href)
		}
	}
}
