package clients

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// panelLayers lists files that mark their red, green and blue bands in different ways.
func panelLayers() map[string]tifftest.Image {
	gray := tifftest.Tag{ID: 262, Value: []uint16{1}}
	extra := func(n int) tifftest.Tag { return tifftest.Tag{ID: 338, Value: make([]uint16, n)} }
	palette := make([][3]uint16, 256)
	for i := range palette {
		palette[i] = [3]uint16{uint16(i * 257), 0, 40000}
	}
	manyNames := make([]string, 257)
	for i := range manyNames {
		manyNames[i] = fmt.Sprintf("band of %d nm", 400+i*8)
	}
	hundreds := func(x, y, band int) float64 { return float64(1000*(band+1) + x%16*10) }
	layers := map[string]tifftest.Image{
		"named": {Samples: 4, Bits: 16, Value: func(x, y, band int) float64 {
			return [...]float64{500 + float64(x), 700 + float64(y), 600 + float64(x), 3100}[band]
		}, Tags: []tifftest.Tag{gray, extra(3), bandItems("description", "blue", "green", "red", "nir")}},
		"measured":  {Samples: 4, Bits: 16, Value: hundreds, Tags: []tifftest.Tag{gray, extra(3), bandItems("description", "842 nm", "490 nm", "560 nm", "665 nm")}},
		"told":      {Samples: 4, Value: func(x, y, band int) float64 { return float64(60*band + x%60) }, Tags: []tifftest.Tag{gray, extra(3), bandItems("colorinterp", "Undefined", "Green", "Red", "Blue")}},
		"palette":   {Palette: palette, Value: func(x, y, _ int) float64 { return float64(x % 4) }, Tags: []tifftest.Tag{{ID: 262, Value: []uint16{3}}}},
		"many":      {Samples: 257, Bits: 16, Value: hundreds, Tags: []tifftest.Tag{gray, extra(256), bandItems("description", manyNames...)}},
		"elevation": {Bits: 32, Format: tifftest.Float, Value: func(x, y, _ int) float64 { return float64(x + 2*y) }, Tags: []tifftest.Tag{gray}},
	}
	place := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, PixelX: 20, PixelY: 20, OriginX: utmWest, OriginY: utmNorth})
	for id, image := range layers {
		image.Width, image.Height, image.Tiled, image.BlockWidth, image.BlockHeight, image.Compression = 97, 61, true, 64, 32, tifftest.Deflate
		image.Tags = append(image.Tags, place...)
		layers[id] = image
	}
	return layers
}

// bandItems returns GDAL's metadata tag with a text for each band.
func bandItems(role string, texts ...string) tifftest.Tag {
	var b strings.Builder
	b.WriteString("<GDALMetadata>")
	for band, text := range texts {
		fmt.Fprintf(&b, `<Item name=%q sample="%d" role=%q>%s</Item>`, strings.ToUpper(role), band, role, text)
	}
	b.WriteString("</GDALMetadata>")
	return tifftest.Tag{ID: 42112, Value: b.String()}
}

// panel describes what the viewer's style panel shows for a layer.
type panel struct {
	Mode          string
	Bands         []int    // selected in the band pickers
	Limits        []string // labels of the histogram's limits
	Ranges        [][2]float64
	Stretch       string // the label of the default stretch
	HasTerrain    bool
	Tiles         string // the first address in "Use elsewhere"
	Below         int    // height of the panel's part that needs scrolling, in pixels
	Hash          string // hash of the page's address
	Label, Legend string
	IsOpen        bool
}

type panelAnswer struct {
	Panels                           map[string]panel
	Changed, Written, Colored, Index panel
	Unknown                          struct{ Notice, Hash string } // for an address with a style that the layer lacks
	Beside                           string                        // the title of the right side when a comparison begins
	Left                             string                        // the address after switching layers right after a change
	Tapped                           struct {
		Rows             []string
		IsInside, IsGone bool
	}
}

// The panel, the addresses and the pictures must use the same bands, however the file marks them.
func TestThePanelSaysWhatThePictureShows(t *testing.T) {
	require(t, append(slices.Clone(browserParts), viewerPart)...)
	layers := panelLayers()
	folder := everything.folderOf(t, "panel")
	var ids []string
	for id, image := range layers {
		writeTIFF(t, folder, id+".tif", image)
		ids = append(ids, id)
	}
	s := start(t, everything.program(t), folder)
	t.Cleanup(func() { s.stop() })
	result := everything.show(t, performance{Script: "panel", Width: 1440, Height: 900, Settings: map[string]any{"address": s.address, "layers": ids}})
	var got panelAnswer
	if err := json.Unmarshal(result.Value, &got); err != nil {
		t.Fatal(err)
	}
	got.checkPanels(t, s.address)
	got.checkChanges(t, result)
}

