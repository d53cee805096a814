package geo

import (
	"math"
	"testing"
)

// The numbers are from the OGC register of tile matrix sets. The register gives fewer digits for
// UPS and Europe. For Canada it gives 145000000 and 250, which are scales on a screen of 96 dots
// per inch, not for the standard's pixel.
func TestRegisteredTileMatrixSets(t *testing.T) {
	const worldScale, utmScale = 559082264.028717, 279072704.500914
	for _, test := range []struct {
		id, title, crs, scaleSet        string
		originX, originY                float64
		levels                          int
		firstID                         string
		firstScale, lastScale, lastCell float64
		firstColumns, firstRows         int
		lastColumns, lastRows           int
		tolerance                       float64
	}{
		{
			"WebMercatorQuad", "Google Maps Compatible for the World", "EPSG/0/3857", "GoogleMapsCompatible",
			-20037508.3427892, 20037508.3427892, 25, "0", worldScale, 33.3238997476528, 0.0093306919293428, 1, 1, 1 << 24, 1 << 24, 1e-13,
		},
		{
			"WorldCRS84Quad", "CRS84 for the World", "OGC/1.3/CRS84", "GoogleCRS84Quad",
			-180, 90, 24, "0", 279541132.014358, 33.3238997476528, 8.381903171539e-08, 2, 1, 1 << 24, 1 << 23, 1e-13,
		},
		{
			"WorldMercatorWGS84Quad", "World Mercator WGS84 (ellipsoid)", "EPSG/0/3395", "WorldMercatorWGS84",
			-20037508.3427892, 20037508.3427892, 25, "0", worldScale, 33.3238997476528, 0.0093306919293428, 1, 1, 1 << 24, 1 << 24, 1e-13,
		},
		{
			"UTM01WGS84Quad", "Universal Transverse Mercator Zone 01 WGS84 Quad", "EPSG/0/32601", "",
			-9501965.72931276, 20003931.4586255, 24, "1", utmScale, 33.2680588365691, 0.00931505647423934, 1, 2, 1 << 23, 1 << 24, 1e-13,
		},
		{
			"UTM31WGS84Quad", "Universal Transverse Mercator Zone 31 WGS84 Quad", "EPSG/0/32631", "",
			-9501965.72931276, 20003931.4586255, 24, "1", utmScale, 33.2680588365691, 0.00931505647423934, 1, 2, 1 << 23, 1 << 24, 1e-13,
		},
		{
			"UTM60WGS84Quad", "Universal Transverse Mercator Zone 60 WGS84 Quad", "EPSG/0/32660", "",
			-9501965.72931276, 20003931.4586255, 24, "1", utmScale, 33.2680588365691, 0.00931505647423934, 1, 2, 1 << 23, 1 << 24, 1e-13,
		},
		{
			"UPSArcticWGS84Quad", "Universal Polar Stereographic WGS 84 Quad for Arctic", "EPSG/0/5041", "",
			-14440759.350252, 18440759.350252, 25, "0", 458726544.4, 27.34223273, 0.007655825, 1, 1, 1 << 24, 1 << 24, 3e-8,
		},
		{
			"UPSAntarcticWGS84Quad", "Universal Polar Stereographic WGS 84 Quad for Antarctic", "EPSG/0/5042", "",
			-14440759.350252, 18440759.350252, 25, "0", 458726544.4, 27.34223273, 0.007655825, 1, 1, 1 << 24, 1 << 24, 3e-8,
		},
		{
			"EuropeanETRS89_LAEAQuad", "Lambert Azimuthal Equal Area ETRS89 for Europe", "EPSG/0/3035", "",
			2000000, 5500000, 16, "0", 62779017.8571428, 1915.86358206612, 0.536441803, 1, 1, 1 << 15, 1 << 15, 1e-10,
		},
		{
			"CanadianNAD83_LCC", "Lambert conformal conic NAD83 for Canada", "EPSG/0/3978", "",
			-34655800, 39310000, 26, "0", 145000000 * 0.0254 / 96 / metersPerOGCPixel, 250 * 0.0254 / 96 / metersPerOGCPixel,
			0.0661459656252645, 5, 5, 2468768, 2625811, 3e-6,
		},
	} {
		t.Run(test.id, func(t *testing.T) {
			s, ok := TileMatrixSetByID(test.id)
			if !ok {
				t.Fatal("not registered")
			}
			scaleSet := test.scaleSet
			if scaleSet != "" {
				scaleSet = "http://www.opengis.net/def/wkss/OGC/1.0/" + scaleSet
			}
			if s.ID != test.id || s.Title != test.title || s.URI != "http://www.opengis.net/def/tilematrixset/OGC/1.0/"+test.id || s.WellKnownScaleSet != scaleSet {
				t.Errorf("got %q, %q, %q, %q", s.ID, s.Title, s.URI, s.WellKnownScaleSet)
			}
			if s.CRS.URI() != "http://www.opengis.net/def/crs/"+test.crs || len(s.Matrices) != test.levels {
				t.Fatalf("got %d levels in %s", len(s.Matrices), s.CRS.URI())
			}
			first, last := s.Matrices[0], s.Matrices[test.levels-1]
			same := func(what string, got, want float64) {
				if !(math.Abs(got/want-1) <= test.tolerance) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
			same("the scale of the first level", first.ScaleDenominator, test.firstScale)
			same("the scale of the last level", last.ScaleDenominator, test.lastScale)
			same("the cells of the last level", last.Resolution, test.lastCell)
			if first.ID != test.firstID || first.Columns != test.firstColumns || first.Rows != test.firstRows || last.Columns != test.lastColumns || last.Rows != test.lastRows {
				t.Errorf("the first level, %q, has %d × %d tiles, the last one %d × %d", first.ID, first.Columns, first.Rows, last.Columns, last.Rows)
			}
			for _, m := range s.Matrices {
				if math.Abs(m.OriginX-test.originX) > 1e-6 || math.Abs(m.OriginY-test.originY) > 1e-6 || m.TileWidth != 256 || m.TileHeight != 256 {
					t.Errorf("level %s begins at %v, %v with tiles of %d × %d", m.ID, m.OriginX, m.OriginY, m.TileWidth, m.TileHeight)
				}
			}
		})
	}
}

// TestCanadianMatrices: the scales are not powers of two, and the grids are not square. The counts
// are those of the register.
func TestCanadianMatrices(t *testing.T) {
	s, _ := TileMatrixSetByID("CanadianNAD83_LCC")
	for z, want := range [][2]int{
		{5, 5}, {8, 8}, {13, 14}, {21, 22}, {36, 38}, {62, 66}, {103, 110}, {177, 188}, {309, 329}, {515, 548}, {882, 938}, {1470, 1563},
		{2469, 2626}, {4257, 4528}, {7262, 7723}, {12344, 13130}, {20574, 21882}, {35269, 37512}, {61720, 65646}, {102866, 109409},
		{176341, 187558}, {308596, 328227}, {514327, 547044}, {881703, 937790}, {1469505, 1562983}, {2468768, 2625811},
	} {
		if m := s.Matrices[z]; m.Columns != want[0] || m.Rows != want[1] {
			t.Errorf("level %d has %d × %d tiles, want %v", z, m.Columns, m.Rows, want)
		}
	}
}

// TestTheRegisterIsWhole: each set occurs once, in the register's order, with the system of its
// name.
func TestTheRegisterIsWhole(t *testing.T) {
	sets := RegisteredTileMatrixSets()
	if len(sets) != 67 {
		t.Errorf("got %d sets", len(sets))
	}
	seen := make(map[string]bool)
	for _, s := range sets {
		if found, ok := TileMatrixSetByID(s.ID); !ok || found != s || seen[s.ID] {
			t.Errorf("%s is not found, or twice there", s.ID)
		}
		seen[s.ID] = true
	}
	if sets[0] != WebMercatorQuad() || sets[1] != WorldCRS84Quad() || sets[2].ID != "WorldMercatorWGS84Quad" || sets[3].ID != "UTM01WGS84Quad" {
		t.Errorf("the first are %s, %s, %s, %s", sets[0].ID, sets[1].ID, sets[2].ID, sets[3].ID)
	}
	sets[0] = nil
	if RegisteredTileMatrixSets()[0] == nil {
		t.Error("who got the list has changed it for others")
	}
	if _, ok := TileMatrixSetByID("UTM61WGS84Quad"); ok {
		t.Error("there is a zone too many")
	}
}

func TestLevelOfAName(t *testing.T) {
	utm, _ := TileMatrixSetByID("UTM31WGS84Quad")
	for _, test := range []struct {
		name string
		set  *TileMatrixSet
		id   string
		want int
		ok   bool
	}{
		{"the index", WebMercatorQuad(), "7", 7, true},
		{"one less than the name", utm, "1", 0, true},
		{"the last", utm, "24", 23, true},
		{"none", utm, "0", 0, false},
		{"another writing", WebMercatorQuad(), "07", 0, false},
	} {
		if z, ok := test.set.Level(test.id); z != test.want || ok != test.ok {
			t.Errorf("%s: got %d, %v", test.name, z, ok)
		}
	}
}

func TestSuits(t *testing.T) {
	for _, test := range []struct {
		name, id string
		crs      int
		bounds   Bounds
		want     bool
	}{
		{"in the zone", "UTM33WGS84Quad", 4326, Bounds{13, 47, 14, 48}, true},
		{"in the zone, in the south", "UTM33WGS84Quad", 4326, Bounds{13, -48, 14, -47}, true},
		{"at its edge", "UTM33WGS84Quad", 4326, Bounds{11.6, 47, 12.5, 48}, true},
		{"in the next zone", "UTM32WGS84Quad", 4326, Bounds{13, 47, 14, 48}, false},
		{"wider than the zone", "UTM33WGS84Quad", 4326, Bounds{10, 47, 20, 48}, false},
		{"wider than the zone, which is its own", "UTM33WGS84Quad", 32733, Bounds{10, -47, 20, -46}, true},
		{"on another datum", "UTM33WGS84Quad", 25833, Bounds{10, 47, 20, 48}, true},
		{"of another zone", "UTM33WGS84Quad", 32632, Bounds{10, 47, 20, 48}, false},
		{"the first zone, a turn away", "UTM01WGS84Quad", 4326, Bounds{180.5, 1, 182, 2}, true},
		{"the last zone, a turn away", "UTM60WGS84Quad", 4326, Bounds{-186, 1, -181, 2}, true},
		{"the Arctic", "UPSArcticWGS84Quad", 4326, Bounds{-180, 60, 180, 90}, true},
		{"beyond the Arctic", "UPSArcticWGS84Quad", 4326, Bounds{10, 59, 20, 70}, false},
		{"the Antarctic", "UPSAntarcticWGS84Quad", 3031, Bounds{-180, -90, 180, -70}, true},
		{"the other pole", "UPSAntarcticWGS84Quad", 4326, Bounds{10, 69, 20, 70}, false},
		{"Europe", "EuropeanETRS89_LAEAQuad", 32633, Bounds{13, 47, 14, 48}, true},
		{"not Europe", "EuropeanETRS89_LAEAQuad", 32614, Bounds{-97, 47, -96, 48}, false},
		{"Canada", "CanadianNAD83_LCC", 32614, Bounds{-97, 50, -96, 51}, true},
		{"the world is nowhere beside itself", "WebMercatorQuad", 4326, Bounds{-180, -90, 180, 90}, true},
	} {
		s, _ := TileMatrixSetByID(test.id)
		if got := s.Suits(system(t, test.crs), test.bounds); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}

func TestExtent(t *testing.T) {
	europe, _ := TileMatrixSetByID("EuropeanETRS89_LAEAQuad")
	if got := europe.Extent(); got != (Bounds{2000000, 1000000, 6500000, 5500000}) {
		t.Errorf("Europe: got %v", got)
	}
	uneven := &TileMatrixSet{Matrices: []TileMatrix{
		{OriginX: 10, OriginY: 20, Resolution: 2, TileWidth: 3, TileHeight: 5, Columns: 2, Rows: 1},
		{OriginX: 0, OriginY: 15, Resolution: 1, TileWidth: 3, TileHeight: 5, Columns: 1, Rows: 4},
	}}
	if got := uneven.Extent(); got != (Bounds{0, -5, 22, 20}) {
		t.Errorf("uneven levels: got %v", got)
	}
}
