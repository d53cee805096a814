package iiif_test

import (
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

type iiifInformation struct {
	Context, ID, Type, Protocol, Profile string
	Width, Height                        int
	MaxWidth, MaxHeight, MaxArea         int
	Sizes                                []struct{ Width, Height int }
	Tiles                                []struct {
		Width, Height int
		ScaleFactors  []int
	}
	PreferredFormats, ExtraFormats, ExtraQualities, ExtraFeatures []string
}

func TestIIIFInformation(t *testing.T) {
	server := servertest.New(t, nil)
	got := server.Get(t, "/iiif/plain/info.json")
	d := servertest.DecodeJSON[iiifInformation](t, got)
	if d.ID != "http://example.com/iiif/plain" || d.Type != "ImageService3" || d.Profile != "level2" || d.Width != servertest.PlainWidth || d.Height != servertest.PlainHeight {
		t.Errorf("got %+v", d)
	}
	if d.MaxArea != layer.DefaultMaxPixels || d.MaxWidth != 16383 || d.MaxHeight != 16383 {
		t.Errorf("the limits are %d, %d, %d", d.MaxWidth, d.MaxHeight, d.MaxArea)
	}
	if link := got.Header().Get("Link"); link != `<http://iiif.io/api/image/3/level2.json>;rel="profile"` {
		t.Errorf("the link is %s", link)
	}
	if got := server.Get(t, "/iiif/plain"); got.Code != http.StatusSeeOther || got.Header().Get("Location") != "http://example.com/iiif/plain/info.json" {
		t.Errorf("the base address is %d and leads to %q", got.Code, got.Header().Get("Location"))
	}
}

func TestIIIFInformationNegotiatesType(t *testing.T) {
	const linked = `application/ld+json;profile="http://iiif.io/api/image/3/context.json"`
	server := servertest.New(t, nil)
	for accept, want := range map[string]string{
		"": linked, "*/*": linked, "application/*": linked, "application/ld+json": linked, `application/ld+json;profile="x"`: linked,
		"text/html, */*;q=0.1": linked, "application/json, */*;q=0.8": "application/json", "application/json": "application/json", "application/json, application/ld+json;q=0": "application/json",
		"text/plain": "application/json",
	} {
		r := httptest.NewRequest(http.MethodGet, "/iiif/plain/info.json", nil)
		if accept != "" {
			r.Header.Set("Accept", accept)
		}
		got := server.Do(r)
		if mime := got.Header().Get("Content-Type"); mime != want || got.Header().Get("Vary") != "Accept" {
			t.Errorf("Accept %q: type %q, Vary %q", accept, mime, got.Header().Get("Vary"))
		}
	}
}

func TestIIIFSizes(t *testing.T) {
	server := servertest.New(t, func(c *layer.CatalogConfig, _ *tilehttp.Config) { c.MaxPixels = 250000 })
	for path, want := range map[string][2]int{
		"full/max/0/default.png":              {548, 455}, // of 601 by 499, bounded by the limits
		"0,0,300,200/max/0/default.png":       {300, 200},
		"0,0,300,200/^max/0/default.png":      {612, 408},
		"square/max/0/default.jpg":            {499, 499},
		"full/300,/0/default.webp":            {300, 249},
		"full/,100/0/default.png":             {120, 100},
		"full/pct:10/0/default.png":           {60, 50},
		"pct:50,50,50,50/max/0/default.png":   {300, 249},
		"full/!100,100/0/default.png":         {100, 83},
		"full/30,70/0/default.png":            {30, 70},
		"full/30,70/90/default.png":           {70, 30},
		"full/30,70/!270/default.png":         {70, 30},
		"full/30,70/180/default.png":          {30, 70},
		"600,498,100,100/max/0/default.png":   {1, 1},
		"600,0,1,499/max/0/default.png":       {1, 499},
		"0,0,10,10/^100,50/0/color.png":       {100, 50},
		"0,0,10,10/^!80,50/0/gray.png":        {50, 50},
		"full%2Fmax%2F0%2Fdefault.png/x/y/z":  {0, 0},
		"0%2C0%2C30%2C20/max/%210/color.png":  {30, 20},
		"0,0,30,20/%5Emax/0/default.png":      {612, 408},
		"10,10,20,20/pct:50/360/bitonal.webp": {10, 10},
	} {
		got := server.Get(t, "/iiif/plain/"+path)
		if want == [2]int{} {
			if got.Code != http.StatusBadRequest {
				t.Errorf("%s: status %d", path, got.Code)
			}
			continue
		}
		if shown, _ := servertest.DecodeImage(t, got); shown.Bounds().Size() != image.Pt(want[0], want[1]) {
			t.Errorf("%s is %v, want %v", path, shown.Bounds().Size(), want)
		}
	}
}

func TestIIIFRegionsAreParts(t *testing.T) {
	server := servertest.New(t, nil)
	part, _ := servertest.DecodeImage(t, server.Get(t, "/iiif/plain/37,21,150,90/max/0/default.png"))
	view, _ := servertest.DecodeImage(t, server.Get(t, "/layers/plain/view.png?crs=image&bbox=37,21,187,111&width=150&height=90"))
	if at, ok := servertest.FirstDifference(part, view, view.Bounds()); ok {
		t.Errorf("at %v: %v, the view has %v", at, part.At(at.X, at.Y), view.At(at.X, at.Y))
	}
}

func TestIIIFTurnsAndMirrors(t *testing.T) {
	server := servertest.New(t, nil)
	const region = "/iiif/plain/10,20,40,30/max/"
	plain, _ := servertest.DecodeImage(t, server.Get(t, region+"0/default.png"))
	mirrored := func(x int) int { return 39 - x }
	for rotation, to := range map[string]func(x, y int) (int, int){
		"90":   func(x, y int) (int, int) { return 29 - y, x },
		"180":  func(x, y int) (int, int) { return 39 - x, 29 - y },
		"270":  func(x, y int) (int, int) { return y, 39 - x },
		"!0":   func(x, y int) (int, int) { return mirrored(x), y },
		"!90":  func(x, y int) (int, int) { return 29 - y, mirrored(x) },
		"!180": func(x, y int) (int, int) { return 39 - mirrored(x), 29 - y },
	} {
		turned, _ := servertest.DecodeImage(t, server.Get(t, region+rotation+"/default.png"))
		for y := range 30 {
			for x := range 40 {
				if at, want := image.Pt(to(x, y)), plain.At(x, y); turned.At(at.X, at.Y) != want {
					t.Fatalf("%s: %v is %v, want %v", rotation, at, turned.At(at.X, at.Y), want)
				}
			}
		}
	}
}

func TestIIIFQualities(t *testing.T) {
	server := servertest.New(t, nil)
	const region = "/iiif/plain/10,20,40,30/max/0/"
	plain, _ := servertest.DecodeImage(t, server.Get(t, region+"default.png"))
	grays, _ := servertest.DecodeImage(t, server.Get(t, region+"gray.png"))
	bitonal, _ := servertest.DecodeImage(t, server.Get(t, region+"bitonal.png"))
	for y := range 30 {
		for x := range 40 {
			c := color.NRGBAModel.Convert(plain.At(x, y)).(color.NRGBA)
			gray := uint8((299*int(c.R) + 587*int(c.G) + 114*int(c.B) + 500) / 1000)
			if got := color.NRGBAModel.Convert(grays.At(x, y)); got != (color.NRGBA{gray, gray, gray, 255}) {
				t.Fatalf("%d,%d of %v is %v, want %d", x, y, c, got, gray)
			}
			black := color.NRGBA{gray / 128 * 255, gray / 128 * 255, gray / 128 * 255, 255}
			if got := color.NRGBAModel.Convert(bitonal.At(x, y)); got != black {
				t.Fatalf("%d,%d of %v is %v, want %v", x, y, c, got, black)
			}
		}
	}
	if one, other := server.Get(t, region+"default.png"), server.Get(t, region+"color.png"); one.Header().Get("ETag") != other.Header().Get("ETag") {
		t.Error("the quality color differs from default")
	}
}

// The tiles that the information document offers line up with each other and with the image, also
// at the edges, in the form in which viewers request them.
func TestIIIFTilesAreTheImage(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, servertest.Solid("solid", servertest.PlainWidth, servertest.PlainHeight))
	d := servertest.DecodeJSON[iiifInformation](t, server.Get(t, "/iiif/plain/info.json"))
	for halvings, factor := range d.Tiles[0].ScaleFactors {
		if factor != 1<<halvings {
			t.Fatalf("the scale factors are %v", d.Tiles[0].ScaleFactors)
		}
		side := d.Tiles[0].Width
		address := func(id string) func(column, row int) string {
			return func(column, row int) string {
				x, y := column*side*factor, row*side*factor
				width, height := min(side*factor, d.Width-x), min(side*factor, d.Height-y)
				return fmt.Sprintf("/iiif/%s/%d,%d,%d,%d/%d,%d/0/default.png", id, x, y, width, height, servertest.Halved(width, halvings), servertest.Halved(height, halvings))
			}
		}
		width, height := servertest.Halved(servertest.PlainWidth, halvings), servertest.Halved(servertest.PlainHeight, halvings)
		server.CheckAgainstView(t, server.Stitch(t, width, height, side, address("plain")), "plain", halvings)
		servertest.CheckSolid(t, fmt.Sprint("scale factor ", factor), server.Stitch(t, width, height, side, address("solid")))
	}
	for _, size := range d.Sizes {
		if shown, _ := servertest.DecodeImage(t, server.Get(t, fmt.Sprintf("/iiif/solid/full/%d,%d/0/default.png", size.Width, size.Height))); shown.Bounds().Dx() != size.Width {
			t.Errorf("the size %v is %v", size, shown.Bounds())
		} else {
			servertest.CheckSolid(t, fmt.Sprint(size), shown)
		}
	}
}

