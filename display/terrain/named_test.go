package terrain_test

import (
	"encoding/json"
	"maps"
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
		if got, err := terrain.ParseParameters(mode, []byte(jsonOf(want))); err != nil || got != want {
			t.Errorf("%s: %s parses as %+v and the error %v, want %+v", test.mode, jsonOf(want), got, err, want)
		}
	}
}

// jsonOf returns all parameters of the mode in the form that ParseParameters reads. Named omits some.
func jsonOf(p terrain.Parameters) string {
	members := make(map[string]any)
	maps.Copy(members, p.Named())
	switch p.Mode {
	case terrain.ModeContours:
		members["index_every"], members["index_thickness"] = p.Lines.IndexEvery, p.Lines.IndexThickness
	case terrain.ModeTerrainRGB:
		members["interval"], members["baseval"] = p.Encoding.Interval, p.Encoding.Base
	}
	if p.Mode.Output() == terrain.OutputColor && p.Encoding.HasMissingHeight {
		members["nodata_height"] = p.Encoding.MissingHeight
	}
	text, _ := json.Marshal(members) // fails for NaN and infinities only, which Validate rejects
	return string(text)
}
