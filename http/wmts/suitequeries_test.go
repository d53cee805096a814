package wmts_test

import (
	"image/color"
	"maps"
	"slices"
	"strings"
	"testing"
)

// mistakes are unknown identifiers, which queries for tiles and for pixels reject alike.
var mistakes = []struct{ name, parameter, value string }{
	{"Invalid.Layer", "layer", "BogusForTest"},
	{"Invalid.TileMatrixSet", "TileMatrixSet", "BogusForTest"},
	{"Invalid.TileMatrix", "TileMatrix", "BogusForTest"},
	{"Invalid.Tile.Style", "style", "BogusForTest"},
}

func suiteOfTileQueries() []assertion {
	const group = "Server.KVP.GET.GetTile."
	rows := []assertion{
		{name: group + "Mandatory", asks: "each layer returns tiles in each style, set, matrix and format", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isPicture(t, c.Get(t, place.query()), "image/png")
					}
					for _, format := range l.Formats {
						isPicture(t, c.Get(t, c.places(l)[0].query("format", format)), format)
					}
				}
			}},
		{name: group + "Missing", asks: "each parameter is required", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, name := range []string{"layer", "style", "format", "TileMatrixSet", "TileMatrix", "TileRow", "TileCol"} {
					c.isRefused(t, refusal{corner().query(name, "-"), "MissingParameterValue", name})
				}
			}},
		refused(group+"Invalid.Tile.Row.TileMatrixSetLimits", "a row outside of the limits is refused", refusal{corner().query("TileRow", "1342"), "TileOutOfRange", "TileRow"}),
		refused(group+"Invalid.Tile.Col.TileMatrixSetLimits", "a column outside of the limits is refused", refusal{corner().query("TileCol", "2203"), "TileOutOfRange", "TileCol"}),
		refused(group+"Invalid.Tile.Format", "an unknown format is refused", refusal{corner().query("format", "BogusForTest"), "InvalidParameterValue", "format"}),
		{name: group + "Valid.Tile.Format", asks: "a tile has the requested type", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, format := range l.Formats {
						isPicture(t, c.Get(t, c.places(l)[0].query("format", format)), format)
					}
				}
			}},
		{name: group + "Valid.Tile.Size", asks: "a tile has the size that its matrix says", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						c.hasTheSizeOfItsMatrix(t, place, place.query())
					}
				}
			}},
		{name: group + "Valid.Tile.Transparency", asks: "a tile is transparent where the layer has no data", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				place := suitePlace{"TransparentNodata", "Default_style", "TransparentNodata", "0", 0, 0}
				isTransparent(t, c, place.query())
			}},
	}
	for _, mistake := range mistakes {
		rows = append(rows, refused(group+mistake.name, "an unknown identifier is refused", refusal{corner().query(mistake.parameter, mistake.value),
			"InvalidParameterValue", mistake.parameter}))
	}
	return rows
}

func (c *suiteClient) hasTheSizeOfItsMatrix(t *testing.T, place suitePlace, path string) {
	t.Helper()
	size := isPicture(t, c.Get(t, path), "image/png").Bounds().Size()
	matrices := c.document.set(t, place.set).Matrices
	m := matrices[slices.IndexFunc(matrices, func(m wmtsMatrix) bool { return m.ID == place.matrix })]
	if size.X != m.TileWidth || size.Y != m.TileHeight {
		t.Errorf("%s is of %v, want %dx%d", path, size, m.TileWidth, m.TileHeight)
	}
}

func isTransparent(t *testing.T, c *suiteClient, path string) {
	t.Helper()
	img := isPicture(t, c.Get(t, path), "image/png")
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if _, _, _, a := img.At(x, y).RGBA(); a != 0 {
				t.Fatalf("at %d,%d there is %v", x, y, color.NRGBAModel.Convert(img.At(x, y)))
			}
		}
	}
}

// infoTypes maps the media types of GetFeatureInfo to their extensions.
var infoTypes = map[string]string{"application/json": "json", "text/plain": "txt", "text/html": "html"}

