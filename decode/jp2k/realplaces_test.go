package jp2k

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode/georeference"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/pool"
	"tileserver/decode/tiff"
	"tileserver/geo"
	"tileserver/source"
	"tileserver/source/local"
)

// Side files affect the georeference.
func TestOpenReadsSideFiles(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(realFolder(t), "jp2k", "gdal", "byte.jp2"))
	if err != nil {
		t.Fatal(err)
	}
	keys := make(map[string]string)
	for _, test := range []struct {
		name   string
		beside map[string]string
		affine geo.Affine
		crs    string
		note   string
	}{
		{"nothing", nil, geo.Affine{A: 60, C: 440720, E: -60, F: 3751320}, "EPSG:26711", ""},
		{"a CRS", map[string]string{"scene.jp2.aux.xml": "<PAMDataset><SRS>EPSG:32611</SRS></PAMDataset>"}, geo.Affine{A: 60, C: 440720, E: -60, F: 3751320}, "EPSG:32611", ""},
		{"a place", map[string]string{"scene.jp2.aux.xml": "<PAMDataset><GeoTransform>1,2,0,3,0,-4</GeoTransform></PAMDataset>"}, geo.Affine{A: 2, C: 1, E: -4, F: 3}, "EPSG:26711", ""},
		{"a world file that is not wanted", map[string]string{"scene.j2w": "1 0 0 1 0 0"}, geo.Affine{A: 60, C: 440720, E: -60, F: 3751320}, "EPSG:26711", ""},
		{"invalid XML", map[string]string{"scene.jp2.aux.xml": "words"}, geo.Affine{A: 60, C: 440720, E: -60, F: 3751320}, "EPSG:26711", "scene.jp2.aux.xml is skipped"},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := Config{
				Config:  components.Config{Key: "scene", Pool: pool.New(pool.Config{Workers: 1, Budget: cache.NewBudget(16 << 20)})},
				GeoTIFF: tiff.ReadGeoreference, Beside: openerOf(test.beside),
			}
			f, err := Open(t.Context(), source.NewBytes("in/scene.jp2", content), config)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			image := f.Images()[0]
			if g := image.Georeference(); g.Affine != test.affine || g.CRS == nil || g.CRS.Code() != test.crs {
				t.Errorf("got %+v in %v, want %+v in %q", g.Affine, g.CRS, test.affine, test.crs)
			}
			if notes := strings.Join(f.Notes(), "; "); !strings.Contains(notes, test.note) || test.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
			keys[test.name] = image.Key()
		})
	}
	if keys["nothing"] != keys["a world file that is not wanted"] || keys["nothing"] == keys["a CRS"] || !strings.HasPrefix(keys["a CRS"], "scene") {
		t.Errorf("the keys are %q", keys)
	}
}

// gdalPlacement is the georeference of a file according to GDAL.
type gdalPlacement struct {
	Path         string
	Geotransform *[6]float64
	EPSG         int
	Boxes        []string
}

func placesOfReference(t *testing.T, folder string) []gdalPlacement {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []gdalPlacement
	for line := range bytes.Lines(text) {
		var p gdalPlacement
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.Path, "jp2k/") && len(p.Boxes) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// Real files are placed as by GDAL.
func TestGeoreferenceOfRealFiles(t *testing.T) {
	folder := realFolder(t)
	compared := 0
	for _, want := range placesOfReference(t, folder) {
		path := filepath.Join(folder, filepath.FromSlash(want.Path))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := boxes.Read(&boxestest.Bytes{Content: content}, boxes.Limits{})
		if err != nil {
			continue // a broken file, which another test covers
		}
		file, err := local.Store{}.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		beside := georeference.NewSideFiles(source.NewBytes(path, content), file.Sibling)
		g, notes, err := georeferenceOf(t.Context(), Config{GeoTIFF: tiff.ReadGeoreference}, c, nil, beside)
		if err != nil {
			t.Fatal(err)
		}
		if want.Geotransform != nil {
			want.compare(t, g, notes)
			compared++
		} else if g.HasAffine && !strings.HasPrefix(want.Path, "corrupt/") {
			t.Errorf("%s: got %+v, want no place", want.Path, g.Affine)
		}
	}
	if compared < 25 {
		t.Errorf("only %d files were compared", compared)
	}
}

// otherNumbers are files whose reference system has a deprecated code; the reference data has the
// code that replaced it.
var otherNumbers = map[string]int{"jp2k/imageio-ext/bogota.jp2": 21892}

func (p *gdalPlacement) compare(t *testing.T, g georeference.Georeference, notes []string) {
	t.Helper()
	w := *p.Geotransform
	if !isNear(g.Affine, geo.Affine{A: w[1], B: w[2], C: w[0], D: w[4], E: w[5], F: w[3]}) {
		t.Errorf("%s: got %+v, want %v (%q)", p.Path, g.Affine, w, notes)
	}
	number, code := p.EPSG, ""
	if other, ok := otherNumbers[p.Path]; ok {
		number = other
	}
	if number > 0 {
		code = fmt.Sprintf("EPSG:%d", number)
	}
	if g.CRS == nil && code == "" {
		return
	}
	if g.CRS == nil || g.CRS.Code() != code {
		t.Errorf("%s: got the CRS %v (%v), want %s", p.Path, g.CRS, g.CRSError, code)
	}
}

// isNear reports whether two mappings are equal up to rounding.
func isNear(a, b geo.Affine) bool {
	got, want := []float64{a.A, a.B, a.C, a.D, a.E, a.F}, []float64{b.A, b.B, b.C, b.D, b.E, b.F}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-9*max(1, math.Abs(want[i])) {
			return false
		}
	}
	return true
}
