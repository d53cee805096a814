package terrain_test

import (
	"encoding/json"
	"testing"

	"tileserver/display/terrain"
)

func TestNamedRoundTrip(t *testing.T) {
	for _, test := range []struct{ mode, text string }{
		{"hillshade", `{"azimuth":90,"angle_altitude":30,"z_exaggeration":2.5}`},
		{"relief", `{"azimuth":10}`},
		{"multihillshade", `{"angle_altitude":30,"z_exaggeration":4}`},
		{"slope", `{"z_exaggeration":3,"unit":"percent"}`},
		{"contours", `{"increment":100,"thickness":1.5,"minz":-500,"maxz":900,"index_every":5,"index_thickness":3}`},
		{"contours", `{"increment":20}`},
	} {
		mode, err := terrain.ParseMode(test.mode)
		if err != nil {
			t.Fatal(err)
		}
		want, err := terrain.ParseParameters(mode, []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(want.Named())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := terrain.ParseParameters(mode, text); err != nil || got != want {
			t.Errorf("%s: %s parses as %+v and the error %v, want %+v", test.mode, text, got, err, want)
		}
	}
}

// JSON has the parameters that Named omits, too.
func TestJSONRoundTrip(t *testing.T) {
	for _, test := range []struct{ mode, text string }{
		{"hillshade", `{"azimuth":90}`}, {"slope", `{"unit":"percent"}`}, {"aspect", ""}, {"contours", `{"increment":20,"index_thickness":3}`},
		{"terrainrgb", `{"interval":0.5,"baseval":-100,"nodata_height":-3}`}, {"terrarium", `{"nodata_height":0}`}, {"terrarium", ""},
	} {
		mode, err := terrain.ParseMode(test.mode)
		if err != nil {
			t.Fatal(err)
		}
		want, err := terrain.ParseParameters(mode, []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := terrain.ParseParameters(mode, []byte(want.JSON())); err != nil || got != want {
			t.Errorf("%s: %s parses as %+v and the error %v, want %+v", test.mode, want.JSON(), got, err, want)
		}
	}
}
