package tms_test

import (
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"tileserver/geo"
	tilehttp "tileserver/http"
	"tileserver/http/serve"
	"tileserver/http/servertest"
	"tileserver/layer"
)

type tmsService struct {
	Version string `xml:"version,attr"`
	Title   string
	Maps    []struct {
		Title   string `xml:"title,attr"`
		SRS     string `xml:"srs,attr"`
		Profile string `xml:"profile,attr"`
		Address string `xml:"href,attr"`
	} `xml:"TileMaps>TileMap"`
}

type tmsMap struct {
	Version string `xml:"version,attr"`
	Title   string
	SRS     string
	Box     struct {
		MinX float64 `xml:"minx,attr"`
		MinY float64 `xml:"miny,attr"`
		MaxX float64 `xml:"maxx,attr"`
		MaxY float64 `xml:"maxy,attr"`
	} `xml:"BoundingBox"`
	Origin struct {
		X float64 `xml:"x,attr"`
		Y float64 `xml:"y,attr"`
	}
	Format struct {
		Width     int    `xml:"width,attr"`
		MIME      string `xml:"mime-type,attr"`
		Extension string `xml:"extension,attr"`
	} `xml:"TileFormat"`
	Sets struct {
		Profile string `xml:"profile,attr"`
		Sets    []struct {
			Address       string  `xml:"href,attr"`
			UnitsPerPixel float64 `xml:"units-per-pixel,attr"`
			Order         int     `xml:"order,attr"`
		} `xml:"TileSet"`
	} `xml:"TileSets"`
}

// All maps and tiles can be found from the root by the addresses in documents.
func TestTMSFromItsRoot(t *testing.T) {
	const origin = "https://maps.example"
	server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) {
		c.Origin, c.BasePath, c.Service = origin, "/imagery", serve.Service{Title: "Maps & more", Contact: "A. Person", Keywords: []string{"air"}}
	})
	root := servertest.DecodeXML[struct {
		Service struct {
			Address string `xml:"href,attr"`
		} `xml:"TileMapService"`
	}](t, server.Get(t, "/imagery/tms/"))
	service := servertest.DecodeXML[tmsService](t, server.Get(t, strings.TrimPrefix(root.Service.Address, origin)))
	if service.Title != "Maps & more" || service.Version != "1.0.0" {
		t.Errorf("the service is %+v", service)
	}
	profiles := make(map[string]int)
	for _, m := range service.Maps {
		if strings.Contains(m.Address, "/broken@") || strings.Contains(m.Address, "/panicking@") {
			continue
		}
		profiles[m.Profile]++
		d := servertest.DecodeXML[tmsMap](t, server.Get(t, strings.TrimPrefix(m.Address, origin)))
		if d.SRS != m.SRS || d.Sets.Profile != m.Profile || d.Origin.X != d.Box.MinX || d.Origin.Y != d.Box.MinY || len(d.Sets.Sets) == 0 {
			t.Errorf("%s is %+v", m.Address, d)
		}
		for z, set := range d.Sets.Sets {
			tiles := (d.Box.MaxX - d.Box.MinX) / (set.UnitsPerPixel * float64(d.Format.Width))
			if set.Order != z || set.Address != fmt.Sprintf("%s/%d", m.Address, z) || tiles < 0.999 {
				t.Errorf("%s: %+v, of which there are %v across", m.Address, set, tiles)
			}
			if tile, _ := servertest.DecodeImage(t, server.Get(t, strings.TrimPrefix(set.Address, origin)+"/0/0."+d.Format.Extension)); tile.Bounds().Dx() != 256 {
				t.Errorf("a tile below %s is %v", set.Address, tile.Bounds())
			}
		}
	}
	if profiles["global-mercator"] != 4 || profiles["global-geodetic"] != 4 || profiles["local"] < 5 {
		t.Errorf("there are maps of %v", profiles)
	}
}

func TestTMSDocuments(t *testing.T) {
	server := servertest.New(t, nil)
	mercator := servertest.DecodeXML[tmsMap](t, server.Get(t, "/tms/1.0.0/map@WebMercatorQuad?format=jpeg"))
	if mercator.SRS != "EPSG:3857" || mercator.Format.Extension != "jpg" || mercator.Format.MIME != "image/jpeg" || mercator.Title != "A map" {
		t.Errorf("got %+v", mercator)
	}
	pixels := servertest.DecodeXML[tmsMap](t, server.Get(t, "/tms/1.0.0/plain@image"))
	if pixels.Box.MaxX != 1024 || pixels.Box.MinY != -1024 || pixels.Box.MaxY != 0 || pixels.Sets.Sets[0].UnitsPerPixel != 4 || len(pixels.Sets.Sets) != 3 {
		t.Errorf("got %+v", pixels)
	}
}

