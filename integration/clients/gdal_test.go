package clients

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// gdal runs a GDAL program whose cache is in a folder of the test.
func gdal(t testing.TB, program string, args ...string) []byte {
	t.Helper()
	return run(t, program, append([]string{"--config", "GDAL_DEFAULT_WMS_CACHE_PATH", t.TempDir(), "--config", "GDAL_HTTP_TIMEOUT", "20"}, args...)...)
}

// translate reads a window of a dataset. The window is given by the coordinates of its upper left
// and lower right corners.
func translate(t testing.TB, dataset string, window [4]float64) image.Image {
	t.Helper()
	path := filepath.Join(t.TempDir(), "window.png")
	args := []string{"-q", "-of", "PNG", "-projwin"}
	for _, coordinate := range window {
		args = append(args, fmt.Sprintf("%.9f", coordinate))
	}
	gdal(t, "gdal_translate", append(args, dataset, path)...)
	picture, err := readPicture(path)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// windowOf converts a rectangle of a layer's pixels to coordinates.
func windowOf(pixels image.Rectangle, west, north, resolution float64) [4]float64 {
	return [4]float64{
		west + float64(pixels.Min.X)*resolution, north - float64(pixels.Min.Y)*resolution,
		west + float64(pixels.Max.X)*resolution, north - float64(pixels.Max.Y)*resolution,
	}
}

// In the grid of the layer, a window has exactly the pixels of the file.
func TestGDALReadsTheSamePixels(t *testing.T) {
	require(t, gdalPart)
	checkPixelsByGDAL(t, everything.maps(t))
}

// checkPixelsByGDAL has GDAL read windows of the test layers from a server, by all protocols.
func checkPixelsByGDAL(t *testing.T, maps string) {
	pixels := image.Rect(203, 117, 203+333, 117+222)
	wmts := "WMTS:" + maps + "/wmts/1.0.0/WMTSCapabilities.xml"
	mercatorWindow := windowOf(pixels, (mercatorLeft-mercatorSide/2)*mercatorResolution, (mercatorSide/2-mercatorTop)*mercatorResolution, mercatorResolution)
	utmWindow := windowOf(pixels, utmWest, utmNorth, utmResolution)
	tests := []struct {
		name    string
		layer   knownLayer
		dataset string
		window  [4]float64
	}{
		{"WMTS, WebMercatorQuad", mercator, wmts + ",layer=mercator,tilematrixset=WebMercatorQuad,tilematrix=12", mercatorWindow},
		{"WMTS, the layer's own grid", utm, wmts + ",layer=utm,tilematrixset=native-utm", utmWindow},
		{"WMTS by parameters", mercator, "WMTS:" + maps + "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities,layer=mercator,tilematrixset=WebMercatorQuad,tilematrix=12", mercatorWindow},
		{"TMS", mercator, maps + "/tms/1.0.0/mercator@WebMercatorQuad", mercatorWindow},
		{"XYZ", mercator, xyz(maps + "/tiles/mercator/${z}/${x}/${y}.png"), mercatorWindow},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := translate(t, test.dataset, test.window)
			if got.Bounds() != image.Rect(0, 0, pixels.Dx(), pixels.Dy()) {
				t.Fatalf("the window is %v, want %v", got.Bounds(), pixels.Size())
			}
			source := everywhere(func(x, y int) color.NRGBA { return test.layer.at(pixels.Min.X+x, pixels.Min.Y+y) })
			if err := (expectation{pixel: source}).known(got); err != nil {
				t.Error(err)
			}
		})
	}
}

// xyz describes tiles of the map with the zoom of the layer mercator to GDAL, by a pattern of their addresses.
func xyz(pattern string) string {
	return fmt.Sprintf(`<GDAL_WMS><Service name="TMS"><ServerUrl>%s</ServerUrl></Service><DataWindow>
<UpperLeftX>%[2]f</UpperLeftX><UpperLeftY>%[3]f</UpperLeftY><LowerRightX>%[3]f</LowerRightX><LowerRightY>%[2]f</LowerRightY>
<TileLevel>%[4]d</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin></DataWindow>
<Projection>EPSG:3857</Projection><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>4</BandsCount></GDAL_WMS>`,
		pattern, -worldWidth/2, worldWidth/2, mercatorZoom)
}

