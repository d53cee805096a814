package wmts_test

import (
	"encoding/xml"
	"io"
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

const responseGroup = "Server.KVP.GET.GetCapabilities.Response."

func suiteOfTheDocument() []assertion {
	return []assertion{
		{name: responseGroup + "XML.Well.Formed", asks: "the document is well-formed XML", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				eachElement(t, c.Get(t, capabilitiesQuery), func(string, []string) {})
			}},
		{name: responseGroup + "SchemaReferenced", asks: "the document names its schema", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				if !strings.HasSuffix(c.document.Schema, "http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd") {
					t.Errorf("the schema is %s", c.document.Schema)
				}
			}},
		{name: responseGroup + "SchemaValid", asks: "the document is valid: its elements are in the order of the schema", outcome: holds, run: keepsToTheSchema},
		{name: responseGroup + "AdvertisedFormat", asks: "application/xml is among the AcceptFormats of GetCapabilities", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				if got := parameterOf(t, &c.document, "AcceptFormats"); !slices.Contains(got, "application/xml") {
					t.Errorf("the types are %v", got)
				}
			}},
		{name: responseGroup + "OnlineResource", asks: "all addresses of operations are absolute, and those for queries end with a question mark", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, operation := range c.document.Operations.Operations {
					for _, way := range operation.Gets {
						isQuery := slices.Contains(way.Encoding, "KVP")
						if !strings.HasPrefix(way.Href, "http://") || strings.HasSuffix(way.Href, "?") != isQuery {
							t.Errorf("%s is at %s by %v", operation.Name, way.Href, way.Encoding)
						}
					}
				}
			}},
		{name: responseGroup + "Encoding.Constraint", asks: "each operation says that it takes queries", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				if len(c.document.Operations.Operations) != 3 {
					t.Fatalf("there are %d operations", len(c.document.Operations.Operations))
				}
				for _, operation := range c.document.Operations.Operations {
					if !slices.Equal(operation.Gets[0].Encoding, []string{"KVP"}) {
						t.Errorf("%s is offered by %v", operation.Name, operation.Gets[0].Encoding)
					}
				}
			}},
		{name: responseGroup + "Layer.LegendURL.Correct.Resource", asks: "the address of each legend returns a picture", outcome: holds,
			run: func(t *testing.T, c *suiteClient) { eachLegend(t, c, func(_, _ string, _, _ [2]int) {}) }},
		{name: responseGroup + "Layer.LegendURL.Correct.Format", asks: "each legend has the type that the document says", outcome: unused,
			why: "it is commented out in the suite, because Correct.Resource checks the type too",
			run: func(t *testing.T, c *suiteClient) {
				eachLegend(t, c, func(mime, want string, _, _ [2]int) {
					if mime != want {
						t.Errorf("a legend is %s, want %s", mime, want)
					}
				})
			}},
		{name: responseGroup + "Layer.LegendURL.Correct.Size", asks: "each legend has the size that the document says", outcome: unused,
			why: "it is commented out in the suite, because Correct.Resource checks the size too",
			run: func(t *testing.T, c *suiteClient) {
				eachLegend(t, c, func(_, _ string, size, want [2]int) {
					if size != want {
						t.Errorf("a legend is %v, want %v", size, want)
					}
				})
			}},
		{name: responseGroup + "TileMatrixSet.WellKnownScaleSet", asks: "a set with a well-known scale set has its CRS and its scales", outcome: differs,
			why: "the suite wants urn:ogc:def:crs:EPSG:6.18:3:3857 for GoogleMapsCompatible, where annex E of the standard has EPSG:6.18.3:3857; " +
				"that version of the register defines the same system as the unversioned name, which is the one that clients know",
			run: func(t *testing.T, c *suiteClient) {
				set := c.document.set(t, "WebMercatorQuad")
				if set.CRS != "urn:ogc:def:crs:EPSG::3857" || set.ScaleSet != "urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible" {
					t.Errorf("WebMercatorQuad is in %q, with the scales of %q", set.CRS, set.ScaleSet)
				}
				for i, m := range set.Matrices {
					if want := math.Ldexp(559082264.0287178, -i); math.Abs(m.ScaleDenominator-want) > 1e-6 {
						t.Errorf("level %d is 1:%v, want %v", i, m.ScaleDenominator, want)
					}
				}
				for _, set := range c.document.Contents.Sets {
					if strings.Contains(set.ScaleSet, "CRS84") && set.CRS != "urn:ogc:def:crs:OGC:1.3:CRS84" {
						t.Errorf("%s is in %s, with the scales of %s", set.ID, set.CRS, set.ScaleSet)
					}
				}
			}},
		{name: responseGroup + "Theme.LayerRef.Valid", asks: "themes refer to layers of the document", outcome: absent,
			why: "themes are optional, and the document has none",
			run: func(t *testing.T, c *suiteClient) {
				if c.document.Themes != nil {
					t.Error("there are themes")
				}
			}},
	}
}

