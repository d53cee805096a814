package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tileserver/display"
	"tileserver/display/colormap"
	relief "tileserver/display/terrain"
	"tileserver/geo"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// document is the part of a layer's document that describes its pictures.
type document struct {
	Bands []struct {
		Index int
		Role  string
	}
	Default json.RawMessage
	Heights bool
	Styles  []struct{ Shows json.RawMessage }
}

// roles returns the roles of all bands and checks that their indexes start at 1.
func (d document) roles(t *testing.T) string {
	t.Helper()
	var roles []string
	for i, band := range d.Bands {
		if band.Index != i+1 {
			t.Errorf("band %d has the index %d", i+1, band.Index)
		}
		roles = append(roles, band.Role)
	}
	return strings.Join(roles, " ")
}

// placedScene is a layer of an image with a position on earth.
func placedScene(id string, info raster.Info, own style.Style) servertest.Scene {
	provider := &rastertest.Synthetic{Name: id + "@1", Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		return float64(100*band + x%40 + y%50), true
	}}
	quad := geo.WebMercatorQuad()
	corner, resolution := quad.Bounds(geo.TileID{Z: 12, X: 2200, Y: 1340}), quad.Matrices[12].Resolution
	affine := geo.Affine{A: resolution, C: corner.MinX, E: -resolution, F: corner.MaxY}
	return servertest.Scene{Config: layer.Config{ID: id, Style: own}, Provider: provider, CRS: quad.CRS, Affine: affine}
}

// infoWith describes an image with the given bands.
func infoWith(of raster.DataType, bands ...raster.Band) raster.Info {
	info := rastertest.Flat(of, 101, 67, len(bands), 64, 32)
	info.Bands = bands
	return info
}

