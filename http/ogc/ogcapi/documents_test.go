package ogcapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tileserver/geo"
)

var site = Site{Root: "https://maps.example/base/ogc"}

func TestListRange(t *testing.T) {
	tests := []struct {
		w                 ListRange
		total, first, end int
	}{
		{ListRange{0, 10}, 25, 0, 10},
		{ListRange{20, 10}, 25, 20, 25},
		{ListRange{25, 10}, 25, 25, 25},
		{ListRange{1 << 30, 1 << 30}, 25, 25, 25},
		{ListRange{-5, 10}, 25, 0, 10},
		{ListRange{0, -1}, 25, 0, 0},
		{ListRange{0, 10}, 0, 0, 0},
	}
	for _, test := range tests {
		if first, end := test.w.Clamp(test.total); first != test.first || end != test.end {
			t.Errorf("%v of %d: got %d to %d, want %d to %d", test.w, test.total, first, end, test.first, test.end)
		}
	}
}

func TestExtentsFollowGeoJSON(t *testing.T) {
	for _, test := range []struct {
		b    geo.Bounds
		want [4]float64
	}{
		{geo.Bounds{MinX: 10, MinY: 40, MaxX: 12, MaxY: 41}, [4]float64{10, 40, 12, 41}},
		{geo.Bounds{MinX: 170, MinY: -20, MaxX: 190, MaxY: -10}, [4]float64{170, -20, -170, -10}},
		{geo.Bounds{MinX: -190, MinY: -20, MaxX: -170, MaxY: -10}, [4]float64{170, -20, -170, -10}},
		{geo.Bounds{MinX: -200, MinY: -20, MaxX: 200, MaxY: -10}, [4]float64{-180, -20, 180, -10}},
	} {
		if got := extentOf(test.b).Spatial.BBox[0]; got != test.want {
			t.Errorf("%v: got %v, want %v", test.b, got, test.want)
		}
	}
}

func TestNativeCRSIsListedOnce(t *testing.T) {
	for name, want := range map[string]int{"CRS84": 3, "[EPSG:4326]": 3, "[EPSG:3857]": 3, "[EPSG:32633]": 4} {
		if got := crsNames(crs(t, name)); len(got) != want || got[0] != "http://www.opengis.net/def/crs/OGC/1.3/CRS84" {
			t.Errorf("%s: got %v", name, got)
		}
	}
	nameless, err := geo.FromDefinition(geo.Definition{Name: "site", Ellipsoid: geo.Ellipsoid{SemiMajorAxis: 6378137, InverseFlattening: 298.257223563}})
	if err != nil {
		t.Fatal(err)
	}
	if got := crsNames(nameless); len(got) != 3 {
		t.Errorf("a system without a name: got %v", got)
	}
}

// europe is a tiling in a CRS whose northing comes first.
func europe(t *testing.T) Tiling {
	t.Helper()
	set, ok := geo.TileMatrixSetByID("EuropeanETRS89_LAEAQuad")
	if !ok {
		t.Fatal("there is no such set")
	}
	return Tiling{
		Set: set, Bounds: geo.Bounds{MinX: 4000000, MinY: 2500000, MaxX: 4100000, MaxY: 2700000},
		Limits: []Limit{{"0", 0, 0, 0, 0}, {"1", 1, 1, 0, 1}, {"5", 20, 22, 14, 15}},
	}
}

func TestTileSetFollowsTheAxes(t *testing.T) {
	tiling := europe(t)
	set := site.TileSet(Origin{Collection: "a.b", Style: "dim", Title: "A", Version: "v=1"}, "Nobody", &tiling)
	if set.BoundingBox.LowerLeft != [2]float64{2500000, 4000000} || set.BoundingBox.UpperRight != [2]float64{2700000, 4100000} {
		t.Errorf("the box is %+v", set.BoundingBox)
	}
	if set.CenterPoint.Coordinates != [2]float64{2600000, 4050000} || set.CenterPoint.TileMatrix != "1" {
		t.Errorf("the center is %+v", set.CenterPoint)
	}
	if first := set.BoundingBox.OrderedAxes[0]; !strings.HasPrefix(first, "N") && !strings.HasPrefix(first, "Y") {
		t.Errorf("the axes are %v", set.BoundingBox.OrderedAxes)
	}
	var items []string
	for _, link := range set.Links {
		if link.Rel == relItem {
			items = append(items, link.Type)
		}
		if wants := link.Rel == relItem; strings.Contains(link.Href, "v=1") != wants || link.Templated != wants {
			t.Errorf("the link %+v", link)
		}
		if !strings.HasPrefix(link.Href, site.Root+"/") {
			t.Errorf("a link leads to %s", link.Href)
		}
	}
	if want := []string{"image/webp", "image/jpeg", "image/png"}; !slices.Equal(items, want) {
		t.Errorf("the tiles are %v, want %v", items, want)
	}
	schemes := slices.DeleteFunc(slices.Clone(set.Links), func(l Link) bool { return l.Rel != relTilingScheme })
	if len(schemes) != 2 || strings.Contains(schemes[0].Href, "version") || !strings.Contains(schemes[1].Href, "version=1.0") {
		t.Errorf("the tiling schemes are %v", schemes)
	}
}

