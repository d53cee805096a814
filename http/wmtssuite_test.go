package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// The assertions of the OGC's suite ets-wmts10 about tiles and pixels that have addresses: its
// groups Server.RESTful.GetTile and Server.RESTful.GetFeatureInfo. Those about queries
// (Server.KVP.GET) are rows of TestWMTSReportsWhatIsWrong, TestWMTSTile and TestWMTSInfo, those
// about the document are in TestWMTSSections, TestWMTSUpdateSequence, TestWMTSTypesOfDocuments and
// TestWMTSCapabilitiesHoldTogether. There are no dimensions, POST or SOAP here, which the suite
// then skips. What contradicts the standard is in TestWMTSSuiteContradictsTheStandard.
func TestWMTSSuiteOfResources(t *testing.T) {
	w := newWorld(t, nil)
	d := capabilitiesOf(t, w.get(t, metadataPath))
	right := map[string]string{
		"{Style}": "default", "{TileMatrixSet}": "WebMercatorQuad", "{TileMatrix}": "12", "{TileRow}": "1340", "{TileCol}": "2200", "{J}": "7", "{I}": "20",
	}
	invalid := []struct{ assertion, variable, value string }{
		{"Missing", "{Style}", ""},
		{"Missing", "{TileMatrixSet}", ""},
		{"Missing", "{TileMatrix}", ""},
		{"Missing", "{TileRow}", ""},
		{"Missing", "{TileCol}", ""},
		{"Missing", "{J}", ""},
		{"Missing", "{I}", ""},
		{"Invalid.Layer", "/map/", "/BogusForTest/"},
		{"Invalid.Tile.Style", "{Style}", "BogusForTest"},
		{"Invalid.TileMatrixSet", "{TileMatrixSet}", "BogusForTest"},
		{"Invalid.TileMatrix", "{TileMatrix}", "BogusForTest"},
		{"Invalid.Tile.Row.TileMatrixSetLimits", "{TileRow}", "1339"},
		{"Invalid.Tile.Row.TileMatrixSetLimits", "{TileRow}", "1342"},
		{"Invalid.Tile.Col.TileMatrixSetLimits", "{TileCol}", "2199"},
		{"Invalid.Tile.Col.TileMatrixSetLimits", "{TileCol}", "2203"},
		{"Invalid.Pixel.Row.J", "{J}", "256"},
		{"Invalid.Pixel.Col.I", "{I}", "256"},
	}
	fill := func(template, variable, value string) string {
		template = strings.ReplaceAll(template, variable, value)
		for name, right := range right {
			template = strings.ReplaceAll(template, name, right)
		}
		return template
	}
	for _, resource := range d.Contents.Layers[0].Resources {
		if got := w.get(t, fill(resource.Template, "{}", "")); got.Code != http.StatusOK || !strings.HasPrefix(got.Header().Get("Content-Type"), resource.Format) {
			t.Errorf("Mandatory, %s: %d %s", resource.Template, got.Code, got.Header().Get("Content-Type"))
		}
		for _, row := range invalid {
			if !strings.Contains(resource.Template, row.variable) {
				continue
			}
			address := fill(resource.Template, row.variable, row.value)
			if got := w.get(t, address); got.Code < 400 || got.Code > 499 {
				t.Errorf("%s, %s is %d", row.assertion, address, got.Code)
			}
		}
	}
}

// GetCapabilities.Response.TileMatrixSet.WellKnownScaleSet wants GoogleMapsCompatible to be in
// urn:ogc:def:crs:EPSG:6.18:3:3857. Annex E of the standard has EPSG:6.18.3:3857, and that version
// of the register is no other system than the unversioned one, which is what clients know.
//
// For a row, a column or a pixel out of range, the words of GetFeatureInfo.Invalid.* ask for
// InvalidParameterValue, and the suite's code for TileOutOfRange. The standard has TileOutOfRange
// for tiles and PointIJOutOfRange for pixels, of which both are sent (TestWMTSReportsAPixelInBothWays).
func TestWMTSSuiteContradictsTheStandard(t *testing.T) {
	w := newWorld(t, nil)
	d := capabilitiesOf(t, w.get(t, metadataPath))
	if got := d.set(t, "WebMercatorQuad"); got.CRS != "urn:ogc:def:crs:EPSG::3857" || got.ScaleSet != "urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible" {
		t.Errorf("WebMercatorQuad is in %q, with the scales of %q", got.CRS, got.ScaleSet)
	}
}
