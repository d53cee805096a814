package api_test

import (
	"bytes"
	"net/http"
	"testing"

	"tileserver/display"
	"tileserver/display/colormap"
	heightmodes "tileserver/display/terrain"
	"tileserver/http/servertest"
)

// The colors of heights remain when shading is turned on or off. Settings of another algorithm do
// not.
func TestReliefKeepsTheColorsOfAStyle(t *testing.T) {
	server := servertest.New(t, nil)
	shaded := servertest.Scenes(t)[1]
	relief := heightmodes.DefaultParameters(heightmodes.ModeRelief)
	shaded.Config.ID = "shaded"
	shaded.Config.Style.Spec = display.Spec{Relief: &relief, ColorMap: "viridis", Rescale: []display.Range{{Low: 10, High: 400}}}
	server.Add(t, shaded)
	colored := servertest.Scenes(t)[1]
	colored.Config.ID = "colored"
	colored.Config.Style.Spec = display.Spec{ColorMap: "viridis", Rescale: []display.Range{{Low: 10, High: 400}}}
	server.Add(t, colored)
	picture := func(address string) string {
		got := server.Get(t, address)
		if got.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", address, got.Code, got.Body)
		}
		return got.Body.String()
	}
	if picture("/layers/shaded/preview.png?algorithm=none") != picture("/layers/colored/preview.png") {
		t.Error("without shading, the colors differ")
	}
	if picture("/layers/colored/preview.png?algorithm=relief") != picture("/layers/shaded/preview.png") {
		t.Error("with shading, the colors differ")
	}
	if picture("/layers/shaded/preview.png?algorithm=slope") != picture("/layers/height/preview.png?algorithm=slope") {
		t.Error("a slope has the colors of heights")
	}
}

// A style may map single samples to colors. A stretch in the request replaces these colors.
func TestRescaleReplacesTheColorsOfSamplesOfAStyle(t *testing.T) {
	server := servertest.New(t, nil)
	colors, err := colormap.ParseJSON([]byte(`[[0,"#204060"],[600,"#c0a080"]]`), "")
	if err != nil {
		t.Fatal(err)
	}
	stops := servertest.Scenes(t)[1]
	stops.Config.ID, stops.Config.Style.Colors = "stops", colors
	server.Add(t, stops)
	for _, query := range []string{"rescale=0,400", "stretch=minmax", "rescale=0,400&colormap_name=magma"} {
		got, want := server.Get(t, "/layers/stops/preview.png?"+query), server.Get(t, "/layers/height/preview.png?"+query)
		if got.Code != http.StatusOK || !bytes.Equal(got.Body.Bytes(), want.Body.Bytes()) {
			t.Errorf("%s: status %d, and differs from the picture without the style", query, got.Code)
		}
	}
	if got := server.Get(t, "/layers/stops/preview.png?rescale=0,400&"+escaped(`colormap=[[0,"#000"],[600,"#ff0"]]`)); got.Code != http.StatusBadRequest {
		t.Errorf("colors at samples that are to be stretched as well are %d", got.Code)
	}
}