func (a *panelAnswer) checkPanels(t *testing.T, address string) {
	t.Helper()
	for id, want := range map[string]panel{
		"named":     {Mode: "rgb", Bands: []int{3, 2, 1}, Limits: []string{"Red", "Green", "Blue"}},
		"measured":  {Mode: "rgb", Bands: []int{4, 3, 2}, Limits: []string{"4 · 665 nm", "3 · 560 nm", "2 · 490 nm"}},
		"told":      {Mode: "rgb", Bands: []int{3, 2, 4}, Limits: []string{"Red", "Green", "Blue"}},
		"palette":   {Mode: "single"},
		"many":      {Mode: "rgb", Bands: []int{34, 18, 10}, Limits: []string{"34 · band of 664 nm", "18 · band of 536 nm", "10 · band of 472 nm"}},
		"elevation": {Mode: "single", Limits: []string{"Band 1"}, HasTerrain: true},
	} {
		got := a.Panels[id]
		if got.Mode != want.Mode || !slices.Equal(got.Bands, want.Bands) || !slices.Equal(got.Limits, want.Limits) || got.HasTerrain != want.HasTerrain {
			t.Errorf("%s: the panel shows %+v, want %+v", id, got, want)
		}
		bands, ranges := defaultOf(t, address, id)
		if want.Mode == "rgb" && !slices.Equal(got.Bands, bands) {
			t.Errorf("%s: the panel shows the bands %v, the server %v", id, got.Bands, bands)
		}
		if !slices.EqualFunc(got.Ranges, ranges, areAlike) {
			t.Errorf("%s: the histogram has the limits %v, the server %v", id, got.Ranges, ranges)
		}
		if got.Below > 0 {
			t.Errorf("%s: %d pixels of the panel lie below the fold", id, got.Below)
		}
		if strings.Contains(got.Tiles, "bidx") {
			t.Errorf("%s: the address of the default picture is %s", id, got.Tiles)
		}
	}
	if got := a.Panels["elevation"].Stretch; got != "Default (stretch 0–216)" {
		t.Errorf("the default stretch of heights from 0 to 216 is called %q", got)
	}
}

// defaultOf returns the default bands of a layer and their ranges from black to white, as the
// server lists them.
func defaultOf(t *testing.T, address, id string) (bands []int, ranges [][2]float64) {
	t.Helper()
	response, err := http.Get(address + "/layers/" + id)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var document struct {
		Default struct {
			BIdx    []int
			Rescale [][2]float64
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
	return document.Default.BIdx, document.Default.Rescale
}

// areAlike reports whether two ranges are equal when rounded to whole numbers.
func areAlike(a, b [2]float64) bool {
	const rounding = 0.5
	return math.Abs(a[0]-b[0]) <= rounding && math.Abs(a[1]-b[1]) <= rounding
}

func (a *panelAnswer) checkChanges(t *testing.T, result shown) {
	t.Helper()
	if got := a.Changed; !slices.Equal(got.Bands, []int{3, 2, 4}) || !strings.Contains(got.Hash, "bidx=3,2,4") || !strings.Contains(got.Tiles, "bidx=3,2,4") {
		t.Errorf("with another blue band, the panel shows %+v", got)
	}
	if !slices.ContainsFunc(result.Requests, func(address string) bool {
		return strings.Contains(address, "/tiles/named/") && strings.Contains(address, "bidx=3,2,4")
	}) {
		t.Error("no tile of those bands was requested")
	}
	if got := a.Written; !slices.Equal(got.Bands, []int{34, 257, 10}) || !strings.Contains(got.Hash, "bidx=34,257,10") {
		t.Errorf("with a typed band number, the panel shows %+v", got)
	}
	if got := a.Colored; got.IsOpen || got.Label != "viridis" || !strings.Contains(got.Hash, "colormap_name=viridis") {
		t.Errorf("Enter in the filter of color maps leads to %+v", got)
	}
	if !strings.HasPrefix(a.Left, "#") || strings.Contains(a.Left, "rescale") {
		t.Errorf("a change to one layer is in the address of the next one, %s", a.Left)
	}
	if want := "Choose a layer or style for this side"; a.Beside != want {
		t.Errorf("when a comparison begins, the right side says %q, want %q", a.Beside, want)
	}
	if got := a.Unknown; got.Notice != "This layer has no style “nope”; it is shown as usual." || strings.Contains(got.Hash, "nope") {
		t.Errorf("for an address with a style that the layer lacks, the page shows %+v", got)
	}
	if got := a.Index; got.Legend != "NDVI" || got.HasTerrain {
		t.Errorf("with a spectral index, the page shows %+v", got)
	}
	want := []string{"nir3100"}
	if got := a.Tapped; len(got.Rows) != 4 || !slices.Equal(got.Rows[3:], want) || !got.IsInside || !got.IsGone {
		t.Errorf("a tap shows %+v, want the values of four bands, %v the last", got, want)
	}
}
