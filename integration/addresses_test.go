package integration

import (
	"image"
	"image/color"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// newWorld starts a server with the layers colors, heights and plain.
func newWorld(t *testing.T) *server {
	t.Helper()
	folder := t.TempDir()
	writeTIFF(t, folder, "colors.tif", withOverviews(colors(), 1))
	writeTIFF(t, folder, "heights.tif", tifftest.File{BigEndian: true, Images: []tifftest.Image{heights()}})
	writeTIFF(t, folder, "plain.tif", tifftest.File{Images: []tifftest.Image{plain()}})
	return start(t, "serve", folder)
}

func TestWithoutArgumentsADemoMapIsServed(t *testing.T) {
	s := start(t)
	if got := s.layerNames(t); got != "demo elevation sheet" {
		t.Errorf("layers %q, want the layers of the demo", got)
	}
	if page := get(t, s.maps+"/"); !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
		t.Errorf("the page has Content-Type %s", page.header.Get("Content-Type"))
	}
	document := getJSON[struct {
		Tiles   []string
		MinZoom int
		Center  []float64
	}](t, s.maps+"/layers/demo/tilejson.json")
	if len(document.Tiles) != 1 || len(document.Center) != 3 {
		t.Fatalf("TileJSON %+v", document)
	}
	if picture := getPicture(t, s.maps+"/layers/demo/preview.png?max_size=200"); colorsIn(picture) < 50 {
		t.Errorf("the preview has %d colors", colorsIn(picture))
	}
}

// colorsIn counts the distinct colors of a picture.
func colorsIn(picture image.Image) int {
	seen := make(map[color.NRGBA]bool)
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			seen[colorAt(picture, x, y)] = true
		}
	}
	return len(seen)
}

func TestAFolderPublishesALayerForEachFile(t *testing.T) {
	folder := t.TempDir()
	file := tifftest.File{Images: []tifftest.Image{plain()}}
	for _, name := range []string{"a.tif", "b/a.TIFF", "with space.tif", "c.gtif"} {
		writeTIFF(t, folder, name, file)
	}
	writeFile(t, folder, "words.tif", []byte("no raster"))
	writeFile(t, folder, "empty.tif", nil)
	writeFile(t, folder, "notes.txt", []byte("no raster either"))
	s := start(t, "serve", folder)
	if got, want := s.layerNames(t), "a b-a c with-space"; got != want {
		t.Errorf("layers %q, want %q", got, want)
	}
	for _, passed := range []string{"words.tif", "empty.tif"} {
		if !strings.Contains(s.log.String(), passed) {
			t.Errorf("the log does not say that %s was skipped", passed)
		}
	}
	if strings.Contains(s.log.String(), "notes.txt") {
		t.Error("the log has a warning about a file without a raster extension")
	}
}