func TestLayerDocumentDescribesPictures(t *testing.T) {
	server := servertest.New(t, nil)
	named := []raster.Band{{Name: "blue"}, {Name: "green"}, {Name: "red"}, {Name: "nir"}}
	palette := infoWith(raster.Uint8, raster.Band{Color: raster.PaletteIndex})
	palette.Palette = []raster.RGBA{{R: 1, A: 255}, {G: 2, A: 255}}
	contours := relief.DefaultParameters(relief.ModeContours)
	classes, err := colormap.New(colormap.Categories, []colormap.Entry{{Low: 1, Color: colormap.Color{R: 9, A: 255}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct {
		name    string
		info    raster.Info
		style   style.Style
		want    string
		roles   string
		heights bool
	}{
		{"names", infoWith(raster.Uint16, named...), style.Style{}, `{"mode":"rgb","bidx":[3,2,1],"stretch":"dra","rescale":null,"resampling":"bilinear"}`, "data data data data", false},
		{"wavelengths", infoWith(raster.Uint16, raster.Band{Wavelength: 842}, raster.Band{Wavelength: 490}, raster.Band{Wavelength: 560}, raster.Band{Wavelength: 665}), style.Style{},
			`{"mode":"rgb","bidx":[4,3,2],"stretch":"dra","rescale":null,"resampling":"bilinear"}`, "data data data data", false},
		{"colors and opacity", infoWith(raster.Uint8, raster.Band{Color: raster.Alpha}, raster.Band{Color: raster.Blue}, raster.Band{Color: raster.Green}, raster.Band{Color: raster.Red}), style.Style{},
			`{"mode":"rgb","bidx":[4,3,2],"opacity":1,"stretch":"none","rescale":[[0,255],[0,255],[0,255]],"resampling":"bilinear"}`, "opacity color color color", false},
		{"a palette", palette, style.Style{}, `{"mode":"palette","bidx":[1],"stretch":"none","rescale":null,"resampling":"nearest"}`, "palette", false},
		{"257 bands", infoWith(raster.Uint16, make([]raster.Band, 257)...), style.Style{Spec: display.Spec{Bands: []int{256, 1, 0}}},
			`{"mode":"rgb","bidx":[257,2,1],"stretch":"dra","rescale":null,"resampling":"bilinear"}`, strings.TrimSpace(strings.Repeat("data ", 257)), false},
		{"an expression", infoWith(raster.Uint16, named...), style.Style{Spec: display.Spec{Expression: expressionOf(t, "(nir-red)/(nir+red)"), ColorMap: "rdylgn", Rescale: []display.Range{{Low: -1, High: 1}}}},
			`{"mode":"colormap","expression":"(nir-red)/(nir+red)","stretch":"none","rescale":[[-1,1]],"colormap_name":"rdylgn","resampling":"bilinear"}`, "data data data data", false},
		{"heights", infoWith(raster.Int16, raster.Band{Color: raster.Gray, Unit: "metre"}), style.Style{Spec: display.Spec{Relief: &contours}},
			`{"mode":"terrain","bidx":[1],"algorithm":"contours","algorithm_params":{"increment":35,"maxz":8000,"minz":-12000,"thickness":1},"stretch":"none","rescale":[[0,255]],"resampling":"bilinear"}`, "gray", true},
		{"classes", infoWith(raster.Uint16, raster.Band{Categories: []string{"", "water"}}), style.Style{Spec: display.Spec{Colors: classes}},
			`{"mode":"classes","bidx":[1],"stretch":"none","rescale":null,"resampling":"nearest"}`, "classes", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			id := fmt.Sprintf("shown-%d", i)
			server.Add(t, placedScene(id, test.info, test.style))
			got := servertest.DecodeJSON[document](t, server.Get(t, "/layers/"+id))
			if string(got.Default) != test.want {
				t.Errorf("got  %s\nwant %s", got.Default, test.want)
			}
			if string(got.Styles[0].Shows) != test.want {
				t.Errorf("the default style shows %s", got.Styles[0].Shows)
			}
			if roles := got.roles(t); roles != test.roles {
				t.Errorf("the roles are %s, want %s", roles, test.roles)
			}
			if got.Heights != test.heights {
				t.Errorf("heights: %v", got.Heights)
			}
			if server.Providers[id].Calls() > 0 {
				t.Error("pixels were read")
			}
		})
	}
}

// The document has the ranges of a stretch as soon as a picture needed them.
func TestLayerDocumentHasRangesAfterPicture(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, placedScene("scene", infoWith(raster.Uint16, raster.Band{Name: "blue"}, raster.Band{Name: "green"}, raster.Band{Name: "red"}),
		style.Style{Spec: display.Spec{Stretch: display.Stretch{Kind: display.MinMax}}}))
	shows := func() string {
		return string(servertest.DecodeJSON[document](t, server.Get(t, "/layers/scene")).Default)
	}
	if got, want := shows(), `{"mode":"rgb","bidx":[3,2,1],"stretch":"minmax","rescale":null,"resampling":"bilinear"}`; got != want {
		t.Errorf("before anything:\ngot  %s\nwant %s", got, want)
	}
	if tile := server.Get(t, "/tiles/scene/"+servertest.CornerTile+".png"); tile.Code != 200 {
		t.Fatalf("the tile is %d: %s", tile.Code, tile.Body)
	}
	if got, want := shows(), `{"mode":"rgb","bidx":[3,2,1],"stretch":"minmax","rescale":[[200,288],[100,188],[0,88]],"resampling":"bilinear"}`; got != want {
		t.Errorf("after a tile:\ngot  %s\nwant %s", got, want)
	}
}

// Statistics for a viewer's histograms also give the ranges, without a picture.
func TestLayerDocumentHasRangesAfterStatistics(t *testing.T) {
	server := servertest.New(t, nil)
	server.Get(t, "/layers/height/statistics")
	var shows display.Summary
	if err := json.Unmarshal(servertest.DecodeJSON[document](t, server.Get(t, "/layers/height")).Default, &shows); err != nil {
		t.Fatal(err)
	}
	if len(shows.Rescale) != 1 || shows.Rescale[0][0] < 10 || shows.Rescale[0][1] <= shows.Rescale[0][0] {
		t.Errorf("the ranges are %v", shows.Rescale)
	}
}

// An image without a position has no heights to shade, since the distance of its pixels is unknown.
func TestUnplacedImageHasNoHeights(t *testing.T) {
	server := servertest.New(t, nil)
	s := placedScene("model", infoWith(raster.Float32, raster.Band{Unit: "m"}), style.Style{})
	s.CRS = nil
	server.Add(t, s)
	if servertest.DecodeJSON[document](t, server.Get(t, "/layers/model")).Heights {
		t.Error("the layer has heights")
	}
	if !servertest.DecodeJSON[document](t, server.Get(t, "/layers/height")).Heights {
		t.Error("the layer of heights has no heights")
	}
}