// In another projection, the same colors must be at the same positions on earth.
func TestGDALReadsAnotherProjection(t *testing.T) {
	require(t, gdalPart)
	v := insideUTM
	got := translate(t, "WMTS:"+everything.maps(t)+"/wmts/1.0.0/WMTSCapabilities.xml,layer=utm,tilematrixset=WebMercatorQuad", v.bounds())
	if got.Bounds() != image.Rect(0, 0, v.width, v.height) {
		t.Fatalf("the window is %v, want %d x %d", got.Bounds(), v.width, v.height)
	}
	if err := (expectation{tolerance: utmTolerance, pixel: v.utm}).known(got); err != nil {
		t.Error(err)
	}
}

// GDAL 3.6 computes wrong rows for tilesets of OGC API that have limits, so it reads maps instead
// of tiles.
func TestGDALReadsMapsOfOGCAPI(t *testing.T) {
	require(t, gdalPart)
	dataset := "OGCAPI:" + everything.maps(t) + "/ogc/collections/utm"
	info := describe(t, "-oo", "API=MAP", dataset)
	path := filepath.Join(t.TempDir(), "map.png")
	gdal(t, "gdal_translate", "-q", "-of", "PNG", "-oo", "API=MAP", dataset, path)
	got, err := readPicture(path)
	if err != nil {
		t.Fatal(err)
	}
	if size := got.Bounds().Size(); !slices.Equal(info.Size, []int{size.X, size.Y}) || size.X < utm.width {
		t.Fatalf("a picture of %v, of a map of %v and an image of %d x %d", size, info.Size, utm.width, utm.height)
	}
	pixel := func(x, y int) (color.NRGBA, bool) {
		longitude := info.GeoTransform[0] + (float64(x)+0.5)*info.GeoTransform[1]
		latitude := info.GeoTransform[3] + (float64(y)+0.5)*info.GeoTransform[5]
		c, known := utmAt(longitude, latitude)
		return c, known && c != behind
	}
	if err := (expectation{tolerance: utmTolerance, pixel: pixel}).known(got); err != nil {
		t.Error(err)
	}
}

func TestGDALKnowsWhereMapsLie(t *testing.T) {
	require(t, gdalPart)
	checkPlacesByGDAL(t, everything.maps(t))
}

// checkPlacesByGDAL asks GDAL where test layers of a server lie.
func checkPlacesByGDAL(t *testing.T, maps string) {
	tests := []struct {
		name, dataset string
		want          gdalInfo
	}{
		{
			"the layer's own grid", "WMTS:" + maps + "/wmts/1.0.0/WMTSCapabilities.xml,layer=utm,tilematrixset=native-utm",
			gdalInfo{Size: []int{utm.width, utm.height}, GeoTransform: []float64{utmWest, utmResolution, 0, utmNorth, 0, -utmResolution}},
		},
		{
			"TMS", maps + "/tms/1.0.0/mercator@WebMercatorQuad",
			gdalInfo{
				Size:         []int{mercatorSide, mercatorSide},
				GeoTransform: []float64{-worldWidth / 2, mercatorResolution, 0, worldWidth / 2, 0, -mercatorResolution},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.want.compare(t, describe(t, test.dataset))
		})
	}
}

// describe returns the output of gdalinfo.
func describe(t testing.TB, args ...string) (info gdalInfo) {
	t.Helper()
	out := gdal(t, "gdalinfo", append([]string{"-json"}, args...)...)
	if err := json.Unmarshal(out, &info); err != nil || len(info.GeoTransform) != 6 {
		t.Fatalf("%v in %s", err, out)
	}
	return info
}

// gdalInfo holds the fields that the tests read of gdalinfo's output.
type gdalInfo struct {
	Size         []int
	GeoTransform []float64
}

func (want gdalInfo) compare(t *testing.T, got gdalInfo) {
	t.Helper()
	if !slices.Equal(got.Size, want.Size) {
		t.Errorf("the size is %v, want %v", got.Size, want.Size)
	}
	for i, value := range want.GeoTransform {
		if math.Abs(got.GeoTransform[i]-value) > 1e-6 {
			t.Fatalf("the geotransform is %v, want %v", got.GeoTransform, want.GeoTransform)
		}
	}
}
