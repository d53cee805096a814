package tilemap

import (
	"bytes"
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"tileserver/geo"
)

func mustGrid(t *testing.T, set *geo.TileMatrixSet) Grid {
	t.Helper()
	g, ok := GridOf(set)
	if !ok {
		t.Fatalf("%s has no grid", set.ID)
	}
	return g
}

// pixels is the grid of an image of 601 by 499 pixels.
func pixels() *geo.TileMatrixSet {
	return &geo.TileMatrixSet{ID: "image", Matrices: []geo.TileMatrix{
		{Resolution: 4, TileWidth: 256, TileHeight: 256, Columns: 1, Rows: 1},
		{Resolution: 2, TileWidth: 256, TileHeight: 256, Columns: 2, Rows: 1},
		{Resolution: 1, TileWidth: 256, TileHeight: 256, Columns: 3, Rows: 2},
	}}
}

func TestRowsCountFromTheBottom(t *testing.T) {
	tests := []struct {
		set     *geo.TileMatrixSet
		z, x, y int
		want    geo.TileID
		ok      bool
	}{
		{geo.WebMercatorQuad(), 0, 0, 0, geo.TileID{}, true},
		{geo.WebMercatorQuad(), 1, 0, 0, geo.TileID{Z: 1, X: 0, Y: 1}, true},
		{geo.WebMercatorQuad(), 12, 2200, 2755, geo.TileID{Z: 12, X: 2200, Y: 1340}, true},
		{geo.WebMercatorQuad(), 1, 2, 0, geo.TileID{}, false},
		{geo.WebMercatorQuad(), 1, 0, 2, geo.TileID{}, false},
		{geo.WebMercatorQuad(), 1, -1, 0, geo.TileID{}, false},
		{geo.WebMercatorQuad(), 1, 0, -1, geo.TileID{}, false},
		{geo.WebMercatorQuad(), -1, 0, 0, geo.TileID{}, false},
		{geo.WebMercatorQuad(), 99, 0, 0, geo.TileID{}, false},
		{geo.WebMercatorQuad(), 0, math.MaxInt, math.MaxInt, geo.TileID{}, false},
		{geo.WorldCRS84Quad(), 0, 1, 0, geo.TileID{X: 1}, true},
		{geo.WorldCRS84Quad(), 1, 3, 0, geo.TileID{Z: 1, X: 3, Y: 1}, true},
		{pixels(), 2, 0, 3, geo.TileID{Z: 2, X: 0, Y: 0}, true},
		{pixels(), 2, 2, 0, geo.TileID{Z: 2, X: 2, Y: 3}, true}, // empty
		{pixels(), 2, 4, 0, geo.TileID{}, false},
	}
	for _, test := range tests {
		got, ok := mustGrid(t, test.set).Tile(test.z, test.x, test.y)
		if got != test.want || ok != test.ok {
			t.Errorf("%s %d/%d/%d is %v, %v, want %v, %v", test.set.ID, test.z, test.x, test.y, got, ok, test.want, test.ok)
		}
	}
}

// The position of a tile follows from its numbers and the lower left corner.
func TestTilePositions(t *testing.T) {
	for _, set := range geo.RegisteredTileMatrixSets() {
		g, ok := GridOf(set)
		if !ok {
			continue
		}
		for _, place := range [][3]int{{0, 0, 0}, {1, 1, 0}, {5, 3, 17}} {
			id, ok := g.Tile(place[0], place[1], place[2])
			if !ok {
				t.Fatalf("%s has no tile %v", set.ID, place)
			}
			got := set.Bounds(id)
			span := set.Matrices[id.Z].Resolution * 256
			x, y := g.Bounds().MinX+span*float64(place[1]), g.Bounds().MinY+span*float64(place[2])
			if math.Abs(got.MinX-x) > 1e-4*span || math.Abs(got.MinY-y) > 1e-4*span {
				t.Errorf("%s %v is at %v, %v, want %v, %v", set.ID, place, got.MinX, got.MinY, x, y)
			}
		}
	}
}