func TestIIIFCanonicalLink(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) {
		c.Origin, c.BasePath = "https://maps.example", "/imagery"
	})
	for asked, want := range map[string]string{
		"full/max/0/default.png":                    "full/max/0/default.png",
		"0,0,700,700/601,/360/color.png":            "full/max/0/default.png",
		"square/pct:10/!90/gray.jpg":                "51,0,499,499/50,50/!90/gray.jpg",
		"square/pct:10/!90/gray.jpg?bidx=1&other=2": "51,0,499,499/50,50/!90/gray.jpg?bidx=1",
	} {
		got := server.Get(t, "/imagery/iiif/plain/"+asked)
		link := `<https://maps.example/imagery/iiif/plain/` + want + `>;rel="canonical", <http://iiif.io/api/image/3/level2.json>;rel="profile"`
		if got.Code != http.StatusOK || got.Header().Get("Link") != link {
			t.Errorf("%s is %d and links to %s, want %s", asked, got.Code, got.Header().Get("Link"), link)
		}
		again := server.Get(t, strings.TrimPrefix(strings.SplitN(link, ">", 2)[0], "<https://maps.example"))
		if again.Header().Get("ETag") != got.Header().Get("ETag") {
			t.Errorf("%s and its canonical address differ", asked)
		}
	}
}

