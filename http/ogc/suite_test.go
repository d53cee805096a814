package ogc_test

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/http/servertest"
)

// assertion is an assertion of the suite: its name, its meaning in our words, and our check.
type assertion struct {
	name, asks string
	run        func(t *testing.T, c *client)
}

// client is a client that follows the links of documents.
type client struct{ *servertest.Server }

// TestOGCSuite checks the 16 assertions of the OGC's suite ets-ogcapi-tiles10. Each row has the
// number of its abstract test in the standard and the method's name in the suite. All of them hold.
func TestOGCSuite(t *testing.T) {
	rows := slices.Concat(suiteOfOGCDefinitions(), suiteOfOGCTemplates(), suiteOfOGCTiles(), suiteOfOGCLists())
	if len(rows) != 16 {
		t.Errorf("there are %d assertions, want 16", len(rows))
	}
	c := &client{newServer(t)}
	for _, row := range rows {
		if row.asks == "" {
			t.Errorf("%s asks nothing", row.name)
		}
		t.Run(row.name, func(t *testing.T) { row.run(t, c) })
	}
}

const (
	mimeOpenAPI     = "application/vnd.oai.openapi+json;version=3.0"
	relAnyTileSets  = "http://www.opengis.net/def/rel/ogc/1.0/tilesets-"
	classOfTileCore = "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core"
)

func suiteOfOGCDefinitions() []assertion {
	return []assertion{
		{name: "A.1 validateConformanceOperationAndResponse", asks: "the conformance classes include the core of OGC API Tiles",
			run: func(t *testing.T, c *client) {
				got := servertest.DecodeJSON[struct{ ConformsTo []string }](t, c.GetAs(root+"/conformance", "application/json"))
				if !slices.Contains(got.ConformsTo, classOfTileCore) {
					t.Errorf("the classes are %v", got.ConformsTo)
				}
			}},
		{name: "A.23 apiDefinitionValidation", asks: "the landing page links to a valid OpenAPI definition", run: hasValidDefinition},
		{name: "A.24 apiDefinitionOperationIdValidation", asks: "an operation has an id that ends with .getTile",
			run: func(t *testing.T, c *client) {
				isOfTile := func(o definedOperation) bool { return strings.HasSuffix(o.OperationID, ".getTile") }
				if !slices.ContainsFunc(c.definition(t).operations(), isOfTile) {
					t.Error("there is no operation .getTile")
				}
			}},
	}
}

// suiteOfOGCTemplates returns the assertions on tile templates in the lists that the landing page
// links.
func suiteOfOGCTemplates() []assertion {
	rows := []assertion{{name: "A.2 validateTilesAreAvailable", asks: "each tileset on a list has the id of its tile matrix set, limits and a template",
		run: func(t *testing.T, c *client) {
			for _, item := range c.tileSets(t) {
				if item.TileMatrixSetID == "" || len(item.TileMatrixSetLimits) == 0 {
					t.Errorf("there is the tileset %+v", item)
				}
				linkTo(t, item.Links, "item", "image/png")
			}
		}}}
	for _, row := range []struct{ name, variable, asks string }{
		{"A.3 validateTileMatrixDefinitionIsAvailable", "{tileMatrix}", "templates have a variable for the matrix"},
		{"A.4 validateTileRowDefinitionIsAvailable", "{tileRow}", "templates have a variable for the row"},
		{"A.5 validateTileColDefinitionIsAvailable", "{tileCol}", "templates have a variable for the column"},
	} {
		rows = append(rows, assertion{name: row.name, asks: row.asks, run: func(t *testing.T, c *client) {
			for _, item := range c.tileSets(t) {
				if href := linkTo(t, item.Links, "item", "image/png").Href; !strings.Contains(href, row.variable) {
					t.Errorf("a template is %s", href)
				}
			}
		}})
	}
	return append(rows, assertion{name: "A.2 verifyMinimalConformance", asks: "each registered set has the URI of the register, and its id is in the template",
		run: func(t *testing.T, c *client) {
			registered := 0
			for _, item := range c.tileSets(t) {
				if set, ok := geo.TileMatrixSetByID(item.TileMatrixSetID); ok {
					registered++
					href := linkTo(t, item.Links, "item", "image/png").Href
					if item.TileMatrixSetURI != set.URI || !strings.Contains(href, "/tiles/"+set.ID+"/") {
						t.Errorf("%s is %s, with tiles at %s", set.ID, item.TileMatrixSetURI, href)
					}
				}
			}
			if registered < 2 {
				t.Errorf("%d sets are registered", registered)
			}
		}})
}