func TestTilesShowThePixelsOfTheirPlace(t *testing.T) {
	s := newWorld(t)
	for _, test := range []struct {
		address string
		side    int
		at      image.Point
		want    color.NRGBA
	}{
		{"/tiles/colors/" + cornerTile + ".png", 256, image.Pt(17, 33), color.NRGBA{17, 33, 99, 255}},
		{"/tiles/colors/WebMercatorQuad/" + cornerTile + ".png", 256, image.Pt(255, 0), color.NRGBA{255, 0, 99, 255}},
		{"/tiles/colors/12/2202/1341.png", 256, image.Pt(87, 143), color.NRGBA{87, 143, 99, 255}},
		{"/tiles/colors/12/2202/1341.png", 256, image.Pt(89, 0), color.NRGBA{}},
		{"/tiles/colors/12/2202/1341.png", 256, image.Pt(0, 145), color.NRGBA{}},
		{"/tiles/colors/12/100/100.png", 256, image.Pt(9, 9), color.NRGBA{}},
		{"/tiles/colors/" + cornerTile + "@2x.png?resampling=nearest", 512, image.Pt(35, 66), color.NRGBA{17, 33, 99, 255}},
		{"/tiles/colors/" + cornerTile + ".png?bidx=2,3,1", 256, image.Pt(17, 33), color.NRGBA{33, 99, 17, 255}},
		{"/tiles/colors/image/2/1/0.png", 256, image.Pt(3, 5), color.NRGBA{3, 5, 99, 255}},
		{"/tiles/plain/image/1/1/0.png", 256, image.Pt(10, 20), color.NRGBA{30, 30, 30, 255}},
		{"/tiles/plain/image/1/0/0@2x.png?resampling=nearest", 512, image.Pt(21, 40), color.NRGBA{30, 30, 30, 255}},
		{"/tiles/heights/" + cornerTile + ".png?rescale=0,255", 256, image.Pt(100, 8), color.NRGBA{102, 102, 102, 255}},
		{"/tiles/heights/" + cornerTile + ".png?rescale=0,255", 256, image.Pt(5, 8), color.NRGBA{}},
	} {
		picture := getPicture(t, s.maps+test.address)
		if got := picture.Bounds().Size(); got != image.Pt(test.side, test.side) {
			t.Errorf("%s: %v pixels, want %d a side", test.address, got, test.side)
		}
		if got := colorAt(picture, test.at.X, test.at.Y); got != test.want && got.A+test.want.A > 0 {
			t.Errorf("%s: pixel %v has color %v, want %v", test.address, test.at, got, test.want)
		}
	}
}

func TestPicturesComeInTheFormatOfTheAddress(t *testing.T) {
	s := newWorld(t)
	for extension, want := range map[string]string{"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"} {
		a := get(t, s.maps+"/tiles/colors/"+cornerTile+"."+extension)
		if got := a.header.Get("Content-Type"); got != want || http.DetectContentType(a.body) != want {
			t.Errorf("%s: the body is %s, the Content-Type %s", extension, http.DetectContentType(a.body), got)
		}
	}
}

func TestViewsAndPreviewsShowWhatIsAskedFor(t *testing.T) {
	s := newWorld(t)
	for _, test := range []struct {
		address string
		size    image.Point
		at      image.Point
		want    color.NRGBA
	}{
		{"/layers/colors/view.png?crs=image&bbox=10,20,110,70&width=100", image.Pt(100, 50), image.Pt(7, 9), color.NRGBA{17, 29, 99, 255}},
		{"/layers/colors/view.png?crs=EPSG:3857&bbox=" + boxOf(10, 20, 110, 70) + "&width=100&height=50", image.Pt(100, 50), image.Pt(7, 9), color.NRGBA{17, 29, 99, 255}},
		{"/layers/plain/view.png?crs=image&bbox=-10,0,10,10&width=20", image.Pt(20, 10), image.Pt(15, 2), color.NRGBA{7, 7, 7, 255}},
		{"/layers/plain/view.png?crs=image&bbox=-10,0,10,10&width=20", image.Pt(20, 10), image.Pt(5, 2), color.NRGBA{}},
		{"/layers/plain/preview.png?max_size=2000", image.Pt(333, 77), image.Pt(30, 7), color.NRGBA{37, 37, 37, 255}},
		{"/layers/colors/preview.png?max_size=60", image.Pt(60, 40), image.Pt(0, 0), color.NRGBA{5, 5, 99, 255}},
	} {
		picture := getPicture(t, s.maps+test.address)
		if got := picture.Bounds().Size(); got != test.size {
			t.Errorf("%s: %v pixels, want %v", test.address, got, test.size)
		}
		if got := colorAt(picture, test.at.X, test.at.Y); got != test.want && got.A+test.want.A > 0 {
			t.Errorf("%s: pixel %v is %v, want %v", test.address, test.at, got, test.want)
		}
	}
}

