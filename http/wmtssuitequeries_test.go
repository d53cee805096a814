package http_test

import (
	"image/color"
	"maps"
	"slices"
	"strings"
	"testing"
)

// mistakes are the values of parameters that are refused alike in queries for tiles and for pixels.
var mistakes = []struct{ name, parameter, value string }{
	{"Invalid.Layer", "layer", "BogusForTest"},
	{"Invalid.TileMatrixSet", "TileMatrixSet", "BogusForTest"},
	{"Invalid.TileMatrix", "TileMatrix", "BogusForTest"},
	{"Invalid.Tile.Style", "style", "BogusForTest"},
}

func suiteOfTileQueries() []assertion {
	const group = "Server.KVP.GET.GetTile."
	rows := []assertion{
		{name: group + "Mandatory", asks: "each layer, style, set and matrix has a tile in each format", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isPicture(t, c.get(t, place.query()), "image/png")
					}
					for _, format := range l.Formats {
						isPicture(t, c.get(t, c.places(l)[0].query("format", format)), format)
					}
				}
			}},
		{name: group + "Missing", asks: "each parameter is missed", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, name := range []string{"layer", "style", "format", "TileMatrixSet", "TileMatrix", "TileRow", "TileCol"} {
					c.isRefused(t, corner().query(name, "-"), "MissingParameterValue", name)
				}
			}},
		refused(group+"Invalid.Tile.Row.TileMatrixSetLimits", "a row outside of the limits is told so", corner().query("TileRow", "1342"), "TileOutOfRange", "TileRow"),
		refused(group+"Invalid.Tile.Col.TileMatrixSetLimits", "and so is a column", corner().query("TileCol", "2203"), "TileOutOfRange", "TileCol"),
		refused(group+"Invalid.Tile.Format", "another format is refused", corner().query("format", "BogusForTest"), "InvalidParameterValue", "format"),
		{name: group + "Valid.Tile.Format", asks: "a tile is of the type that is asked for", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, format := range l.Formats {
						isPicture(t, c.get(t, c.places(l)[0].query("format", format)), format)
					}
				}
			}},
		{name: group + "Valid.Tile.Size", asks: "a tile is of the size that its matrix has", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						c.hasTheSizeOfItsMatrix(t, place, place.query())
					}
				}
			}},
		{name: group + "Valid.Tile.Transparency", asks: "where a layer has no data, what is behind it is seen", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				place := suitePlace{"TransparentNodata", "Default_style", "TransparentNodata", "0", 0, 0}
				isTransparent(t, c, place.query())
			}},
	}
	for _, mistake := range mistakes {
		rows = append(rows, refused(group+mistake.name, "what is not there is refused", corner().query(mistake.parameter, mistake.value),
			"InvalidParameterValue", mistake.parameter))
	}
	return rows
}

func (c *suiteClient) hasTheSizeOfItsMatrix(t *testing.T, place suitePlace, path string) {
	t.Helper()
	size := isPicture(t, c.get(t, path), "image/png").Bounds().Size()
	matrices := c.document.set(t, place.set).Matrices
	m := matrices[slices.IndexFunc(matrices, func(m wmtsMatrix) bool { return m.ID == place.matrix })]
	if size.X != m.TileWidth || size.Y != m.TileHeight {
		t.Errorf("%s is of %v, want %dx%d", path, size, m.TileWidth, m.TileHeight)
	}
}

func isTransparent(t *testing.T, c *suiteClient, path string) {
	t.Helper()
	img := isPicture(t, c.get(t, path), "image/png")
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if _, _, _, a := img.At(x, y).RGBA(); a != 0 {
				t.Fatalf("at %d,%d there is %v", x, y, color.NRGBAModel.Convert(img.At(x, y)))
			}
		}
	}
}

// infoTypes are the types that what lies at a pixel is had in, and the extensions that they have in addresses.
var infoTypes = map[string]string{"application/json": "json", "text/plain": "txt", "text/html": "html"}