func suiteOfInfoQueries() []assertion {
	const group = "Server.KVP.GET.GetFeatureInfo."
	const same = "the program checks for TileOutOfRange, as in the standard"
	const both = "the program checks for TileOutOfRange, which we send as the second exception"
	rows := []assertion{
		{name: group + "Mandatory", asks: "each layer returns the values at a pixel in each style, set and matrix", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, place := range c.places(l) {
						isInfo(t, c, place.info(), "application/json")
					}
				}
			}},
		{name: group + "Missing", asks: "each parameter is required", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, name := range []string{"layer", "style", "format", "InfoFormat", "TileMatrixSet", "TileMatrix", "TileRow", "TileCol", "J", "I"} {
					c.isRefused(t, refusal{corner().info(name, "-"), "MissingParameterValue", name})
				}
			}},
		{name: group + "NonQueryable.Layer", asks: "GetFeatureInfo is refused for a layer without it", outcome: absent,
			why: "all layers have GetFeatureInfo",
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					if len(l.InfoFormats) == 0 {
						t.Errorf("%s has no InfoFormat", l.ID)
					}
				}
			}},
		{name: group + "Valid.InfoFormat", asks: "the values at a pixel are sent in each type that the document lists", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				if got := c.document.Contents.Layers[0].InfoFormats; !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(maps.Keys(infoTypes))) {
					t.Errorf("the types are %v", got)
				}
				for mime := range infoTypes {
					isInfo(t, c, corner().info("InfoFormat", mime), mime)
				}
			}},
		refused(group+"Invalid.InfoFormat", "an unknown type is refused", refusal{corner().info("InfoFormat", "BogusForTest"), "InvalidParameterValue", "InfoFormat"}),
		outOfRange(group+"Invalid.Tile.Row.TileMatrixSetLimits", same, "TileRow", "1342"),
		outOfRange(group+"Invalid.Tile.Col.TileMatrixSetLimits", same, "TileCol", "2203"),
		outOfRange(group+"Invalid.Pixel.Row.J", both, "J", "256"),
		outOfRange(group+"Invalid.Pixel.Col.I", both, "I", "256"),
	}
	for _, mistake := range mistakes {
		rows = append(rows, refused(group+mistake.name, "an unknown identifier is refused", refusal{corner().info(mistake.parameter, mistake.value),
			"InvalidParameterValue", mistake.parameter}))
	}
	return rows
}

// info returns the query for a pixel of the tile.
func (p suitePlace) info(changes ...string) string {
	return edit(strings.TrimPrefix(p.query(), "/wmts?")+infoQuery, append([]string{"request", "GetFeatureInfo"}, changes...)...)
}

// outOfRange is an assertion whose text has the wrong code. We send the standard's code first.
func outOfRange(name, program, parameter, value string) assertion {
	const why = "the words ask for InvalidParameterValue, where the standard has TileOutOfRange for tiles and PointIJOutOfRange for pixels"
	return assertion{name: name, asks: "a value out of range is refused", outcome: differs, why: why, program: program,
		run: func(t *testing.T, c *suiteClient) {
			path := corner().info(parameter, value)
			if strings.HasPrefix(parameter, "Tile") {
				c.isRefused(t, refusal{path, "TileOutOfRange", parameter})
				return
			}
			c.isRefused(t, refusal{path, "PointIJOutOfRange", parameter})
			report := reportOf(t, c.Get(t, path))
			if len(report.Exceptions) != 2 || report.Exceptions[1].Code != "TileOutOfRange" || *report.Exceptions[1].Locator != parameter {
				t.Errorf("the report is %+v", report)
			}
		}}
}

func isInfo(t *testing.T, c *suiteClient, path, mime string) {
	t.Helper()
	got := c.Get(t, path)
	if got.Code != 200 || !strings.HasPrefix(got.Header().Get("Content-Type"), mime) || got.Body.Len() == 0 {
		t.Errorf("%s: status %d, type %q, want %s", path, got.Code, got.Header().Get("Content-Type"), mime)
	}
}
