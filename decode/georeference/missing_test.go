package georeference_test

import (
	"strings"
	"testing"

	"tileserver/decode/georeference"
	"tileserver/geo"
)

func TestMissing(t *testing.T) {
	for _, test := range []struct {
		of   georeference.Georeference
		want string // part of the message; empty if nothing is missing
	}{
		{georeference.Georeference{}, "no georeference"},
		{georeference.Georeference{HasAffine: true}, "no coordinate system"},
		{georeference.Georeference{ControlPoints: make([]georeference.ControlPoint, 3)}, "no coordinate system"},
		{georeference.Georeference{CRS: geo.CRS84()}, "no coordinates of pixels"},
		{georeference.Georeference{CRS: geo.CRS84(), HasAffine: true}, ""},
	} {
		got := ""
		if err := test.of.Missing(); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("of %+v the answer is %q, want %q", test.of, got, test.want)
		}
	}
}
