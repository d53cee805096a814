package wmts_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/http/servertest"
)

// Coordinates are in the axis order of their CRS, and CRS have the names that clients know.
func TestWMTSAxes(t *testing.T) {
	server := servertest.New(t, nil)
	latitudes, err := geo.ByCode(4326)
	if err != nil {
		t.Fatal(err)
	}
	degrees := servertest.Scenes(t)[0]
	degrees.Config.ID, degrees.CRS = "degrees", latitudes
	degrees.Affine = geo.Affine{A: 0.01, C: 10, E: -0.01, F: 50}
	server.Add(t, degrees)
	europe := servertest.Scenes(t)[0]
	europe.Config.ID = "europe"
	if europe.CRS, err = geo.ByCode(3035); err != nil {
		t.Fatal(err)
	}
	europe.Affine = geo.Affine{A: 100, C: 4321000, E: -100, F: 3210000}
	server.Add(t, europe)
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	for id, want := range map[string][2]string{
		"WebMercatorQuad":         {"urn:ogc:def:crs:EPSG::3857", "-20037508.342789244 20037508.342789244"},
		"WorldCRS84Quad":          {"urn:ogc:def:crs:OGC:1.3:CRS84", "-180 90"},
		"native-degrees":          {"urn:ogc:def:crs:EPSG::4326", "50 10"},
		"native-europe":           {"urn:ogc:def:crs:EPSG::3035", "3210000 4321000"},
		"EuropeanETRS89_LAEAQuad": {"urn:ogc:def:crs:EPSG::3035", "5500000 2000000"},
		"native-utm":              {"urn:ogc:def:crs:EPSG::32633", "500000 5300000"},
	} {
		if set := d.set(t, id); set.CRS != want[0] || set.Matrices[0].TopLeftCorner != want[1] {
			t.Errorf("%s is in %s and begins at %s, want %v", id, set.CRS, set.Matrices[0].TopLeftCorner, want)
		}
	}
	boxes := func(id string) map[string]string {
		boxes := make(map[string]string)
		for _, b := range d.layer(t, id).Boxes {
			if boxes[b.CRS] != "" {
				t.Errorf("%s has two boxes in %s", id, b.CRS)
			}
			boxes[b.CRS] = b.LowerCorner + " " + b.UpperCorner
		}
		return boxes
	}
	if got := boxes("europe")["urn:ogc:def:crs:EPSG::3035"]; !areNumbers(got, 3160100, 4321000, 3210000, 4381100) {
		t.Errorf("the box in Europe is %q", got)
	}
	if got := boxes("map")["urn:ogc:def:crs:OGC:1.3:CRS84"]; !areNumbers(got, 13.359375, 52.592412, 13.565712, 52.696361) {
		t.Errorf("the box in longitudes and latitudes is %q", got)
	}
	// A viewer that treats EPSG:4326 and CRS84 alike must not find one box for both.
	for crs := range boxes("degrees") {
		if strings.HasSuffix(crs, "4326") || strings.HasSuffix(crs, "CRS84") {
			t.Errorf("there is a box in %s", crs)
		}
	}
	if got := d.layer(t, "degrees").WGS84; !areNumbers(got.LowerCorner+" "+got.UpperCorner, 10, 45.01, 16.01, 50) {
		t.Errorf("the box of longitudes and latitudes is %+v", got)
	}
}

// areNumbers reports whether text consists of the given numbers, apart from rounding.
func areNumbers(text string, want ...float64) bool {
	words := strings.Fields(text)
	return len(words) == len(want) && !slices.ContainsFunc(want, func(v float64) bool {
		got, err := strconv.ParseFloat(words[slices.Index(want, v)], 64)
		return err != nil || math.Abs(got-v) > 1e-6
	})
}

func TestWMTSWellKnownScaleSets(t *testing.T) {
	server := servertest.New(t, nil)
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	mercator := d.set(t, "WebMercatorQuad")
	if mercator.ScaleSet != "urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible" {
		t.Errorf("WellKnownScaleSet of WebMercatorQuad is %q", mercator.ScaleSet)
	}
	if len(mercator.Matrices) != 15 { // the finest level of the layers
		t.Errorf("WebMercatorQuad has %d levels", len(mercator.Matrices))
	}
	for i, m := range mercator.Matrices {
		if want := math.Ldexp(559082264.0287178, -i); math.Abs(m.ScaleDenominator-want) > 1e-6 {
			t.Errorf("level %d is 1:%v, want 1:%v", i, m.ScaleDenominator, want)
		}
	}
	// The scale set that WorldCRS84Quad claims begins with a further level.
	if got := d.set(t, "WorldCRS84Quad").ScaleSet; got != "" {
		t.Errorf("WellKnownScaleSet of WorldCRS84Quad is %q", got)
	}
}
