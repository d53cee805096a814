package http_test

import (
	"slices"
	"strings"
	"testing"
)

// The program of the suite takes the middle one of a layer's formats, and looks for a template of that. There is one of PNG.
const middleFormat = "the program wants a template of the middle format, JPEG"

// wrongWord is a value of a variable of templates that leads to nothing.
type wrongWord struct{ name, variable, value string }

// wrongWords are those of templates for tiles and for pixels.
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
	const oneTemplate = "it takes each format of a layer to have a template, and the standard lets a server choose which templates there are: " +
		"there is one, of PNG, because OpenLayers takes all of them for one server's and mixes their formats"
	rows := []assertion{
		{name: group + "Mandatory", asks: "each layer, style, set and matrix has a tile in each format at an address", outcome: differs, why: oneTemplate,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isPicture(t, c.get(t, place.fill(c.template(t, l, "image/png"))), "image/png")
					}
				}
			}},
		{name: group + "Valid.Tile.Format", asks: "a tile at an address is of the type that its template has", outcome: differs, why: oneTemplate,
			run: func(t *testing.T, c *suiteClient) {
				extensions := map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
				for _, l := range c.document.Contents.Layers {
					address := c.places(l)[0].fill(c.template(t, l, "image/png"))
					for _, format := range l.Formats { // those without a template are at the same address but for its end
						isPicture(t, c.get(t, strings.TrimSuffix(address, ".png")+extensions[format]), format)
					}
				}
			}},
		{name: group + "Valid.Tile.Size", asks: "and of the size that its matrix has", outcome: holds, program: middleFormat,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						c.hasTheSizeOfItsMatrix(t, place, place.fill(c.template(t, l, "image/png")))
					}
				}
			}},
		{name: group + "Valid.Tile.Transparency", asks: "where a layer has no data, what is behind it is seen", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				place := suitePlace{"TransparentNodata", "Default_style", "TransparentNodata", "0", 0, 0}
				isTransparent(t, c, place.fill(c.template(t, c.document.layer(t, place.layer), "image/png")))
			}},
		{name: group + "Missing", asks: "an address that lacks a word is none", outcome: holds, program: middleFormat,
			run: func(t *testing.T, c *suiteClient) {
				for _, name := range []string{"{Style}", "{TileMatrixSet}", "{TileMatrix}", "{TileRow}", "{TileCol}"} {
					c.isNowhere(t, "image/png", name, "")
				}
			}},
	}
	for _, wrong := range wrongWords {
		rows = append(rows, assertion{name: group + wrong.name, asks: "an address of nothing is an error", outcome: holds, program: middleFormat,
			run: func(t *testing.T, c *suiteClient) { c.isNowhere(t, "image/png", wrong.variable, wrong.value) }})
	}
	return rows
}

func suiteOfInfoResources() []assertion {
	const group = "Server.RESTful.GetFeatureInfo."
	rows := []assertion{
		{name: group + "Mandatory", asks: "each layer, style, set and matrix tells of a pixel at an address", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isInfo(t, c, place.fill(c.template(t, l, "application/json")), "application/json")
					}
				}
			}},
		{name: group + "Valid.InfoFormat", asks: "in the type that its template has", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for mime := range infoTypes {
					isInfo(t, c, corner().fill(c.template(t, c.document.layer(t, "map"), mime)), mime)
				}
			}},
		{name: group + "Missing", asks: "an address that lacks a word is none", outcome: holds,
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
		rows = append(rows, assertion{name: group + wrong.name, asks: "an address of nothing is an error", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for mime := range infoTypes {
					c.isNowhere(t, mime, wrong.variable, wrong.value)
				}
			}})
	}
	return rows
}

// template is the one that a layer has for a type.
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

// isNowhere checks that an address is an error of whoever asks where one of its words is another, and there else.
func (c *suiteClient) isNowhere(t *testing.T, mime, variable, value string) {
	t.Helper()
	template := c.template(t, c.document.layer(t, "map"), mime)
	if !strings.Contains(template, variable) {
		t.Fatalf("%s has no %s", template, variable)
	}
	if right := corner().fill(template); c.get(t, right).Code != 200 {
		t.Errorf("%s is not there", right)
	}
	if address := corner().fill(template, variable, value); c.get(t, address).Code/100 != 4 {
		t.Errorf("%s is %d", address, c.get(t, address).Code)
	}
}
