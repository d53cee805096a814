package request

import (
	"net/http"
	"testing"

	"tileserver/geo"
	"tileserver/http/answer"
)

func crs(t testing.TB, name string) *geo.CRS {
	t.Helper()
	c, _, err := geo.ParseCRSName(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// statusOf returns the status of an error, or 0 without one.
func statusOf(err error) int {
	if err == nil {
		return 0
	}
	return answer.FailureOf(err).Status
}

func TestNormalize(t *testing.T) {
	tests := []struct {
		name, crs string
		b, want   geo.Bounds
		status    int // of the error; 0 is none
	}{
		{"as it is", "CRS84", geo.Bounds{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}, geo.Bounds{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}, 0},
		{"across the antimeridian", "CRS84", geo.Bounds{MinX: 170, MinY: 2, MaxX: -175, MaxY: 4}, geo.Bounds{MinX: 170, MinY: 2, MaxX: 185, MaxY: 4}, 0},
		{"over the pole", "CRS84", geo.Bounds{MinX: 1, MinY: 80, MaxX: 3, MaxY: 100}, geo.Bounds{MinX: 1, MinY: 80, MaxX: 3, MaxY: 90}, 0},
		{"beyond the pole", "CRS84", geo.Bounds{MinX: 1, MinY: 95, MaxX: 3, MaxY: 100}, geo.Bounds{}, http.StatusNotFound},
		{"on another turn", "CRS84", geo.Bounds{MinX: 400, MinY: 5, MaxX: 500, MaxY: 10}, geo.Bounds{}, http.StatusNotFound},
		{"reversed latitudes", "CRS84", geo.Bounds{MinX: 1, MinY: 4, MaxX: 3, MaxY: 2}, geo.Bounds{}, http.StatusBadRequest},
		{"a line", "CRS84", geo.Bounds{MinX: 1, MinY: 4, MaxX: 1, MaxY: 5}, geo.Bounds{}, http.StatusBadRequest},
		{"reversed eastings", "EPSG:3857", geo.Bounds{MinX: 3, MinY: 2, MaxX: 1, MaxY: 4}, geo.Bounds{}, http.StatusBadRequest},
		{"without end", "EPSG:3857", geo.Bounds{MinX: -1e308, MinY: 2, MaxX: 1e308, MaxY: 4}, geo.Bounds{}, http.StatusBadRequest},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Normalize(test.b, crs(t, test.crs))
			if statusOf(err) != test.status || err == nil && got != test.want {
				t.Errorf("got %v and the error %v, want %v and the status %d", got, err, test.want, test.status)
			}
		})
	}
}

func TestTransformContainsTheBox(t *testing.T) {
	utm := crs(t, "EPSG:32633")
	b := geo.Bounds{MinX: 14, MinY: 47, MaxX: 16, MaxY: 48}
	got, err := transform(b, geo.CRS84(), utm)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []geo.Point{{X: 14, Y: 47}, {X: 15, Y: 48}, {X: 16, Y: 47.5}} {
		if !got.Contains(utm.FromLonLat(p)) {
			t.Errorf("%v does not contain %v", got, p)
		}
	}
	mercator := crs(t, "EPSG:3857")
	if _, err := transform(geo.Bounds{MinX: 1, MinY: 1, MaxX: 1, MaxY: 2}, geo.CRS84(), mercator); statusOf(err) != http.StatusNotFound {
		t.Errorf("of nothing: got the error %v", err)
	}
}
