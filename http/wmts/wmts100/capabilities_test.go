package wmts100

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/geo"
)

// update writes the golden file. Validate it against the schemas before.
var update = flag.Bool("update", false, "write testdata/capabilities.xml")

// smallSet is a registered set with some of its levels.
func smallSet(t testing.TB, id string, levels int) *geo.TileMatrixSet {
	t.Helper()
	whole, ok := geo.TileMatrixSetByID(id)
	if !ok {
		t.Fatalf("there is no tile matrix set %q", id)
	}
	set := *whole
	set.Matrices = set.Matrices[:levels]
	return &set
}

func ownSet(t testing.TB, id string, code int) *geo.TileMatrixSet {
	t.Helper()
	crs, err := geo.ByCode(code)
	if err != nil {
		t.Fatal(err)
	}
	return &geo.TileMatrixSet{ID: id, CRS: crs, Matrices: []geo.TileMatrix{{
		ID: "only", OriginX: 10, OriginY: 50, Resolution: 0.25, TileWidth: 300, TileHeight: 200, Columns: 3, Rows: 2, ScaleDenominator: 1000,
	}}}
}

func document(t testing.TB) *Document {
	mercator, degrees := smallSet(t, "WebMercatorQuad", 3), smallSet(t, "WorldCRS84Quad", 2)
	layers := []*Layer{
		{
			ID: "orthophoto", Title: `An "orthophoto" of <2026>`, Abstract: "Flown\nin spring & summer",
			Bounds:  geo.Bounds{MinX: 5.5, MinY: 45, MaxX: 10.25, MaxY: 48},
			Formats: []Format{{"image/png", "png"}, {"image/jpeg", "jpg"}}, InfoFormats: InfoFormats(),
			Styles: []Style{
				{ID: "default", Title: "Default"},
				{ID: "heat", Legend: &Legend{Address: "http://maps.example/legend.png?a=1&b=2", MIME: "image/png", Width: 20, Height: 10}},
			},
			TileSets: []TileSet{
				{
					Set: mercator, Levels: 2, Bounds: geo.Bounds{MinX: 612257.5, MinY: 5621521.5, MaxX: 1141024.75, MaxY: 6106854.75},
					Limits: []MatrixLimits{{"0", Limits{0, 0, 0, 0}}, {"1", Limits{1, 0, 1, 0}}},
				},
				{Set: degrees, Levels: 1, Bounds: geo.Bounds{MinX: 5.5, MinY: 45, MaxX: 10.25, MaxY: 48}},
			},
		},
		{
			ID: "latitudes", Formats: []Format{{"image/webp", "webp"}}, InfoFormats: InfoFormats(), Styles: []Style{{ID: "default"}},
			TileSets: []TileSet{
				{Set: mercator, Levels: 3, Limits: []MatrixLimits{{"2", Limits{2, 1, 3, 1}}}},
				{Set: ownSet(t, "own", 4326), Levels: 1, Bounds: geo.Bounds{MinX: 10, MinY: 20, MaxX: 30, MaxY: 50}, Limits: []MatrixLimits{{"only", Limits{0, 0, 2, 1}}}},
			},
		},
	}
	return &Document{
		Base: "http://maps.example/imagery", Self: "http://maps.example/imagery/wmts/1.0.0/WMTSCapabilities.xml",
		Service:        Service{Title: "Maps", Abstract: "All of them", Keywords: []string{"map"}, Provider: "Survey", Site: "http://survey.example", Contact: "A. Person", Email: "a@survey.example", Fees: "none", AccessConstraints: "NONE"},
		UpdateSequence: UpdateSequence(time.Date(2026, 11, 21, 17, 30, 0, 5e6, time.UTC)),
		Sections:       AllSections(),
		Layers:         slices.Values(layers),
	}
}

func TestCapabilitiesGolden(t *testing.T) {
	var got bytes.Buffer
	if err := document(t).Write(&got); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "capabilities.xml")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(got.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Fatalf("line %d is not %q; the document is\n%s", i+1, line, got.String())
		}
	}
	if got.Len() != len(want) {
		t.Errorf("there are %d bytes, want %d", got.Len(), len(want))
	}
}

// An empty list of limits makes viewers hang.
func TestEmptyLimitsAreOmitted(t *testing.T) {
	var got bytes.Buffer
	if err := document(t).Write(&got); err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(&got)
	lists, members := 0, -1
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch element := token.(type) {
		case xml.StartElement:
			switch element.Name.Local {
			case "TileMatrixSetLimits":
				lists, members = lists+1, 0
			case "TileMatrixLimits":
				members++
			}
		case xml.EndElement:
			if element.Name.Local == "TileMatrixSetLimits" && members == 0 {
				t.Errorf("list %d is empty", lists)
			}
		}
	}
	if lists != 3 {
		t.Errorf("there are %d lists, want 3: one tile set has none", lists)
	}
}

func TestWriteErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	if err := document(t).Write(writing(func([]byte) (int, error) { return 0, broken })); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type writing func([]byte) (int, error)

func (w writing) Write(p []byte) (int, error) { return w(p) }

func TestSetsWithoutANameAreNotNameable(t *testing.T) {
	unnamed, err := geo.FromDefinition(geo.Definition{Name: "mine", Ellipsoid: geo.Ellipsoid{SemiMajorAxis: 6378137, InverseFlattening: 298.257223563}})
	if err != nil {
		t.Fatal(err)
	}
	for want, set := range map[bool]*geo.TileMatrixSet{true: geo.WebMercatorQuad(), false: {CRS: unnamed}} {
		if got := IsNameable(set); got != want {
			t.Errorf("%s is nameable: %v", set.ID, got)
		}
	}
	if IsNameable(&geo.TileMatrixSet{}) {
		t.Error("pixels without a position are nameable")
	}
}
