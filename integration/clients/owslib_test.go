package clients

import (
	"encoding/json"
	"image"
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// understood is the result of scripts/wmts_with_owslib.py.
type understood struct {
	Version, Title     string
	Operations, Layers []string
	Bounds             [4]float64
	Formats            []string
	Styles             map[string]bool   // whether each style is the default
	MatrixSets         map[string]string // the coordinate system of each set
	LimitedMatrices    int
}

func TestOWSLibReadsTheService(t *testing.T) {
	require(t, owslibPart)
	for name, address := range map[string]string{
		"the document":  "/wmts/1.0.0/WMTSCapabilities.xml",
		"by parameters": "/wmts",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tile.png")
			const column, row = mercatorLeft/256 + 1, mercatorTop/256 + 1
			out := run(t, python, "scripts/wmts_with_owslib.py", everything.maps(t)+address, "mercator", "WebMercatorQuad", "12", "1341", "2201", path)
			var got understood
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			got.check(t)
			tile, err := readPicture(path)
			if err != nil {
				t.Fatal(err)
			}
			v := view{mercatorZoom, column * 256, row * 256, 256, 256}
			if tile.Bounds() != image.Rect(0, 0, 256, 256) {
				t.Fatalf("the tile has the bounds %v", tile.Bounds())
			}
			if err := (expectation{pixel: everywhere(v.mercator)}).known(tile); err != nil {
				t.Error(err)
			}
		})
	}
}

func (u understood) check(t *testing.T) {
	t.Helper()
	if u.Version != "1.0.0" || u.Title != "mercator" {
		t.Errorf("the version is %q, the title of the layer %q", u.Version, u.Title)
	}
	slices.Sort(u.Layers)
	if want := []string{"heights", "mercator", "nowhere", "utm"}; !slices.Equal(u.Layers, want) && !slices.Equal(u.Layers, []string{"heights", "mercator", "utm"}) {
		t.Errorf("the layers are %q, want %q", u.Layers, want)
	}
	usual := 0
	for _, isUsual := range u.Styles {
		if isUsual {
			usual++
		}
	}
	if usual != 1 {
		t.Errorf("of the styles %v, %d are the default", u.Styles, usual)
	}
	if !slices.Contains(u.Formats, "image/png") || u.LimitedMatrices == 0 {
		t.Errorf("the formats are %q, %d matrices have limits", u.Formats, u.LimitedMatrices)
	}
	for id, want := range map[string]string{
		"WebMercatorQuad": "urn:ogc:def:crs:EPSG::3857", "WorldCRS84Quad": "urn:ogc:def:crs:OGC:1.3:CRS84", "native-utm": "urn:ogc:def:crs:EPSG::32633",
	} {
		if u.MatrixSets[id] != want {
			t.Errorf("%s is in %q, want %s", id, u.MatrixSets[id], want)
		}
	}
	corner := mercatorView(0, 0, mercator.width, mercator.height)
	upperLeft, lowerRight := corner.degrees(0, 0), corner.degrees(float64(corner.width), float64(corner.height))
	for i, want := range [4]float64{upperLeft[0], lowerRight[1], lowerRight[0], upperLeft[1]} {
		if math.Abs(u.Bounds[i]-want) > 1e-6 {
			t.Errorf("the bounds are %v, want %v %v", u.Bounds, upperLeft, lowerRight)
			break
		}
	}
}
