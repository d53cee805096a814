package wmts100

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tileserver/geo"
)

func TestInfo(t *testing.T) {
	info := &Info{
		Layer: "l", Title: "A <layer>", CRS: "urn:x", Position: geo.Point{X: 1.5, Y: -2}, Degrees: geo.Point{X: 10, Y: 20}, Found: true, Column: 3, Row: 4,
		Values: []Value{
			{Name: "red", Number: 7, Valid: true}, {Name: "red", Unit: "m", Number: 0.1, Valid: true}, {Number: 1}, {Number: math.Inf(1), Valid: true}, {Name: "b4", Number: 1e300, Valid: true},
		},
	}
	const wantJSON = `{"type":"FeatureCollection","features":[{"type":"Feature","id":"l.3.4","geometry":{"type":"Point","coordinates":[10,20]},` +
		`"properties":{"red":7,"red_":0.1,"b3":null,"b4":"+Inf","b4_":1e+300}}]}` + "\n"
	if got := string(info.Encode(MIMEJSON)); got != wantJSON {
		t.Errorf("got  %s\nwant %s", got, wantJSON)
	}
	const wantText = "layer: l\nposition: 1.5 -2 (urn:x)\npixel: 3 4\nred: 7\nred_: 0.1 m\nb3: no data\nb4: +Inf\nb4_: 1e+300\n"
	if got := string(info.Encode(MIMEText)); got != wantText {
		t.Errorf("got\n%s\nwant\n%s", got, wantText)
	}
	page := string(info.Encode(MIMEHTML))
	for _, want := range []string{"<title>A &lt;layer&gt;</title>", `<tr><th scope="row">red_</th><td>0.1 m</td></tr>`, `<td>no data</td>`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in\n%s", want, page)
		}
	}
	info.Degrees = geo.Point{X: math.NaN(), Y: math.NaN()}
	if got := info.Encode(MIMEJSON); !json.Valid(got) || !strings.Contains(string(got), `"geometry":null`) {
		t.Errorf("outside the world: %s", got)
	}
}

func TestScaleSets(t *testing.T) {
	pixels := globalPixelScales()
	if len(pixels) != 18 || math.Abs(pixels[2]-198784804.9879885) > 1e-6 || math.Abs(pixels[17]-1104.360027711047) > 1e-9 {
		t.Errorf("the scales of GlobalCRS84Pixel are %v", pixels)
	}
	matrices := func(scales []float64) []geo.TileMatrix {
		var m []geo.TileMatrix
		for _, scale := range scales {
			m = append(m, geo.TileMatrix{ScaleDenominator: scale})
		}
		return m
	}
	quad := geo.WebMercatorQuad().Matrices
	for _, test := range []struct {
		name, want string
		matrices   []geo.TileMatrix
	}{
		{scaleSetURI + "GoogleMapsCompatible", scaleSetURN + "GoogleMapsCompatible", quad},
		{scaleSetURN + "GoogleMapsCompatible", scaleSetURN + "GoogleMapsCompatible", quad[:4]},
		{scaleSetURI + "GoogleMapsCompatible", "", quad[1:]},
		{scaleSetURI + "GoogleCRS84Quad", "", geo.WorldCRS84Quad().Matrices},
		{scaleSetURI + "GlobalCRS84Pixel", scaleSetURN + "GlobalCRS84Pixel", matrices(pixels[:5])},
		{scaleSetURI + "GlobalCRS84Scale", scaleSetURN + "GlobalCRS84Scale", matrices([]float64{5e8, 2.5e8, 1e8})},
		{scaleSetURI + "GlobalCRS84Scale", "", matrices([]float64{5e8, 2.5e8, 1.25e8})},
		{scaleSetURI + "WorldMercatorWGS84", scaleSetURN + "WorldMercatorWGS84", quad},
		{"http://mine.example/scales", "http://mine.example/scales", quad},
		{"", "", quad},
	} {
		if got := scaleSetOf(&geo.TileMatrixSet{WellKnownScaleSet: test.name, Matrices: test.matrices}); got != test.want {
			t.Errorf("%q of %d levels is %q, want %q", test.name, len(test.matrices), got, test.want)
		}
	}
}
