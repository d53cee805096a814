package wmts_test

import (
	"slices"
	"strings"
	"testing"
)

// middleFormat explains why the program fails: layers have a template for PNG only.
const middleFormat = "the program requires a template for the middle one of the formats, JPEG"

// wrongWord is an invalid value of a template variable.
type wrongWord struct{ name, variable, value string }

// wrongWords are invalid in templates for tiles and for pixels.
var wrongWords = []wrongWord{
	{"Invalid.Layer", "/map/", "/BogusForTest/"},
	{"Invalid.TileMatrixSet", "{TileMatrixSet}", "BogusForTest"},
	{"Invalid.TileMatrix", "{TileMatrix}", "BogusForTest"},
	{"Invalid.Tile.Row.TileMatrixSetLimits", "{TileRow}", "1342"},
	{"Invalid.Tile.Col.TileMatrixSetLimits", "{TileCol}", "2203"},
	{"Invalid.Tile.Style", "{Style}", "BogusForTest"},
}

func suiteOfTileResources() []assertion {
	const group = "Server.RESTful.GetTile."
	const oneTemplate = "it requires a template for each format of a layer, where the standard allows any number of templates: " +
		"there is one, for PNG, because OpenLayers spreads its requests over all templates and would mix their formats"
	rows := []assertion{
		{name: group + "Mandatory", asks: "the templates of each layer return tiles in each style, set, matrix and format", outcome: differs, why: oneTemplate,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isPicture(t, c.Get(t, place.fill(c.template(t, l, "image/png"))), "image/png")
					}
				}
			}},
		{name: group + "Valid.Tile.Format", asks: "the templates return tiles of each format", outcome: differs, why: oneTemplate,
			run: func(t *testing.T, c *suiteClient) {
				extensions := map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
				for _, l := range c.document.Contents.Layers {
					address := c.places(l)[0].fill(c.template(t, l, "image/png"))
					for _, format := range l.Formats { // formats without a template differ by the extension
						isPicture(t, c.Get(t, strings.TrimSuffix(address, ".png")+extensions[format]), format)
					}
				}
			}},
		{name: group + "Valid.Tile.Size", asks: "a tile has the size that its matrix says", outcome: holds, program: middleFormat,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						c.hasTheSizeOfItsMatrix(t, place, place.fill(c.template(t, l, "image/png")))
					}
				}
			}},
		{name: group + "Valid.Tile.Transparency", asks: "a tile is transparent where the layer has no data", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				place := suitePlace{"TransparentNodata", "Default_style", "TransparentNodata", "0", 0, 0}
				isTransparent(t, c, place.fill(c.template(t, c.document.layer(t, place.layer), "image/png")))
			}},
		{name: group + "Missing", asks: "an address with an empty part is an error", outcome: holds, program: middleFormat,
			run: func(t *testing.T, c *suiteClient) {
				for _, name := range []string{"{Style}", "{TileMatrixSet}", "{TileMatrix}", "{TileRow}", "{TileCol}"} {
					c.isNowhere(t, "image/png", name, "")
				}
			}},
	}
	for _, wrong := range wrongWords {
		rows = append(rows, assertion{name: group + wrong.name, asks: "an address of something unknown or out of range is an error", outcome: holds, program: middleFormat,
			run: func(t *testing.T, c *suiteClient) { c.isNowhere(t, "image/png", wrong.variable, wrong.value) }})
	}
	return rows
}

func suiteOfInfoResources() []assertion {
	const group = "Server.RESTful.GetFeatureInfo."
	rows := []assertion{
		{name: group + "Mandatory", asks: "the template of each layer returns the values at a pixel in each style, set and matrix", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isInfo(t, c, place.fill(c.template(t, l, "application/json")), "application/json")
					}
				}
			}},
		{name: group + "Valid.InfoFormat", asks: "each template returns the type that it says", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for mime := range infoTypes {
					isInfo(t, c, corner().fill(c.template(t, c.document.layer(t, "map"), mime)), mime)
				}
			}},
		{name: group + "Missing", asks: "an address with an empty part is an error", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, name := range []string{"{Style}", "{TileMatrixSet}", "{TileMatrix}", "{TileRow}", "{TileCol}", "{J}", "{I}"} {
					for mime := range infoTypes {
						c.isNowhere(t, mime, name, "")
					}
				}
			}},
	}
	pixels := []wrongWord{{"Invalid.Pixel.Row.J", "{J}", "256"}, {"Invalid.Pixel.Col.I", "{I}", "256"}}
	for _, wrong := range slices.Concat(wrongWords, pixels) {
		rows = append(rows, assertion{name: group + wrong.name, asks: "an address of something unknown or out of range is an error", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for mime := range infoTypes {
					c.isNowhere(t, mime, wrong.variable, wrong.value)
				}
			}})
	}
	return rows
}

// template returns the template of a layer for a type.
func (c *suiteClient) template(t *testing.T, l wmtsLayer, mime string) string {
	t.Helper()
	found := ""
	for _, resource := range l.Resources {
		if resource.Format == mime {
			if found != "" {
				t.Errorf("%s has two templates for %s", l.ID, mime)
			}
			found = resource.Template
		}
	}
	if found == "" {
		t.Fatalf("%s has no template for %s", l.ID, mime)
	}
	return found
}

// isNowhere checks that the corner tile exists, and that changing a variable gives a client error.
func (c *suiteClient) isNowhere(t *testing.T, mime, variable, value string) {
	t.Helper()
	template := c.template(t, c.document.layer(t, "map"), mime)
	if !strings.Contains(template, variable) {
		t.Fatalf("%s has no %s", template, variable)
	}
	if right := corner().fill(template); c.Get(t, right).Code != 200 {
		t.Errorf("%s does not exist", right)
	}
	if address := corner().fill(template, variable, value); c.Get(t, address).Code/100 != 4 {
		t.Errorf("%s: status %d", address, c.Get(t, address).Code)
	}
}
