package geo

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// systemOfTable is a system without a code, in the notations of GDAL, with coordinates of PROJ.
type systemOfTable struct {
	Proj string
	WKT1 string
	ESRI string
	WKT2 string
	Keys struct {
		Directory []uint16
		Doubles   []float64
		ASCII     string
	}
	Points [][4]float64
	Beyond [][2]float64
}

func readSystems(t *testing.T) []systemOfTable {
	t.Helper()
	file, err := os.Open("testdata/systems.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var systems []systemOfTable
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s systemOfTable
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		systems = append(systems, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return systems
}

// TestSystemsOfPROJ reads each system in four notations, and compares the coordinates of each with
// those of PROJ.
func TestSystemsOfPROJ(t *testing.T) {
	systems := readSystems(t)
	if len(systems) < 38 {
		t.Errorf("the table has %d systems", len(systems))
	}
	for _, s := range systems {
		t.Run(s.Proj, func(t *testing.T) {
			first, err := FromWKT(s.WKT2)
			if err != nil {
				t.Fatal(err)
			}
			s.check(t, first)
			for name, text := range map[string]string{"GDAL's": s.WKT1, "ESRI's": s.ESRI} {
				if name == "ESRI's" && strings.Contains(s.Proj, "sweep=x") {
					continue // GDAL writes no sweep there
				}
				if c, err := FromWKT(text); err != nil {
					t.Errorf("%s words: %v", name, err)
				} else if !s.agree(c, first) {
					t.Errorf("%s words mean another system", name)
				}
			}
			keys, err := ParseGeoKeys(s.Keys.Directory, s.Keys.Doubles, s.Keys.ASCII)
			if err != nil {
				t.Fatal(err)
			}
			if c, err := keys.CRS(); err != nil {
				t.Errorf("GeoTIFF keys: %v", err)
			} else if !s.agree(c, first) {
				t.Error("the GeoTIFF keys mean another system")
			}
		})
	}
}

// tolerance returns the acceptable distance from PROJ in meters. It is larger where PROJ itself is
// not exact.
func (s *systemOfTable) tolerance(latitude float64) float64 {
	switch {
	case strings.Contains(s.Proj, "labrd"):
		return 0.02 // PROJ has a series, which is 2 cm off at the eastern coast; we have the formulas of the registry
	case strings.Contains(s.Proj, "moll") && math.Abs(latitude) == 90:
		return 120 // PROJ's iteration ends early
	case strings.Contains(s.Proj, "vandg") && math.Abs(latitude) < 0.001:
		return 0.01 // PROJ subtracts nearly equal numbers
	}
	return 0.001
}

// outsideOfOurs returns the number of points that are not in our domain but in PROJ's.
func (s *systemOfTable) outsideOfOurs() int {
	switch {
	case strings.Contains(s.Proj, "geos") && strings.Contains(s.Proj, "+R="):
		return 62 // PROJ looks through a sphere, though not through an ellipsoid
	case strings.Contains(s.Proj, "aeqd"):
		return 8 // near the antipode of the center
	case strings.Contains(s.Proj, "stere"):
		return 16 // the same
	}
	return 0
}

func (s *systemOfTable) check(t *testing.T, c *CRS) {
	t.Helper()
	outside, worst, worstBack := 0, 0., 0.
	for _, p := range s.Points {
		longitude, latitude := p[0]*degreesToRadians, p[1]*degreesToRadians
		got := c.coordinates(longitude, latitude)
		if got.IsNaN() {
			outside++
			continue
		}
		d := math.Hypot(got.X-p[2], got.Y-p[3])
		worst = max(worst, d)
		scale := max(1, math.Hypot(p[2], p[3])/2e7) // far out on a plane, a millimeter has no digits left
		if !(d <= s.tolerance(p[1])*scale) {
			t.Errorf("%v, %v: got %.4f, want %.4f, %.4f", p[0], p[1], got, p[2], p[3])
		}
		east, north := c.geodetic(got)
		back := 6371000 * math.Hypot(math.Remainder(east-longitude, 2*math.Pi)*math.Cos(latitude), north-latitude)
		worstBack = max(worstBack, back)
		if !(back <= 0.001) {
			t.Errorf("%v, %v: comes back as %v, %v, %.4g m away", p[0], p[1], east/degreesToRadians, north/degreesToRadians, back)
		}
	}
	if outside > s.outsideOfOurs() {
		t.Errorf("%d points are outside", outside)
	}
	for _, p := range s.Beyond {
		got := c.coordinates(p[0]*degreesToRadians, p[1]*degreesToRadians)
		if !got.IsNaN() && strings.Contains(s.Proj, "geos") {
			t.Errorf("%v: got %v, want nothing behind the horizon", p, got)
		}
	}
	t.Logf("%d points, %d outside; at most %.2g m from PROJ, %.2g m after the way back", len(s.Points), outside, worst, worstBack)
}

func (s *systemOfTable) agree(a, b *CRS) bool {
	for _, p := range s.Points {
		longitude, latitude := p[0]*degreesToRadians, p[1]*degreesToRadians
		one, other := a.coordinates(longitude, latitude), b.coordinates(longitude, latitude)
		if one.IsNaN() != other.IsNaN() || math.Hypot(one.X-other.X, one.Y-other.Y) > 1e-4 {
			return false
		}
	}
	return true
}

// TestNamesOfGDAL reads systems of the registry in words without codes, and compares them with the
// systems that the codes give, on their own datum.
func TestNamesOfGDAL(t *testing.T) {
	text, err := os.ReadFile("testdata/names.tsv")
	if err != nil {
		t.Fatal(err)
	}
	methods := map[Method]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		code, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		want := mustByCode(t, code)
		methods[want.method] = true
		got, err := FromWKT(fields[2])
		if err != nil {
			t.Errorf("EPSG:%d as %s: %v", code, fields[1], err)
			continue
		}
		area, _ := want.AreaOfUse()
		longitude, latitude := area.Center().X*degreesToRadians, (area.MinY+0.4*area.Height())*degreesToRadians
		a, b := got.coordinates(longitude, latitude), want.coordinates(longitude, latitude)
		if d := want.distance(a, b); !(d < 0.001) {
			t.Errorf("EPSG:%d (%s) as %s: got %v, want %v, %.3g m apart", code, want.Name(), fields[1], a, b, d)
		}
	}
	if len(methods) < 25 {
		t.Errorf("the table has %d methods", len(methods))
	}
}
