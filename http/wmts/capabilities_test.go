package wmts_test

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/display"
	tilehttp "tileserver/http"
	"tileserver/http/serve"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/style"
)

func TestWMTSServiceMetadata(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) {
		c.BasePath = "imagery"
		c.Service = serve.Service{
			Title: `The "best" maps <of> all`, Abstract: "a & b", Keywords: []string{"one", "two"}, Provider: "Survey", Site: "https://survey.example/?a&b",
			Contact: "A. Person", Email: "maps@survey.example", Fees: "none", AccessConstraints: "NONE",
		}
	})
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	if d.Version != "1.0.0" || !strings.HasSuffix(d.Schema, "wmtsGetCapabilities_response.xsd") || d.UpdateSequence == "" {
		t.Errorf("version %q, schema %q, update sequence %q", d.Version, d.Schema, d.UpdateSequence)
	}
	if i := d.Identification; i.Title != "The 'best' maps <of> all" || i.Abstract != "a & b" || !slices.Equal(i.Keywords, []string{"one", "two"}) ||
		i.ServiceType != "OGC WMTS" || i.Fees != "none" || i.AccessConstraints != "NONE" {
		t.Errorf("the service is %+v", i)
	}
	if p := d.Provider; p.Name != "Survey" || p.Contact != "A. Person" || p.Email != "maps@survey.example" {
		t.Errorf("the provider is %+v", p)
	}
	const base = "http://example.com/imagery"
	for i, name := range []string{"GetCapabilities", "GetTile", "GetFeatureInfo"} {
		operation := d.Operations.Operations[i]
		resource := base + "/wmts/1.0.0/"
		if name == "GetCapabilities" {
			resource += "WMTSCapabilities.xml"
		}
		want := fmt.Sprint([]string{base + "/wmts?", "[KVP]", resource, "[RESTful]"})
		got := make([]string, 0, 4)
		for _, way := range operation.Gets {
			got = append(got, way.Href, fmt.Sprint(way.Encoding))
		}
		if operation.Name != name || fmt.Sprint(got) != want {
			t.Errorf("operation %d is %s at %v, want %s at %s", i, operation.Name, got, name, want)
		}
	}
	if len(d.Metadata) != 1 || d.Metadata[0].Href != base+metadataPath {
		t.Errorf("the document is at %+v", d.Metadata)
	}
}

// The parts of a document refer to each other consistently.
func TestWMTSCapabilitiesAreConsistent(t *testing.T) {
	server := servertest.New(t, nil)
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	var ids []string
	for _, l := range d.Contents.Layers {
		ids = append(ids, l.ID)
		t.Run(l.ID, func(t *testing.T) { checkWMTSLayer(t, &d, l) })
	}
	if want := []string{"map", "height", "utm", "styled", "broken", "panicking"}; !slices.Equal(ids, want) {
		t.Errorf("the layers are %v, want %v", ids, want)
	}
	seen := make(map[string]bool)
	for _, s := range d.Contents.Sets {
		if s.ID == "" || seen[s.ID] || s.CRS == "" {
			t.Errorf("the tile matrix set %q, in %q, is repeated or has no name", s.ID, s.CRS)
		}
		seen[s.ID] = true
		matrices, scales := make(map[string]bool), make(map[float64]bool)
		for _, m := range s.Matrices {
			if m.ID == "" || matrices[m.ID] || scales[m.ScaleDenominator] {
				t.Errorf("%s has the matrix %q of 1:%v twice", s.ID, m.ID, m.ScaleDenominator)
			}
			matrices[m.ID], scales[m.ScaleDenominator] = true, true
		}
	}
}

func checkWMTSLayer(t *testing.T, d *wmtsDocument, l wmtsLayer) {
	defaults := 0
	for _, s := range l.Styles {
		if s.ID == "" || s.Title == "" {
			t.Errorf("there is the style %+v", s)
		}
		if s.Default {
			defaults++
		}
	}
	if defaults != 1 || !l.Styles[0].Default {
		t.Errorf("%d default styles", defaults)
	}
	if want := []string{"image/png", "image/jpeg", "image/webp"}; !slices.Equal(l.Formats, want) {
		t.Errorf("the formats are %v, want %v", l.Formats, want)
	}
	if want := []string{"application/json", "text/plain", "text/html"}; !slices.Equal(l.InfoFormats, want) {
		t.Errorf("the info formats are %v, want %v", l.InfoFormats, want)
	}
	tiles := 0
	for i, r := range l.Resources {
		if r.Type == "tile" {
			tiles++
		}
		if (r.Type == "tile") != (i == 0) {
			t.Errorf("resource %d is %+v", i, r)
		}
	}
	if want := "http://example.com/wmts/1.0.0/" + l.ID + "/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"; tiles != 1 || l.Resources[0].Template != want || l.Resources[0].Format != "image/png" {
		t.Errorf("%d tile resources, the first of which is %+v", tiles, l.Resources[0])
	}
	if l.Title == "" || l.WGS84.LowerCorner == "" || len(l.Boxes) == 0 || len(l.Links) < 2 {
		t.Errorf("the layer is %+v", l)
	}
	for _, link := range l.Links {
		set := d.set(t, link.Set)
		if link.Limits == nil || len(link.Limits.Matrices) == 0 {
			t.Fatalf("%s has no limits", link.Set)
		}
		for _, limits := range link.Limits.Matrices {
			i := slices.IndexFunc(set.Matrices, func(m wmtsMatrix) bool { return m.ID == limits.Matrix })
			if i < 0 {
				t.Fatalf("%s has limits for %q, which it does not have", link.Set, limits.Matrix)
			}
			m := set.Matrices[i]
			if limits.MinTileRow < 0 || limits.MinTileRow > limits.MaxTileRow || limits.MaxTileRow >= m.MatrixHeight ||
				limits.MinTileCol < 0 || limits.MinTileCol > limits.MaxTileCol || limits.MaxTileCol >= m.MatrixWidth {
				t.Errorf("%s has the limits %+v", link.Set, limits)
			}
		}
	}
}

