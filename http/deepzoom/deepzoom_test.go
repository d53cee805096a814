package deepzoom_test

import (
	"encoding/xml"
	"fmt"
	"math/bits"
	"testing"

	"tileserver/http/servertest"
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

func TestDeepZoomDocument(t *testing.T) {
	server := servertest.New(t, nil)
	got := servertest.DecodeXML[deepZoomImage](t, server.Get(t, "/dzi/plain.dzi"))
	if got.TileSize != 256 || got.Overlap != 0 || got.Size.Width != servertest.PlainWidth || got.Size.Height != servertest.PlainHeight {
		t.Errorf("got %+v", got)
	}
	masked := servertest.Solid("masked", 300, 200)
	masked.Provider.Has.Masked = true
	server.Add(t, masked)
	for path, want := range map[string]string{
		"/dzi/masked.dzi": "png", "/dzi/plain.dzi": "jpg", "/dzi/height.dzi": "png", "/dzi/plain.dzi?nodata=7": "png", "/dzi/plain.dzi?format=webp": "webp", "/dzi/height.dzi?format=jpeg": "jpg",
		"/dzi/height.dzi?algorithm=terrainrgb": "png",
	} {
		if got := servertest.DecodeXML[deepZoomImage](t, server.Get(t, path)); got.Format != want {
			t.Errorf("%s is of %s, want %s", path, got.Format, want)
		}
	}
}

func TestDeepZoomTilesAreTheImage(t *testing.T) {
	server := servertest.New(t, nil)
	const coarsest = 8 // of which all pixels lie within the image
	for halvings := range coarsest + 1 {
		level := 10 - halvings
		whole := server.Stitch(t, servertest.Halved(servertest.PlainWidth, halvings), servertest.Halved(servertest.PlainHeight, halvings), 256, func(column, row int) string {
			return fmt.Sprintf("/dzi/plain_files/%d/%d_%d.png", level, column, row)
		})
		server.CheckAgainstView(t, whole, "plain", halvings)
	}
}

func TestDeepZoomOfASolidImage(t *testing.T) {
	server := servertest.New(t, nil)
	for _, size := range [][2]int{{601, 499}, {1025, 257}, {3, 700}, {1, 1}} {
		s := servertest.Solid(fmt.Sprintf("solid-%d-%d", size[0], size[1]), size[0], size[1])
		server.Add(t, s)
		last := bits.Len(uint(max(size[0], size[1]) - 1))
		for level := range last + 1 {
			width, height := servertest.Halved(size[0], last-level), servertest.Halved(size[1], last-level)
			name := fmt.Sprintf("/dzi/%s_files/%d", s.Config.ID, level)
			servertest.CheckSolid(t, name, server.Stitch(t, width, height, 256, func(column, row int) string { return fmt.Sprintf("%s/%d_%d.png", name, column, row) }))
		}
	}
}

// Tiles have the size of the file's blocks if those are larger.
func TestDeepZoomTilesAreBlocks(t *testing.T) {
	server := servertest.New(t, nil)
	s := servertest.Solid("large", 1300, 700)
	s.Provider.Has.Levels[0].BlockWidth, s.Provider.Has.Levels[0].BlockHeight = 512, 512
	server.Add(t, s)
	if got := servertest.DecodeXML[deepZoomImage](t, server.Get(t, "/dzi/large.dzi")); got.TileSize != 512 {
		t.Errorf("tiles are %d pixels wide", got.TileSize)
	}
	server.Stitch(t, 1300, 700, 512, func(column, row int) string { return fmt.Sprintf("/dzi/large_files/11/%d_%d.png", column, row) })
}

// Layer ids may contain the suffixes of addresses.
func TestDeepZoomIDsWithSuffixes(t *testing.T) {
	server := servertest.New(t, nil)
	for _, id := range []string{"a.b_files", "a_files", "a.dzi", "_files", "x.dzi_files"} {
		server.Add(t, servertest.Solid(id, 300, 5))
		if got := servertest.DecodeXML[deepZoomImage](t, server.Get(t, "/dzi/"+id+".dzi")); got.Size.Width != 300 {
			t.Errorf("%s is %+v", id, got)
		}
		if tile, _ := servertest.DecodeImage(t, server.Get(t, "/dzi/"+id+"_files/9/1_0.jpg")); tile.Bounds().Dx() != 44 {
			t.Errorf("a tile of %s is %v", id, tile.Bounds())
		}
	}
}

func TestDeepZoomSharesPictures(t *testing.T) {
	server := servertest.New(t, nil)
	deep := server.Get(t, "/dzi/plain_files/9/0_0.png")
	if zoomify := server.Get(t, "/zoomify/plain/TileGroup0/1-0-0.png"); zoomify.Header().Get("X-Cache") != "HIT" || zoomify.Header().Get("ETag") != deep.Header().Get("ETag") {
		t.Errorf("the same tile of Zoomify is a %s with %s, not %s", zoomify.Header().Get("X-Cache"), zoomify.Header().Get("ETag"), deep.Header().Get("ETag"))
	}
	if iiif := server.Get(t, "/iiif/plain/0,0,512,499/256,250/0/default.png"); iiif.Header().Get("X-Cache") != "HIT" {
		t.Errorf("X-Cache of the same IIIF tile is %s", iiif.Header().Get("X-Cache"))
	}
	finest := server.Get(t, "/tiles/plain/image/2/1/0.png")
	if deep := server.Get(t, "/dzi/plain_files/10/1_0.png"); deep.Header().Get("X-Cache") != "HIT" || deep.Header().Get("ETag") != finest.Header().Get("ETag") {
		t.Errorf("X-Cache of a full tile is %s", deep.Header().Get("X-Cache"))
	}
}

func TestDeepZoomErrors(t *testing.T) {
	server := servertest.New(t, nil)
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
		if got := server.Get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, got.Code, want, got.Body)
		}
	}
	if server.Reads() != 0 {
		t.Errorf("invalid requests caused %d reads", server.Reads())
	}
}