// Caches share pictures among clients, so a canonical link must not repeat the host of a request.
func TestIIIFCanonicalLinkNeedsOrigin(t *testing.T) {
	for origin, want := range map[string]bool{"": false, "https://maps.example": true} {
		server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.Origin = origin })
		if link := server.Get(t, "/iiif/plain/full/50,/0/default.png").Header().Get("Link"); strings.Contains(link, "canonical") != want || !strings.Contains(link, "profile") {
			t.Errorf("with the origin %q, the link is %s", origin, link)
		}
		d := servertest.DecodeJSON[iiifInformation](t, server.Get(t, "/iiif/plain/info.json"))
		if got := slices.Contains(d.ExtraFeatures, "canonicalLinkHeader"); got != want || !slices.Contains(d.ExtraFeatures, "profileLinkHeader") {
			t.Errorf("with the origin %q, the features are %v", origin, d.ExtraFeatures)
		}
	}
}

// The documents of both media types must have different validators.
func TestIIIFInformationHasAValidatorForEachType(t *testing.T) {
	server := servertest.New(t, nil)
	plain, linked := server.GetAs("/iiif/plain/info.json", "application/json"), server.GetAs("/iiif/plain/info.json", "")
	if plain.Header().Get("ETag") == linked.Header().Get("ETag") {
		t.Errorf("both have the validator %s", plain.Header().Get("ETag"))
	}
}

func TestIIIFErrors(t *testing.T) {
	server := servertest.New(t, func(c *layer.CatalogConfig, _ *tilehttp.Config) { c.MaxPixels = 1 << 20 })
	for path, want := range map[string]int{
		"/iiif/nope":                                            404,
		"/iiif/nope/info.json":                                  404,
		"/iiif/nope/full/max/0/default.jpg":                     404,
		"/iiif/plain/full/max/0/default":                        400,
		"/iiif/plain/full/max/0/default.gif":                    400,
		"/iiif/plain/full/max/0/default.tif":                    400,
		"/iiif/plain/full/max/0/default.npy":                    400,
		"/iiif/plain/full/max/0/native.jpg":                     400,
		"/iiif/plain/full/max/22.5/default.png":                 400,
		"/iiif/plain/full/max/361/default.png":                  400,
		"/iiif/plain/full/full/0/default.png":                   400,
		"/iiif/plain/full/602,/0/default.png":                   400,
		"/iiif/plain/full/^9000,/0/default.png":                 400,
		"/iiif/plain/full/0,/0/default.png":                     400,
		"/iiif/plain/601,0,10,10/max/0/default.png":             400,
		"/iiif/plain/0,0,0,10/max/0/default.png":                400,
		"/iiif/plain/pct:NaN,0,10,10/max/0/default.png":         400,
		"/iiif/plain/full/max/0/default.png?bidx=9":             400,
		"/iiif/height/full/max/0/gray.png?algorithm=terrainrgb": 400,
		"/iiif/broken/full/max/0/default.png":                   500,
		"/iiif/plain/full/max/0":                                404,
		"/iiif/plain/full/max/0/default.png/more":               404,
	} {
		got := server.Get(t, path)
		if got.Code != want || got.Header().Get("ETag") != "" || got.Header().Get("Link") != "" {
			t.Errorf("%s is %d with %v, want %d: %s", path, got.Code, got.Header(), want, got.Body)
		}
		if mime := got.Header().Get("Content-Type"); mime != "text/plain; charset=utf-8" && want != 404 || strings.Contains(got.Body.String(), "secret") {
			t.Errorf("%s is %s: %s", path, mime, got.Body)
		}
	}
}