func TestWMTSLimits(t *testing.T) {
	server := servertest.New(t, nil)
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	link := d.layer(t, "map").Links[0]
	limits := link.Limits.Matrices
	if link.Set != "WebMercatorQuad" || len(limits) != 13 || limits[0].Matrix != "0" {
		t.Fatalf("%s has the limits %+v", link.Set, limits)
	}
	if want := (wmtsTileLimits{"12", 1340, 1341, 2200, 2202}); limits[12] != want {
		t.Errorf("the limits of the finest level are %+v, want %+v", limits[12], want)
	}
}

func TestWMTSLegends(t *testing.T) {
	server := servertest.New(t, nil)
	shaded := servertest.Scenes(t)[1]
	shaded.Config.ID = "shaded"
	shaded.Config.Styles = []style.Named{{Name: "hot", Style: style.Style{Spec: display.Spec{ColorMap: "hot"}}}}
	server.Add(t, shaded)
	server.Add(t, terrain(t))
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	legends := 0
	for _, l := range d.Contents.Layers {
		for _, style := range l.Styles {
			for _, legend := range style.Legends {
				legends++
				got := server.Get(t, strings.TrimPrefix(legend.Href, "http://example.com"))
				img, kind, err := image.Decode(got.Body)
				if err != nil || "image/"+kind != legend.Format || got.Header().Get("Content-Type") != legend.Format {
					t.Fatalf("%s is %d of %q: %v", legend.Href, got.Code, got.Header().Get("Content-Type"), err)
				}
				if size := img.Bounds(); size.Dx() != legend.Width || size.Dy() != legend.Height {
					t.Errorf("%s is %v, not %dx%d", legend.Href, size, legend.Width, legend.Height)
				}
			}
		}
	}
	if legends < 2 {
		t.Errorf("there are %d legends", legends)
	}
	if legends := d.layer(t, "terrain").Styles[0].Legends; len(legends) != 0 {
		t.Errorf("the legend of encoded heights is %+v", legends)
	}
}

// terrain is a layer whose colors encode heights.
func terrain(t testing.TB) servertest.Scene {
	s := servertest.Scenes(t)[1]
	s.Config.ID = "terrain"
	coded, err := style.Parse(map[string][]string{"algorithm": {"terrarium"}}, style.Style{})
	if err != nil {
		t.Fatal(err)
	}
	s.Config.Style = coded
	return s
}

// Colors that encode heights cannot be sent as JPEG, so the document does not offer it.
func TestWMTSFormats(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, terrain(t))
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	if got, want := d.layer(t, "terrain").Formats, []string{"image/png", "image/webp"}; !slices.Equal(got, want) {
		t.Errorf("the formats are %v, want %v", got, want)
	}
	for _, l := range d.Contents.Layers {
		for _, format := range l.Formats {
			if l.ID == "broken" || l.ID == "panicking" {
				continue
			}
			limits := l.Links[0].Limits.Matrices[0]
			path := edit(tileQuery, "layer", l.ID, "format", format, "TileMatrix", limits.Matrix, "TileRow", strconv.Itoa(limits.MinTileRow), "TileCol", strconv.Itoa(limits.MinTileCol))
			if got := server.Get(t, path); got.Code != 200 || got.Header().Get("Content-Type") != format {
				t.Errorf("%s: status %d, type %q", path, got.Code, got.Header().Get("Content-Type"))
			}
		}
	}
}

// A title may be a file name with any characters.
func TestWMTSTitlesAreHarmless(t *testing.T) {
	server := servertest.New(t, nil)
	hostile := servertest.Scenes(t)[0]
	hostile.Config.ID = "hostile"
	hostile.Config.Title = "]]>&lt;<script>\"a\"\x00\x1b[31m\u202e\ufffe \xff</ows:Title>" + strings.Repeat("x", 1000)
	hostile.Config.Abstract, hostile.Config.Attribution = "\t\n", "© \"me\" & you"
	server.Add(t, hostile)
	nameless := servertest.Scenes(t)[0]
	nameless.Config.ID, nameless.Config.Title = "nameless", "\x01\x02"
	server.Add(t, nameless)
	d := capabilitiesOf(t, server.Get(t, metadataPath))
	got := d.layer(t, "hostile")
	if want := "]]>&lt;<script>'a' [31m </ows:Title>xxx"; !strings.HasPrefix(got.Title, want) || len([]rune(got.Title)) > 201 {
		t.Errorf("the title is %q", got.Title)
	}
	if got.Abstract != "© 'me' & you" {
		t.Errorf("the abstract is %q", got.Abstract)
	}
	if got := d.layer(t, "nameless").Title; got != "nameless" {
		t.Errorf("a layer without a title is called %q", got)
	}
}