func suiteOfOGCTiles() []assertion {
	return []assertion{
		{name: "A.6 validateSuccessfulTilesExecutionFollowingLinks", asks: "a tile in the last row of the limits is found",
			run: func(t *testing.T, c *client) {
				for _, item := range c.tileSets(t) {
					l := item.TileMatrixSetLimits[0]
					c.answers(t, item, l.TileMatrix, l.MaxTileRow, l.MinTileCol, http.StatusOK)
				}
			}},
		{name: "A.6 validateSuccessfulTilesExecution", asks: "all tiles within the limits of a matrix are found",
			run: func(t *testing.T, c *client) {
				item := c.tileSets(t)[0]
				l := item.TileMatrixSetLimits[min(3, len(item.TileMatrixSetLimits)-1)]
				for row := l.MinTileRow; row <= l.MaxTileRow; row++ {
					for column := l.MinTileCol; column <= l.MaxTileCol; column++ {
						c.answers(t, item, l.TileMatrix, row, column, http.StatusOK)
					}
				}
			}},
		{name: "A.7 validateTilesErrorConditions", asks: "a tile in the row after the limits is not found",
			run: func(t *testing.T, c *client) {
				for _, item := range c.tileSets(t) {
					l := item.TileMatrixSetLimits[0]
					c.answers(t, item, l.TileMatrix, l.MaxTileRow+1, l.MinTileCol, http.StatusNotFound)
				}
			}},
		{name: "A.7 verifyErrorResponses", asks: "a tile far out of range is not found",
			run: func(t *testing.T, c *client) {
				for _, item := range c.tileSets(t) {
					c.answers(t, item, item.TileMatrixSetLimits[0].TileMatrix, math.MaxInt32, math.MaxInt32, http.StatusNotFound)
				}
			}},
	}
}

func suiteOfOGCLists() []assertion {
	return []assertion{
		{name: "A.9 validateTilesetsListResponse", asks: "links to lists of tilesets contain /tiles, and each tileset has the URI of its set",
			run: func(t *testing.T, c *client) {
				for _, list := range append(c.collectionLists(t), c.lists(t, root+"/")...) {
					if !strings.Contains(list, "/tiles") || !strings.Contains(list, "f=json") {
						t.Errorf("unexpected list %s", list)
					}
					for _, item := range c.listed(t, list) {
						if item.TileMatrixSetURI == "" {
							t.Errorf("%s has the tileset %+v", list, item)
						}
					}
				}
			}},
		{name: "A.10 landingPageRetrieval", asks: "the landing page links to the tilesets of maps",
			run: func(t *testing.T, c *client) {
				linkTo(t, ogcLinks(t, c.GetAs(root+"/", "application/json").Body.Bytes()), relMapTileSets, "application/json")
			}},
		{name: "A.12 geospatialResourceTilesetsLinksCheck", asks: "each collection links to its tilesets",
			run: func(t *testing.T, c *client) {
				if got := len(c.collectionLists(t)); got != 4 {
					t.Errorf("4 collections lead to %d lists", got)
				}
			}},
		{name: "A.13 geospatialResourceTilesetsRetrieval", asks: "the path to the tilesets of a collection ends with /tiles, and returns some",
			run: func(t *testing.T, c *client) {
				for _, list := range c.collectionLists(t) {
					if path, _, _ := strings.Cut(list, "?"); !strings.HasSuffix(path, "/tiles") || len(c.listed(t, list)) == 0 {
						t.Errorf("%s has no tilesets", list)
					}
				}
			}},
	}
}

// listedTileSet is a tileset in a list.
type listedTileSet struct {
	TileMatrixSetID, TileMatrixSetURI string
	TileMatrixSetLimits               []ogcLimit
	Links                             []ogcLink
}

// lists returns the addresses of the tileset lists that a document links.
func (c *client) lists(t *testing.T, address string) (found []string) {
	t.Helper()
	for _, link := range ogcLinks(t, c.GetAs(address, "application/json").Body.Bytes()) {
		if strings.HasPrefix(link.Rel, relAnyTileSets) {
			found = append(found, link.Href)
		}
	}
	if len(found) == 0 {
		t.Errorf("%s links to no lists", address)
	}
	return found
}

// collectionLists returns the addresses of the tileset lists that collections link.
func (c *client) collectionLists(t *testing.T) []string {
	t.Helper()
	return c.lists(t, root+"/collections")
}

func (c *client) listed(t *testing.T, list string) []listedTileSet {
	t.Helper()
	return servertest.DecodeJSON[struct{ TileSets []listedTileSet }](t, c.GetAs(list, "application/json")).TileSets
}

// tileSets returns all tilesets that the landing page leads to.
func (c *client) tileSets(t *testing.T) (all []listedTileSet) {
	t.Helper()
	for _, list := range c.lists(t, root+"/") {
		all = append(all, c.listed(t, list)...)
	}
	if len(all) == 0 {
		t.Fatal("there are no tilesets")
	}
	return all
}

// answers checks the status of a tile.
func (c *client) answers(t *testing.T, item listedTileSet, matrix string, row, column, status int) {
	t.Helper()
	address := tileAddress(linkTo(t, item.Links, "item", "image/png").Href, matrix, row, column)
	if got := c.GetAs(address, ""); got.Code != status {
		t.Errorf("%s: status %d, want %d", address, got.Code, status)
	}
}