func TestGridOfInvalidSets(t *testing.T) {
	change := func(change func(*geo.TileMatrixSet)) *geo.TileMatrixSet {
		set := pixels()
		change(set)
		return set
	}
	for name, set := range map[string]*geo.TileMatrixSet{
		"nothing":                     {},
		"a level a third as fine":     change(func(s *geo.TileMatrixSet) { s.Matrices[2].Resolution = 4.0 / 3 }),
		"another corner":              change(func(s *geo.TileMatrixSet) { s.Matrices[1].OriginY = 1 }),
		"other tiles":                 change(func(s *geo.TileMatrixSet) { s.Matrices[1].TileWidth = 512 }),
		"oblong tiles":                change(func(s *geo.TileMatrixSet) { s.Matrices[0].TileHeight = 128 }),
		"no resolution":               change(func(s *geo.TileMatrixSet) { s.Matrices[0].Resolution = math.NaN() }),
		"more than the first reaches": change(func(s *geo.TileMatrixSet) { s.Matrices[2].Columns = 9 }),
		"too many levels":             {Matrices: make([]geo.TileMatrix, 41)},
	} {
		if _, ok := GridOf(set); ok {
			t.Errorf("%s is a grid", name)
		}
	}
}

func TestProfilesAndSystems(t *testing.T) {
	for _, test := range []struct {
		set          *geo.TileMatrixSet
		profile, srs string
	}{
		{geo.WebMercatorQuad(), "global-mercator", "EPSG:3857"}, {geo.WorldCRS84Quad(), "global-geodetic", "EPSG:4326"}, {pixels(), "local", `LOCAL_CS["Pixels",UNIT["pixel",1]]`},
	} {
		g := mustGrid(t, test.set)
		if srs, ok := g.SRS(); g.Profile() != test.profile || srs != test.srs || !ok {
			t.Errorf("%s is %s in %q, %v", test.set.ID, g.Profile(), srs, ok)
		}
	}
}