func TestLayersSayWhatTheyAre(t *testing.T) {
	s := newWorld(t)
	type description struct {
		ID, Title, DType string
		Width, Height    int
		Bounds           []float64
		CRS              *struct{ Code string }
		Bands            []struct {
			Color  string
			NoData *float64
		}
		Links map[string]any
	}
	colors := getJSON[description](t, s.maps+"/layers/colors")
	if colors.ID != "colors" || colors.Width != 600 || colors.Height != 400 || colors.DType != "uint8" || len(colors.Bands) != 3 ||
		colors.CRS == nil || colors.CRS.Code != "EPSG:3857" || len(colors.Bounds) != 4 || len(colors.Links) == 0 {
		t.Errorf("description of colors: %+v", colors)
	}
	heights := getJSON[description](t, s.maps+"/layers/heights")
	if heights.DType != "float32" || len(heights.Bands) != 1 || heights.Bands[0].NoData == nil || *heights.Bands[0].NoData != -9999 {
		t.Errorf("description of heights: %+v", heights)
	}
	if plain := getJSON[description](t, s.maps+"/layers/plain"); plain.CRS != nil || plain.Bounds != nil {
		t.Errorf("description of plain: %+v", plain)
	}
}

func TestTileJSONLeadsToTiles(t *testing.T) {
	s := newWorld(t)
	document := getJSON[struct {
		TileJSON         string
		Tiles            []string
		MinZoom, MaxZoom int
		Bounds           []float64
	}](t, s.maps+"/layers/colors/tilejson.json?bidx=3,2,1&format=png")
	if document.TileJSON != "3.0.0" || document.MaxZoom != 12 || len(document.Bounds) != 4 || len(document.Tiles) != 1 {
		t.Fatalf("got %+v", document)
	}
	z, rest, _ := strings.Cut(cornerTile, "/")
	x, y, _ := strings.Cut(rest, "/")
	address := strings.NewReplacer("{z}", z, "{x}", x, "{y}", y).Replace(document.Tiles[0])
	if !strings.HasPrefix(address, s.maps) {
		t.Errorf("the tile URL is %s, want one below %s", address, s.maps)
	}
	if got, want := colorAt(getPicture(t, address), 17, 33), (color.NRGBA{99, 33, 17, 255}); got != want {
		t.Errorf("the tile has color %v, want %v", got, want)
	}
}

func TestPointsAndStatisticsAreOfTheSamples(t *testing.T) {
	s := newWorld(t)
	type point struct {
		Column, Row int
		Values      []*float64
	}
	place := strings.Join(strings.Split(boxOf(100, 8, 101, 9), ",")[:2], ",") // the lower left corner of pixel 100,8
	at := getJSON[point](t, s.maps+"/layers/heights/point/100.5,8.5?crs=image")
	if at.Column != 100 || at.Row != 8 || len(at.Values) != 1 || at.Values[0] == nil || *at.Values[0] != 102 {
		t.Errorf("got %+v at 100,8", at)
	}
	if near := getJSON[point](t, s.maps+"/layers/heights/point/"+place+"?crs=EPSG:3857"); near.Column < 99 || near.Column > 100 || near.Row < 8 || near.Row > 9 {
		t.Errorf("got %+v at %s", near, place)
	}
	if none := getJSON[point](t, s.maps+"/layers/heights/point/5.5,8.5?crs=image"); len(none.Values) != 1 || none.Values[0] != nil {
		t.Errorf("got %+v at a nodata pixel, want no value", none)
	}
	statistics := getJSON[map[string]struct {
		Min, Max, Mean float64
		Count          int
	}](t, s.maps+"/layers/heights/statistics")
	if got := statistics["b1"]; len(statistics) != 1 || got.Min != 10 || got.Max != 349.5 || got.Mean != 179.75 || got.Count != 291*199 {
		t.Errorf("statistics %+v", statistics)
	}
}

