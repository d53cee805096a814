package geo

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tileserver/geo/internal/epsg"
)

// supportedCurrent is the number of current projected systems of EPSG 10.076 that are supported. It
// may only grow.
const supportedCurrent = 5125

func TestProjectedSystemsSupported(t *testing.T) {
	codes, err := epsg.ProjectedCodes()
	if err != nil {
		t.Fatal(err)
	}
	all, current, supported := 0, 0, 0
	missing := map[int]int{}
	for _, code := range codes {
		system, found, err := epsg.Lookup(code)
		if err != nil || !found {
			t.Fatalf("EPSG:%d: %v, %v", code, found, err)
		}
		_, err = ByCode(code)
		if err != nil && !errors.Is(err, ErrUnknownCRS) {
			t.Errorf("EPSG:%d: %v does not wrap ErrUnknownCRS", code, err)
		}
		if err == nil {
			all++
		} else {
			missing[system.Method]++
		}
		if !system.Deprecated {
			current++
			if err == nil {
				supported++
			}
		}
	}
	t.Logf("%d of %d current projected systems, %d of %d in all; missing by method %v", supported, current, all, len(codes), missing)
	if supported < supportedCurrent {
		t.Errorf("%d current projected systems are supported, were %d", supported, supportedCurrent)
	}
}

// TestRoundTrips converts from the datum of each system to its plane and back, at points in its
// area of use.
func TestRoundTrips(t *testing.T) {
	codes, err := epsg.ProjectedCodes()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, code := range codes {
		c, err := ByCode(code)
		if err != nil {
			continue
		}
		area, ok := c.AreaOfUse()
		if !ok {
			continue
		}
		for range 4 {
			longitude := wrap((area.MinX + random.Float64()*area.Width()) * degreesToRadians)
			latitude := (area.MinY + random.Float64()*area.Height()) * degreesToRadians
			checkRoundTrip(t, c, longitude, latitude)
		}
	}
}

func checkRoundTrip(t *testing.T, c *CRS, longitude, latitude float64) {
	t.Helper()
	p := c.coordinates(longitude, latitude)
	if p.IsNaN() {
		t.Errorf("%s (%s): %.4f, %.4f is in the area of use and has no coordinates", c.Code(), c.Name(), longitude/degreesToRadians, latitude/degreesToRadians)
		return
	}
	backLongitude, backLatitude := c.geodetic(p)
	east := math.Remainder(backLongitude-longitude, 2*math.Pi) * math.Cos(latitude)
	if d := 6378137 * math.Hypot(east, backLatitude-latitude); !(d < 1e-4) {
		t.Errorf("%s (%s): %.6f, %.6f comes back %.3g m away, by way of %.3f", c.Code(), c.Name(), longitude/degreesToRadians, latitude/degreesToRadians, d, p)
	}
}

func TestByCode(t *testing.T) {
	tests := []struct {
		name             string
		code             int
		wantCode, wantIs string
		geographic       bool
		metersPerUnit    float64
	}{
		{"UTM", 32633, "EPSG:32633", "WGS 84 / UTM zone 33N", false, 1},
		{"US survey feet", 2263, "EPSG:2263", "NAD83 / New York Long Island (ftUS)", false, 12 / 39.37},
		{"geographic", 4326, "EPSG:4326", "WGS 84", true, 111319.49079327358},
		{"grads", 4807, "EPSG:4807", "NTF (Paris)", true, 6378249.2 * math.Pi / 200},
		{"geographic 3D", 4979, "EPSG:4979", "WGS 84", true, 111319.49079327358},
		{"compound gives its horizontal part", 7415, "EPSG:28992", "Amersfoort / RD New + NAP height", false, 1},
		{"Web Mercator's first number", 900913, "EPSG:3857", "WGS 84 / Pseudo-Mercator", false, 1},
		{"Web Mercator's second number", 3785, "EPSG:3857", "WGS 84 / Pseudo-Mercator", false, 1},
		{"deprecated", 2163, "EPSG:2163", "US National Atlas Equal Area", false, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := ByCode(test.code)
			if err != nil {
				t.Fatal(err)
			}
			if c.Code() != test.wantCode || c.Name() != test.wantIs || c.IsGeographic() != test.geographic {
				t.Errorf("got %q %q %v", c.Code(), c.Name(), c.IsGeographic())
			}
			if got := c.MetersPerUnit(); math.Abs(got/test.metersPerUnit-1) > 1e-12 {
				t.Errorf("got %v metres per unit, want %v", got, test.metersPerUnit)
			}
		})
	}
}

func TestByCodeUnknown(t *testing.T) {
	for _, code := range []int{0, -1, 1, 4978, 5703, 32600, 999999} {
		if c, err := ByCode(code); !errors.Is(err, ErrUnknownCRS) {
			t.Errorf("EPSG:%d: got %v, %v", code, c, err)
		}
	}
}

// TestUnsupportedSystemsAreNamed: these are all that the registry has and this package does not compute.
func TestUnsupportedSystemsAreNamed(t *testing.T) {
	for code, want := range map[int]string{
		5224: "Krovak Modified", 5225: "Krovak Modified (North Orientated)", 5515: "Krovak Modified", 5516: "Krovak Modified (North Orientated)",
		22300: "Tunisia Mining Grid", 22700: "Lambert Conic Near-Conformal", 32600: "Transverse Mercator Zoned Grid System", 32700: "Transverse Mercator Zoned Grid System",
	} {
		_, err := ByCode(code)
		if got, ok := UnsupportedCode(err); !ok || got != code || !errors.Is(err, ErrUnknownCRS) || !strings.HasSuffix(err.Error(), ", "+want) {
			t.Errorf("EPSG:%d: %v", code, err)
		}
	}
}

func TestAreaOfUseAcrossTheAntimeridian(t *testing.T) {
	c, err := ByCode(3832) // WGS 84 / PDC Mercator, the Pacific
	if err != nil {
		t.Fatal(err)
	}
	area, ok := c.AreaOfUse()
	if !ok || area.Empty() || area.MaxX <= 180 {
		t.Errorf("got %v, %v", area, ok)
	}
}
