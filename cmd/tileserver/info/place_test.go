package info

import "testing"

func TestTheTransformIsDescribed(t *testing.T) {
	for _, test := range []struct {
		transform [6]float64
		want      string
	}{
		{[6]float64{444000, 20.5, 0, 4599000, 0, -10}, "pixel size    20.5 x 10, in the units of the crs\nupper left    444000, 4599000\n"},
		{[6]float64{0, 1, 0, 0, 0, 1}, "pixel size    1 x 1, in the units of the crs\nupper left    0, 0\nturned        south up\n"},
		{[6]float64{0, 3, 4, 0, 4, -3}, "pixel size    5 x 5, in the units of the crs\nupper left    0, 0\n" +
			"turned        rows by 53.13 degrees, columns by 53.13 degrees, counterclockwise\n"},
	} {
		w := new(lineWriter)
		if writeTransform(w, &test.transform); w.String() != test.want {
			t.Errorf("%v: %q, want %q", test.transform, w, test.want)
		}
	}
}