func TestErrorsAreJSONWithoutAPath(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "colors.tif", tifftest.File{Images: []tifftest.Image{colors()}})
	writeTIFF(t, folder, "plain.tif", tifftest.File{Images: []tifftest.Image{plain()}})
	damaged := writeTIFF(t, folder, "damaged.tif", tifftest.File{Images: []tifftest.Image{colors()}})
	overwrite(t, damaged, 8, make([]byte, 4000))
	s := start(t, "serve", folder)
	for _, test := range []struct {
		address string
		status  int
		code    string
	}{
		{"/nothing", 404, "not_found"},
		{"/layers/none", 404, "not_found"},
		{"/tiles/none/0/0/0.png", 404, "not_found"},
		{"/tiles/colors/0/0/1.png", 404, "not_found"},
		{"/tiles/colors/0/0/0.bmp", 404, "not_found"},
		{"/tiles/colors/Mars/0/0/0.png", 404, "not_found"},
		{"/tiles/colors/0/zero/0.png", 400, "invalid"},
		{"/tiles/colors/0/0/0.png?bidx=7", 400, "invalid"},
		{"/tiles/colors/0/0/0.png?rescale=1", 400, "invalid"},
		{"/tiles/colors/0/0/0.png?colormap_name=mud&bidx=1", 400, "invalid"},
		{"/tiles/plain/0/0/0.png", 404, "not_found"},
		{"/layers/colors/view.png", 400, "invalid"},
		{"/layers/colors/view.png?bbox=0,0,1,1&crs=EPSG:1", 400, "invalid"},
		{"/layers/colors/view.png?crs=image&bbox=0,0,1,1&width=60000&height=60000", 413, "too_large"},
		{"/layers/colors/point/1,1", 404, "not_found"},
		{"/layers/damaged/point/9,9?crs=image", 500, "damaged"},
		{"/layers/colors/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 404, "not_found"},
	} {
		status, code, message := getError(t, s.maps+test.address)
		if status != test.status || code != test.code {
			t.Errorf("%s: %d %s, want %d %s: %s", test.address, status, code, test.status, test.code, message)
		}
		if message == "" || strings.Contains(message, folder) || strings.Contains(message, ".tif") || strings.Contains(message, filepath.Base(folder)) {
			t.Errorf("%s: the message is %q", test.address, message)
		}
	}
}

func TestAnUnknownPlaceIsServedInPixels(t *testing.T) {
	folder := t.TempDir()
	img := plain()
	img.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 1234, OriginX: 5, OriginY: 7, PixelX: 1, PixelY: 1})
	writeTIFF(t, folder, "lost.tif", tifftest.File{Images: []tifftest.Image{img}})
	s := start(t, "serve", folder)
	document := getJSON[struct {
		CRS        any
		CRSProblem string `json:"crs_problem"`
	}](t, s.maps+"/layers/lost")
	if document.CRS != nil || !strings.Contains(document.CRSProblem, "1234") {
		t.Errorf("got %+v", document)
	}
	img.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 22300, OriginX: 5, OriginY: 7, PixelX: 1, PixelY: 1})
	mined := t.TempDir()
	writeTIFF(t, mined, "mined.tif", tifftest.File{Images: []tifftest.Image{img}})
	known := getJSON[struct {
		CRS        any
		CRSProblem string `json:"crs_problem"`
		EPSG       int
	}](t, start(t, "serve", mined).maps+"/layers/mined")
	if known.CRS != nil || known.EPSG != 22300 || !strings.Contains(known.CRSProblem, "9816") {
		t.Errorf("of the grid of mines in Tunisia: got %+v", known)
	}
	if _, _, message := getError(t, s.maps+"/tiles/lost/0/0/0.png"); !strings.Contains(message, `"image"`) {
		t.Errorf("the error for a map tile is %q, without the name of the tile set image", message)
	}
	if got, want := colorAt(getPicture(t, s.maps+"/tiles/lost/image/1/0/0.png"), 30, 7), (color.NRGBA{37, 37, 37, 255}); got != want {
		t.Errorf("the tile in pixels has color %v, want %v", got, want)
	}
}
