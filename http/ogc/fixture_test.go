package ogc_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// root is the address of the API in tests.
const root = "http://example.com/ogc"

// ogcLink is a link of a document.
type ogcLink struct {
	Href, Rel, Type, Title string
	Templated              bool
}

// ogcLinks returns all links in a document.
func ogcLinks(t testing.TB, body []byte) []ogcLink {
	t.Helper()
	var document any
	if err := json.Unmarshal(body, &document); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	var found []ogcLink
	collectLinks(document, &found)
	return found
}

func collectLinks(value any, found *[]ogcLink) {
	switch value := value.(type) {
	case []any:
		for _, part := range value {
			collectLinks(part, found)
		}
	case map[string]any:
		if href, ok := value["href"].(string); ok {
			link := ogcLink{Href: href}
			link.Rel, _ = value["rel"].(string)
			link.Type, _ = value["type"].(string)
			link.Title, _ = value["title"].(string)
			link.Templated, _ = value["templated"].(bool)
			*found = append(*found, link)
		}
		for _, part := range value {
			collectLinks(part, found)
		}
	}
}

// linkTo returns the first link of a relation and a type.
func linkTo(t testing.TB, links []ogcLink, rel, mime string) ogcLink {
	t.Helper()
	for _, link := range links {
		if link.Rel == rel && link.Type == mime {
			return link
		}
	}
	t.Fatalf("there is no link %q of the type %q", rel, mime)
	return ogcLink{}
}

const (
	relMap          = "http://www.opengis.net/def/rel/ogc/1.0/map"
	relMapTileSets  = "http://www.opengis.net/def/rel/ogc/1.0/tilesets-map"
	relTilingScheme = "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme"
)

// ogcTileSet is a tileset as clients parse it.
type ogcTileSet struct {
	Title, DataType, CRS, TileMatrixSetURI, Attribution string

	TileMatrixSetLimits []ogcLimit
	BoundingBox         struct {
		LowerLeft, UpperRight [2]float64
		CRS                   string
		OrderedAxes           []string
	}
	CenterPoint struct {
		Coordinates     [2]float64
		CRS, TileMatrix string
	}
	Links []ogcLink
}

type ogcLimit struct {
	TileMatrix                                     string
	MinTileRow, MaxTileRow, MinTileCol, MaxTileCol int
}

// ogcMatrix is a tile matrix as clients parse it.
type ogcMatrix struct {
	ID                                               string
	TileWidth, TileHeight, MatrixWidth, MatrixHeight int
}

// tileAddress expands a template.
func tileAddress(template, matrix string, row, col int) string {
	return strings.NewReplacer("{tileMatrix}", matrix, "{tileRow}", strconv.Itoa(row), "{tileCol}", strconv.Itoa(col)).Replace(template)
}