func TestTileMapDocument(t *testing.T) {
	m := TileMap{
		Service: "https://maps.example/tms/1.0.0/", Address: "https://maps.example/tms/1.0.0/a@image", Title: "A & B", Attribution: "© <me>",
		MIME: "image/png", Extension: "png", Grid: mustGrid(t, pixels()), MaxLevel: 1,
	}
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<TileMap version="1.0.0" tilemapservice="https://maps.example/tms/1.0.0/">
  <Title>A &amp; B</Title>
  <Abstract></Abstract>
  <Attribution>
    <Title>© &lt;me&gt;</Title>
  </Attribution>
  <SRS>LOCAL_CS[&#34;Pixels&#34;,UNIT[&#34;pixel&#34;,1]]</SRS>
  <BoundingBox minx="0" miny="-1024" maxx="1024" maxy="0"></BoundingBox>
  <Origin x="0" y="-1024"></Origin>
  <TileFormat width="256" height="256" mime-type="image/png" extension="png"></TileFormat>
  <TileSets profile="local">
    <TileSet href="https://maps.example/tms/1.0.0/a@image/0" units-per-pixel="4" order="0"></TileSet>
    <TileSet href="https://maps.example/tms/1.0.0/a@image/1" units-per-pixel="2" order="1"></TileSet>
  </TileSets>
</TileMap>
`
	if got := m.Document(); string(got) != want {
		t.Errorf("got %s", got)
	}
	m.Grid, m.Attribution = mustGrid(t, geo.WebMercatorQuad()), ""
	for _, part := range []string{`minx="-20037508.34278924`, `units-per-pixel="156543.0339280409`, `profile="global-mercator"`, `<SRS>EPSG:3857</SRS>`} {
		if !bytes.Contains(m.Document(), []byte(part)) {
			t.Errorf("%s is not in %s", part, m.Document())
		}
	}
}

func TestServiceDocuments(t *testing.T) {
	root := string(Root("Maps", "https://maps.example/tms/1.0.0/"))
	const wantRoot = `<?xml version="1.0" encoding="UTF-8"?>
<Services>
  <TileMapService version="1.0.0" title="Maps" href="https://maps.example/tms/1.0.0/"></TileMapService>
</Services>
`
	if root != wantRoot {
		t.Errorf("got %s", root)
	}
	s := Service{
		Root: "https://maps.example/tms/", Title: "Maps", Abstract: "Of all <kinds>", Keywords: []string{"air", "land"}, Person: "A. Person", Mail: "a@maps.example",
		Maps: []Reference{{"One", "EPSG:3857", "global-mercator", "https://maps.example/tms/1.0.0/one@WebMercatorQuad"}},
	}
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<TileMapService version="1.0.0" services="https://maps.example/tms/">
  <Title>Maps</Title>
  <Abstract>Of all &lt;kinds&gt;</Abstract>
  <KeywordList>air land</KeywordList>
  <ContactInformation>
    <ContactPersonPrimary>
      <ContactPerson>A. Person</ContactPerson>
      <ContactOrganization></ContactOrganization>
    </ContactPersonPrimary>
    <ContactElectronicMailAddress>a@maps.example</ContactElectronicMailAddress>
  </ContactInformation>
  <TileMaps>
    <TileMap title="One" srs="EPSG:3857" profile="global-mercator" href="https://maps.example/tms/1.0.0/one@WebMercatorQuad"></TileMap>
  </TileMaps>
</TileMapService>
`
	if got := string(s.Document()); got != want {
		t.Errorf("got %s", got)
	}
	if got := (Service{Title: "Maps"}).Document(); bytes.Contains(got, []byte("Contact")) || xml.Unmarshal(got, new(struct{})) != nil {
		t.Errorf("got %s", got)
	}
}

func TestMapNames(t *testing.T) {
	if layerID, setID, ok := ParseMapName(MapName("scene.tif_files", "native-scene")); !ok || layerID != "scene.tif_files" || setID != "native-scene" {
		t.Errorf("got %q, %q, %v", layerID, setID, ok)
	}
	for _, name := range []string{"", "@", "a", "a@", "@a", "a@b@c"} {
		if layerID, setID, ok := ParseMapName(name); ok {
			t.Errorf("%q is %q and %q", name, layerID, setID)
		}
	}
}

func FuzzTile(f *testing.F) {
	f.Add("a@image", 2, 1, 3)
	f.Add("a@b@c", 0, -1, math.MaxInt)
	f.Add("@", 64, 0, 0)
	f.Fuzz(func(t *testing.T, name string, z, x, y int) {
		if layerID, setID, ok := ParseMapName(name); ok && MapName(layerID, setID) != name {
			t.Errorf("%q is %q and %q", name, layerID, setID)
		}
		for _, set := range []*geo.TileMatrixSet{geo.WebMercatorQuad(), geo.WorldCRS84Quad()} {
			g, _ := GridOf(set)
			if id, ok := g.Tile(z, x, y); ok && !set.Contains(id) {
				t.Errorf("%s has no tile %v", set.ID, id)
			}
		}
	})
}

func TestTextsArePlain(t *testing.T) {
	const dirty, clean = "a\x01 \"b\"\n\u202ec", "a 'b' c"
	s := Service{Title: dirty, Abstract: dirty, Keywords: []string{dirty}, Person: dirty, Organization: dirty, Mail: dirty, Maps: []Reference{{Title: dirty}}}
	grid, _ := GridOf(geo.WebMercatorQuad())
	m := TileMap{Title: dirty, Abstract: dirty, Attribution: dirty, Grid: grid}
	for name, test := range map[string]struct {
		document []byte
		texts    int
	}{"root": {Root(dirty, ""), 1}, "service": {s.Document(), 7}, "map": {m.Document(), 3}} {
		text := strings.ReplaceAll(string(test.document), "&#39;", "'")
		if got := strings.Count(text, clean); got != test.texts {
			t.Errorf("%s has %d plain texts, want %d: %s", name, got, test.texts, text)
		}
	}
	if s.Maps[0].Title != dirty {
		t.Error("the argument is modified")
	}
}