// eachElement calls look for each element of a document, with its name and those of its children.
func eachElement(t *testing.T, got *httptest.ResponseRecorder, look func(name string, children []string)) {
	t.Helper()
	type element struct {
		name     string
		children []string
	}
	open := []element{{}}
	for decoder := xml.NewDecoder(got.Body); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		last := len(open) - 1
		switch token := token.(type) {
		case xml.StartElement:
			open[last].children = append(open[last].children, token.Name.Local)
			open = append(open, element{name: token.Name.Local})
		case xml.EndElement:
			look(open[last].name, open[last].children)
			open = open[:last]
		}
	}
}

// keepsToTheSchema checks the order of children. Package integration validates against the schemas.
func keepsToTheSchema(t *testing.T, c *suiteClient) {
	orders := map[string]string{
		"Capabilities":          "ServiceIdentification ServiceProvider OperationsMetadata Contents Themes ServiceMetadataURL",
		"ServiceIdentification": "Title Abstract Keywords ServiceType ServiceTypeVersion Profile Fees AccessConstraints",
		"ServiceProvider":       "ProviderName ProviderSite ServiceContact",
		"OperationsMetadata":    "Operation Parameter Constraint",
		"Operation":             "DCP Parameter Constraint Metadata",
		"Contents":              "Layer TileMatrixSet",
		"Layer": "Title Abstract Keywords WGS84BoundingBox Identifier BoundingBox Metadata DatasetDescriptionSummary " +
			"Style Format InfoFormat Dimension TileMatrixSetLink ResourceURL",
		"Style":            "Title Abstract Keywords Identifier LegendURL",
		"TileMatrixLimits": "TileMatrix MinTileRow MaxTileRow MinTileCol MaxTileCol",
	}
	seen := make(map[string]bool)
	eachElement(t, c.Get(t, capabilitiesQuery), func(name string, children []string) {
		order, ok := orders[name]
		if !ok {
			return
		}
		seen[name] = true
		names := strings.Fields(order)
		at := 0
		for _, child := range children {
			next := slices.Index(names[at:], child)
			if next < 0 {
				t.Errorf("in %s, %s is out of order", name, child)
				return
			}
			at += next
		}
	})
	for name := range orders {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

// eachLegend calls look for each legend, with its actual and documented type and size.
func eachLegend(t *testing.T, c *suiteClient, look func(mime, wantMIME string, size, wantSize [2]int)) {
	t.Helper()
	count := 0
	for _, l := range c.document.Contents.Layers {
		for _, style := range l.Styles {
			for _, legend := range style.Legends {
				count++
				got := c.Get(t, legend.Href)
				size := isPicture(t, got, "image/png").Bounds().Size()
				look(got.Header().Get("Content-Type"), legend.Format, [2]int{size.X, size.Y}, [2]int{legend.Width, legend.Height})
			}
		}
	}
	if count == 0 {
		t.Error("there are no legends")
	}
}