func TestTMSRowsCountFromTheBottom(t *testing.T) {
	server := servertest.New(t, nil)
	quad := geo.WebMercatorQuad()
	for tile, flipped := range map[string]string{
		"/tiles/map/" + servertest.CornerTile + ".png":     fmt.Sprintf("/tms/1.0.0/map@WebMercatorQuad/12/2200/%d.png", quad.Matrices[12].Rows-1-1340),
		"/tiles/map/" + servertest.CornerTile + "@2x.webp": fmt.Sprintf("/tms/1.0.0/map@WebMercatorQuad/12/2200/%d@2x.webp", quad.Matrices[12].Rows-1-1340),
		"/tiles/map/WorldCRS84Quad/0/1/0.jpg":              "/tms/1.0.0/map@WorldCRS84Quad/0/1/0.jpg",
		"/tiles/plain/image/2/1/0.png":                     "/tms/1.0.0/plain@image/2/1/3.png",
		"/tiles/plain/image/2/2/1.png":                     "/tms/1.0.0/plain@image/2/2/2.png",
		"/tiles/map/native-map/1/1/0.png?bidx=1":           "/tms/1.0.0/map@native-map/1/1/1.png?bidx=1",
	} {
		want, got := server.Get(t, tile), server.Get(t, flipped)
		if got.Code != http.StatusOK || got.Header().Get("ETag") == "" || got.Header().Get("ETag") != want.Header().Get("ETag") {
			t.Errorf("%s is %d with %s, want %s of %s: %s", flipped, got.Code, got.Header().Get("ETag"), want.Header().Get("ETag"), tile, got.Body)
		}
	}
}

// The part of a pixel grid below the image is empty.
func TestTMSOutsideTheImage(t *testing.T) {
	server := servertest.New(t, nil)
	for _, name := range []string{"plain@image", "map@native-map"} {
		got := server.Get(t, "/tms/1.0.0/"+name+"/2/3/0.png")
		if shown, _ := servertest.DecodeImage(t, got); shown.Bounds().Size() != image.Pt(256, 256) || got.Header().Get("X-Cache") != "EMPTY" {
			t.Errorf("%s: %v, %s", name, shown.Bounds(), got.Header().Get("X-Cache"))
		}
		if got := server.Get(t, "/tms/1.0.0/"+name+"/2/3/0.png?empty=204"); got.Code != http.StatusNoContent {
			t.Errorf("%s: an empty tile is %d", name, got.Code)
		}
	}
	if server.Reads() != 0 {
		t.Errorf("empty tiles caused %d reads", server.Reads())
	}
}

func TestTMSErrors(t *testing.T) {
	server := servertest.New(t, nil)
	for path, want := range map[string]int{
		"/tms/2.0.0":                                      404,
		"/tms/1.0.0/map":                                  404,
		"/tms/1.0.0/nope@image":                           404,
		"/tms/1.0.0/map@Moon":                             404,
		"/tms/1.0.0/plain@WebMercatorQuad":                404,
		"/tms/1.0.0/map@image@png":                        404,
		"/tms/1.0.0/map@image?format=gif":                 400,
		"/tms/1.0.0/map@image/9":                          404,
		"/tms/1.0.0/map@image/x":                          400,
		"/tms/1.0.0/nope@image/0/0/0.png":                 404,
		"/tms/1.0.0/map@Moon/0/0/0.png":                   404,
		"/tms/1.0.0/map@image/9/0/0.png":                  404,
		"/tms/1.0.0/map@image/0/1/0.png":                  404,
		"/tms/1.0.0/map@image/0/0/1.png":                  404,
		"/tms/1.0.0/map@image/0/-1/0.png":                 404,
		"/tms/1.0.0/map@image/00/0/0.png":                 400,
		"/tms/1.0.0/map@image/0/0/0.gif":                  404,
		"/tms/1.0.0/map@WebMercatorQuad/0/0/0.png?bidx=9": 400,
	} {
		if got := server.Get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, got.Code, want, got.Body)
		}
	}
	if server.Reads() != 0 {
		t.Errorf("invalid requests caused %d reads", server.Reads())
	}
}