func suiteOfInfoQueries() []assertion {
	const group = "Server.KVP.GET.GetFeatureInfo."
	const code = "the words ask for InvalidParameterValue, the standard has a code of its own for what is out of range"
	const both = "the program asks for TileOutOfRange, which is sent as the second one"
	rows := []assertion{
		{name: group + "Mandatory", asks: "each layer, style, set and matrix tells of a pixel", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isInfo(t, c, place.info(), "application/json")
					}
				}
			}},
		{name: group + "Missing", asks: "each parameter is missed", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, name := range []string{"layer", "style", "format", "InfoFormat", "TileMatrixSet", "TileMatrix", "TileRow", "TileCol", "J", "I"} {
					c.isRefused(t, corner().info(name, "-"), "MissingParameterValue", name)
				}
			}},
		{name: group + "NonQueryable.Layer", asks: "a layer that tells nothing of its pixels says so", outcome: absent,
			why: "all layers tell of their pixels",
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					if len(l.InfoFormats) == 0 {
						t.Errorf("%s has no InfoFormat", l.ID)
					}
				}
			}},
		{name: group + "Valid.InfoFormat", asks: "what lies at a pixel is had in each type that is listed", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				if got := c.document.Contents.Layers[0].InfoFormats; !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(maps.Keys(infoTypes))) {
					t.Errorf("the types are %v", got)
				}
				for mime := range infoTypes {
					isInfo(t, c, corner().info("InfoFormat", mime), mime)
				}
			}},
		refused(group+"Invalid.InfoFormat", "another type is refused", corner().info("InfoFormat", "BogusForTest"), "InvalidParameterValue", "InfoFormat"),
		outOfRange(group+"Invalid.Tile.Row.TileMatrixSetLimits", code, "the program asks for TileOutOfRange, as the standard does", "TileRow", "1342"),
		outOfRange(group+"Invalid.Tile.Col.TileMatrixSetLimits", code, "the program asks for TileOutOfRange, as the standard does", "TileCol", "2203"),
		outOfRange(group+"Invalid.Pixel.Row.J", code, both, "J", "256"),
		outOfRange(group+"Invalid.Pixel.Col.I", code, both, "I", "256"),
	}
	for _, mistake := range mistakes {
		rows = append(rows, refused(group+mistake.name, "what is not there is refused", corner().info(mistake.parameter, mistake.value),
			"InvalidParameterValue", mistake.parameter))
	}
	return rows
}

// info is the query for a pixel of the tile.
func (p suitePlace) info(changes ...string) string {
	return edit(strings.TrimPrefix(p.query(), "/wmts?")+infoQuery, append([]string{"request", "GetFeatureInfo"}, changes...)...)
}

// outOfRange is an assertion of the suite whose words have the wrong code. We send that of the standard first.
func outOfRange(name, why, program, parameter, value string) assertion {
	return assertion{name: name, asks: "what is out of range is refused", outcome: differs, why: why, program: program,
		run: func(t *testing.T, c *suiteClient) {
			path := corner().info(parameter, value)
			if strings.HasPrefix(parameter, "Tile") {
				c.isRefused(t, path, "TileOutOfRange", parameter)
				return
			}
			c.isRefused(t, path, "PointIJOutOfRange", parameter)
			report := reportOf(t, c.get(t, path))
			if len(report.Exceptions) != 2 || report.Exceptions[1].Code != "TileOutOfRange" || *report.Exceptions[1].Locator != parameter {
				t.Errorf("the report is %+v", report)
			}
		}}
}

func isInfo(t *testing.T, c *suiteClient, path, mime string) {
	t.Helper()
	got := c.get(t, path)
	if got.Code != 200 || !strings.HasPrefix(got.Header().Get("Content-Type"), mime) || got.Body.Len() == 0 {
		t.Errorf("%s is %d of %q, want %s", path, got.Code, got.Header().Get("Content-Type"), mime)
	}
}
