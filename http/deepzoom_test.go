package http_test

import (
	"encoding/xml"
	"fmt"
	"math/bits"
	"net/http"
	"net/http/httptest"
	"testing"
)

type deepZoomImage struct {
	XMLName  xml.Name `xml:"http://schemas.microsoft.com/deepzoom/2008 Image"`
	TileSize int      `xml:",attr"`
	Overlap  int      `xml:",attr"`
	Format   string   `xml:",attr"`
	Size     struct {
		Width  int `xml:",attr"`
		Height int `xml:",attr"`
	}
}

func decodeXML[T any](t testing.TB, recorder *httptest.ResponseRecorder) (v T) {
	t.Helper()
	if recorder.Code != http.StatusOK {
		t.Fatalf("status %d: %s", recorder.Code, recorder.Body)
	}
	if err := xml.Unmarshal(recorder.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v in %s", err, recorder.Body)
	}
	return v
}

func TestDeepZoomDocument(t *testing.T) {
	w := newWorld(t, nil)
	got := decodeXML[deepZoomImage](t, w.get(t, "/dzi/plain.dzi"))
	if got.TileSize != 256 || got.Overlap != 0 || got.Size.Width != plainWidth || got.Size.Height != plainHeight {
		t.Errorf("got %+v", got)
	}
	masked := solid("masked", 300, 200)
	masked.provider.Has.Masked = true
	w.add(t, masked)
	for path, want := range map[string]string{
		"/dzi/masked.dzi": "png", "/dzi/plain.dzi": "jpg", "/dzi/height.dzi": "png", "/dzi/plain.dzi?nodata=7": "png", "/dzi/plain.dzi?format=webp": "webp", "/dzi/height.dzi?format=jpeg": "jpg",
		"/dzi/height.dzi?algorithm=terrainrgb": "png",
	} {
		if got := decodeXML[deepZoomImage](t, w.get(t, path)); got.Format != want {
			t.Errorf("%s is of %s, want %s", path, got.Format, want)
		}
	}
}

func TestDeepZoomTilesAreTheImage(t *testing.T) {
	w := newWorld(t, nil)
	const coarsest = 8 // of which all pixels lie within the image
	for halvings := range coarsest + 1 {
		level := 10 - halvings
		whole := w.stitched(t, halved(plainWidth, halvings), halved(plainHeight, halvings), 256, func(column, row int) string {
			return fmt.Sprintf("/dzi/plain_files/%d/%d_%d.png", level, column, row)
		})
		w.checkAgainstView(t, whole, "plain", halvings)
	}
}

func TestDeepZoomOfASolidImage(t *testing.T) {
	w := newWorld(t, nil)
	for _, size := range [][2]int{{601, 499}, {1025, 257}, {3, 700}, {1, 1}} {
		s := solid(fmt.Sprintf("solid-%d-%d", size[0], size[1]), size[0], size[1])
		w.add(t, s)
		last := bits.Len(uint(max(size[0], size[1]) - 1))
		for level := range last + 1 {
			width, height := halved(size[0], last-level), halved(size[1], last-level)
			name := fmt.Sprintf("/dzi/%s_files/%d", s.config.ID, level)
			checkSolid(t, name, w.stitched(t, width, height, 256, func(column, row int) string { return fmt.Sprintf("%s/%d_%d.png", name, column, row) }))
		}
	}
}

// Tiles have the size of the file's blocks if those are larger.
func TestDeepZoomTilesAreBlocks(t *testing.T) {
	w := newWorld(t, nil)
	s := solid("large", 1300, 700)
	s.provider.Has.Levels[0].BlockWidth, s.provider.Has.Levels[0].BlockHeight = 512, 512
	w.add(t, s)
	if got := decodeXML[deepZoomImage](t, w.get(t, "/dzi/large.dzi")); got.TileSize != 512 {
		t.Errorf("tiles are %d pixels wide", got.TileSize)
	}
	w.stitched(t, 1300, 700, 512, func(column, row int) string { return fmt.Sprintf("/dzi/large_files/11/%d_%d.png", column, row) })
}

// Layer ids may contain the suffixes of addresses.
func TestDeepZoomIDsWithSuffixes(t *testing.T) {
	w := newWorld(t, nil)
	for _, id := range []string{"a.b_files", "a_files", "a.dzi", "_files", "x.dzi_files"} {
		w.add(t, solid(id, 300, 5))
		if got := decodeXML[deepZoomImage](t, w.get(t, "/dzi/"+id+".dzi")); got.Size.Width != 300 {
			t.Errorf("%s is %+v", id, got)
		}
		if tile, _ := decodeImage(t, w.get(t, "/dzi/"+id+"_files/9/1_0.jpg")); tile.Bounds().Dx() != 44 {
			t.Errorf("a tile of %s is %v", id, tile.Bounds())
		}
	}
}

func TestDeepZoomSharesPictures(t *testing.T) {
	w := newWorld(t, nil)
	deep := w.get(t, "/dzi/plain_files/9/0_0.png")
	if zoomify := w.get(t, "/zoomify/plain/TileGroup0/1-0-0.png"); zoomify.Header().Get("X-Cache") != "HIT" || zoomify.Header().Get("ETag") != deep.Header().Get("ETag") {
		t.Errorf("the same tile of Zoomify is a %s with %s, not %s", zoomify.Header().Get("X-Cache"), zoomify.Header().Get("ETag"), deep.Header().Get("ETag"))
	}
	if iiif := w.get(t, "/iiif/plain/0,0,512,499/256,250/0/default.png"); iiif.Header().Get("X-Cache") != "HIT" {
		t.Errorf("X-Cache of the same IIIF tile is %s", iiif.Header().Get("X-Cache"))
	}
	finest := w.get(t, "/tiles/plain/image/2/1/0.png")
	if deep := w.get(t, "/dzi/plain_files/10/1_0.png"); deep.Header().Get("X-Cache") != "HIT" || deep.Header().Get("ETag") != finest.Header().Get("ETag") {
		t.Errorf("X-Cache of a full tile is %s", deep.Header().Get("X-Cache"))
	}
}

func TestDeepZoomErrors(t *testing.T) {
	w := newWorld(t, nil)
	for path, want := range map[string]int{
		"/dzi/nope.dzi":                       404,
		"/dzi/plain":                          404,
		"/dzi/plain.xml":                      404,
		"/dzi/.dzi":                           404,
		"/dzi/plain.dzi?format=gif":           400,
		"/dzi/plain.dzi?bidx=9":               400,
		"/dzi/plain_files/10/0_0":             404,
		"/dzi/plain_files/10/0_0.gif":         404,
		"/dzi/plain_files/10/3_0.png":         404,
		"/dzi/plain_files/10/0_2.png":         404,
		"/dzi/plain_files/10/-1_0.png":        404,
		"/dzi/plain_files/10/01_0.png":        404,
		"/dzi/plain_files/11/0_0.png":         404,
		"/dzi/plain_files/-1/0_0.png":         404,
		"/dzi/plain_files/x/0_0.png":          404,
		"/dzi/plain/10/0_0.png":               404,
		"/dzi/nope_files/10/0_0.png":          404,
		"/dzi/plain_files/10/0_0.png?bidx=9":  400,
		"/dzi/plain_files/99999999999/0_0.jp": 404,
	} {
		if got := w.get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, got.Code, want, got.Body)
		}
	}
	if w.calls() != 0 {
		t.Errorf("invalid requests caused %d reads", w.calls())
	}
}