func TestURIsOfCustomTileMatrixSets(t *testing.T) {
	registered, own := geo.WebMercatorQuad(), *geo.WebMercatorQuad()
	own.ID, own.URI = "custom", ""
	if got := site.TileMatrixSetURI(registered); got != "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad" {
		t.Errorf("got %s", got)
	}
	if got := site.TileMatrixSetURI(&own); got != "https://maps.example/base/ogc/tileMatrixSets/custom" {
		t.Errorf("got %s", got)
	}
}

func TestEmptyListsAreNotNull(t *testing.T) {
	for name, document := range map[string]any{
		"collections": site.Collections(nil, 0, ListRange{0, 10}, false), "tilesets": site.TileSets(Origin{}, nil),
		"tile matrix sets": site.TileMatrixSets(nil), "styles": site.Styles(&Layer{ID: "a"}),
	} {
		text, err := json.Marshal(document)
		if err != nil || bytes.Contains(text, []byte("null")) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

func TestInvalidContactsAreOmitted(t *testing.T) {
	for _, test := range []struct {
		service Service
		want    *definitionContact
	}{
		{Service{Title: "Maps"}, nil},
		{Service{Provider: "Us", Site: "https://us.example", Email: "maps@us.example"}, &definitionContact{"Us", "https://us.example", "maps@us.example"}},
		{Service{Contact: "Me", Provider: "Us", Site: "javascript:alert(1)", Email: "no address"}, &definitionContact{Name: "Me"}},
		{Service{Site: "us.example"}, nil},
	} {
		got := site.Definition(test.service, nil).Info.Contact
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%+v: got %+v, want %+v", test.service, got, test.want)
		}
	}
}

// The definition has all that it refers to, and refers to all that it has.
func TestDefinitionIsClosed(t *testing.T) {
	text, err := json.Marshal(site.Definition(Service{Title: "Maps"}, []string{"WebMercatorQuad"}))
	if err != nil {
		t.Fatal(err)
	}
	var definition struct {
		Components map[string]map[string]any
	}
	if err := json.Unmarshal(text, &definition); err != nil {
		t.Fatal(err)
	}
	for kind, parts := range definition.Components {
		for name := range parts {
			if !bytes.Contains(text, []byte(`"#/components/`+kind+"/"+name+`"`)) {
				t.Errorf("nothing refers to %s/%s", kind, name)
			}
		}
	}
	for _, o := range operations() {
		for _, name := range append(pathNames(o.path), o.parameters...) {
			if definition.Components["parameters"][name] == nil {
				t.Errorf("%s refers to the undefined parameter %s", o.path, name)
			}
		}
		if definition.Components["responses"][o.result] == nil {
			t.Errorf("%s refers to the undefined response %s", o.path, o.result)
		}
	}
}

func TestPagesLeadToPages(t *testing.T) {
	collection := site.Collection(&Layer{ID: "a", Title: "<A>", Bounds: geo.Bounds{MinX: 1, MinY: 1, MaxX: 2, MaxY: 2}, Styles: []StyleName{{ID: "default", Title: "Default"}}})
	page := collection.Page(site)
	text, err := page.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("<h1>&lt;A&gt;</h1>")) || bytes.Count(text, []byte("f=json")) != 1 {
		t.Errorf("the page is\n%s", text)
	}
	if collection.Links[0].Title != "This document" {
		t.Error("a page changed its document")
	}
}
