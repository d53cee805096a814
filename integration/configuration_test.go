package integration

import (
	"image/color"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

func TestAConfigurationNamesAndStylesLayers(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "data/scene.tif", tifftest.File{Images: []tifftest.Image{colors()}})
	writeTIFF(t, folder, "data/dem.tif", tifftest.File{Images: []tifftest.Image{heights()}})
	writeTIFF(t, folder, "data/plain.tif", tifftest.File{Images: []tifftest.Image{plain()}})
	path := writeFile(t, folder, "tileserver.yaml", []byte(`
paths: [data]
cache: 64MiB
layers:
  - {id: swapped, title: Red and green swapped, path: data/scene.tif, bidx: [2, 1, 3], block: 256}
  - {id: height, path: data/dem.tif, rescale: ["0,510"], nodata: 102}
`))
	s := start(t, "serve", "--config", path)
	if got, want := s.layerNames(t), "swapped height plain"; got != want {
		t.Errorf("layers %q, want %q", got, want)
	}
	if got, want := getJSON[struct{ Title string }](t, s.maps+"/layers/swapped").Title, "Red and green swapped"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	for _, test := range []struct {
		address string
		x, y    int
		want    color.NRGBA
	}{
		{"/tiles/swapped/" + cornerTile + ".png", 17, 33, color.NRGBA{33, 17, 99, 255}},
		{"/tiles/swapped/" + cornerTile + ".png?bidx=3,2,1", 17, 33, color.NRGBA{99, 33, 17, 255}},
		{"/tiles/height/" + cornerTile + ".png", 200, 16, color.NRGBA{102, 102, 102, 255}},
		{"/tiles/height/" + cornerTile + ".png?resampling=nearest", 100, 8, color.NRGBA{}}, // where it is 102
		{"/tiles/height/" + cornerTile + ".png?nodata=204&resampling=nearest", 200, 16, color.NRGBA{}},
	} {
		if got := colorAt(getPicture(t, s.maps+test.address), test.x, test.y); got != test.want && got.A+test.want.A > 0 {
			t.Errorf("%s: %v, want %v", test.address, got, test.want)
		}
	}
	cache := getJSON[struct {
		Max int `json:"max_bytes"`
	}](t, s.admin+"/debug/cache")
	if cache.Max != 64<<20 {
		t.Errorf("the cache has %d bytes", cache.Max)
	}
}

// aboveHeights returns an image that a sensor looks down on from above the image of heights.
func aboveHeights(img tifftest.Image) tifftest.Image {
	const tag, lineNumerator, lineDenominator, sampleNumerator, sampleDenominator = 50844, 12, 32, 52, 72
	const radius = 6378137
	longitude := (cornerX + 150*resolution) / radius * 180 / math.Pi
	latitude := math.Atan(math.Sinh((cornerY-100*resolution)/radius)) * 180 / math.Pi
	degrees := 50 * resolution / radius * 180 / math.Pi
	middleX, middleY := float64(img.Width)/2, float64(img.Height)/2
	numbers := make([]float64, 92)
	copy(numbers, []float64{0, 0, middleY, middleX, latitude, longitude, 120, middleY, middleX, degrees, degrees, 1000})
	numbers[lineNumerator+2], numbers[lineDenominator], numbers[sampleNumerator+1], numbers[sampleDenominator] = -1, 1, 1, 1
	img.Tags = append(img.Tags, tifftest.Tag{ID: tag, Value: numbers})
	return img
}

// The example configuration lists every key. A server must start with it, and its layers and styles
// must render.
func TestTheExampleOfAConfigurationWorks(t *testing.T) {
	t.Parallel() // the server of the example ends with a delay
	folder := t.TempDir()
	writeTIFF(t, folder, "dem.tif", fileOf(heights()))
	writeTIFF(t, folder, "scene.tif", fileOf(aboveHeights(multispectral())))
	writeTIFF(t, folder, "plain.tif", fileOf(plain()))
	licensed := t.TempDir()
	writeTIFF(t, licensed, "licensed.tif", fileOf(plain()))
	keys := filepath.Join(t.TempDir(), "signing.keys")
	if err := os.WriteFile(keys, []byte("a:"+strings.Repeat("secret", 6)), 0o600); err != nil {
		t.Fatal(err)
	}
	path := example(t, "all-keys.yaml",
		replacement{"/etc/tileserver/signing.keys", 1, filepath.ToSlash(keys)},
		replacement{"/srv/rasters", 3, filepath.ToSlash(folder)},
		replacement{"/srv/licensed", 1, filepath.ToSlash(licensed)},
		replacement{"/var/lib/tileserver", 1, filepath.ToSlash(t.TempDir())},
		replacement{"/usr/share/grids", 1, filepath.ToSlash(t.TempDir())},
		replacement{"/var/cache/tileserver", 1, filepath.ToSlash(t.TempDir())},
		replacement{"{env: IMAGERY_TOKEN}", 1, "{file: " + filepath.ToSlash(keys) + "}"},
	)
	s := start(t, "serve", "--config", path)
	if got, want := s.layerNames(t), "elevation infrared plain licensed"; got != want {
		t.Errorf("layers %q, want %q", got, want)
	}
	for _, test := range []struct{ layer, styles string }{
		{"elevation", "default hillshade depth cover radar"},
		{"infrared", "default ndvi infrared radar"}, // those of one band are not for a layer in color
	} {
		document := getJSON[struct {
			Styles []struct{ Name string }
			Links  struct{ Self string }
		}](t, s.maps+"/layers/"+test.layer)
		if want := "https://" + publicName + publicPath + "/layers/" + test.layer; document.Links.Self != want {
			t.Errorf("%s is at %s, want %s", test.layer, document.Links.Self, want)
		}
		var names []string
		for _, style := range document.Styles {
			names = append(names, style.Name)
			getPicture(t, s.maps+"/layers/"+test.layer+"/preview.png?style="+style.Name)
		}
		if got := strings.Join(names, " "); got != test.styles {
			t.Errorf("%s has the styles %q, want %q", test.layer, got, test.styles)
		}
	}
	for _, refused := range []string{"/layers/licensed/preview.png", "/layers/plain/preview.npy", "/layers/plain/preview.png?expression=b1", "/layers/elevation/preview.png?bidx=1"} {
		if got := ask(t, http.MethodGet, s.maps+refused, nil).status; got != http.StatusForbidden {
			t.Errorf("%s: status %d", refused, got)
		}
	}
	getPicture(t, s.maps+"/layers/elevation/preview.png?rescale=0,100")
}
