package terrain

import (
	"errors"
	"strings"
	"testing"
)

func TestParseParameters(t *testing.T) {
	tests := []struct{ mode, text, want string }{
		{"hillshade", ``, "hillshade:315,45,1"},
		{"hillshade", ` {} `, "hillshade:315,45,1"},
		{"hillshade", `{"azimuth":45,"angle_altitude":30.5,"z_exaggeration":1e1,"buffer":3}`, "hillshade:45,30.5,10"},
		{"hillshade", `{"azimuth":360}`, "hillshade:0,45,1"},
		{"hillshade", `{"azimuth":-0}`, "hillshade:0,45,1"},
		{"hillshade", `{"azimuth":null}`, "hillshade:315,45,1"},
		{"multihillshade", `{"z_exaggeration":2}`, "multihillshade:45,2"},
		{"relief", `{"azimuth":360,"z_exaggeration":2}`, "relief:0,45,2"},
		{"slope", ``, "slope:1,degrees"},
		{"slope", `{"unit":"percent","z_exaggeration":3}`, "slope:3,percent"},
		{"aspect", `{"buffer":1}`, "aspect"},
		{"contours", ``, "contours:35,1,-12000,8000"},
		{"contours", `{"increment":10,"thickness":2,"minz":0,"maxz":100}`, "contours:10,2,0,100"},
		{"contours", `{"index_every":5,"index_thickness":2.5}`, "contours:35,1,-12000,8000,5,2.5"},
		{"contours", `{"index_every":0,"index_thickness":2.5}`, "contours:35,1,-12000,8000"},
		{"terrainrgb", ``, "terrainrgb:-10000,0.1"},
		{"terrainrgb", `{"interval":1,"baseval":-500,"nodata_height":0}`, "terrainrgb:-500,1,0"},
		{"terrarium", `{"nodata_height":null}`, "terrarium:-32768,0.00390625"},
	}
	for _, test := range tests {
		mode, err := ParseMode(test.mode)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParseParameters(mode, []byte(test.text))
		if got := p.String(); err != nil || got != test.want {
			t.Errorf("%s %s is %q, %v; want %q", test.mode, test.text, got, err, test.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ mode, text, want string }{
		{"hillshade", `{"azimut":1}`, "azimuth, angle_altitude, z_exaggeration, buffer"},
		{"hillshade", `{"increment":1}`, `unknown parameter "increment"; hillshade has`},
		{"hillshade", `{"azimuth":361}`, "azimuth is 361, not from 0 to 360"},
		{"hillshade", `{"azimuth":"45"}`, "azimuth is not a number"},
		{"hillshade", `{"azimuth":[45]}`, "azimuth is not a number"},
		{"hillshade", `{"azimuth":1e999}`, "out of range"},
		{"hillshade", `{"azimuth":NaN}`, "JSON"},
		{"hillshade", `{"azimuth":1,"azimuth":1}`, "duplicate"},
		{"hillshade", `{"azimuth":1`, "is incomplete"},
		{"hillshade", `{"azimuth":`, "JSON"},
		{"hillshade", `{"azimuth":1}}`, "unexpected data"},
		{"hillshade", `{"azimuth":1} {}`, "unexpected data"},
		{"hillshade", `[1]`, "not a JSON object"},
		{"hillshade", `null`, "not a JSON object"},
		{"hillshade", `{"angle_altitude":-1}`, "angle_altitude"},
		{"hillshade", `{"z_exaggeration":0}`, "z_exaggeration"},
		{"hillshade", `{"buffer":1.5}`, "buffer is 1.5, not a whole number from 0 to 99"},
		{"slope", `{"unit":"gon"}`, `"degrees" or "percent"`},
		{"slope", `{"unit":1}`, `"degrees" or "percent"`},
		{"contours", `{"increment":0}`, "increment"},
		{"contours", `{"thickness":33}`, "thickness"},
		{"contours", `{"minz":5,"maxz":5}`, "minz 5 is not below maxz 5"},
		{"contours", `{"index_every":-5}`, "index_every"},
		{"terrainrgb", `{"interval":0}`, "interval"},
		{"terrarium", `{"nodata_height":1e7}`, "nodata_height"},
		{"aspect", `{"` + strings.Repeat("a", 2000) + `":1}`, "bytes"},
	}
	for _, test := range tests {
		mode, err := ParseMode(test.mode)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseParameters(mode, []byte(test.text)); !errors.Is(err, ErrParameters) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %.60s says %v, want %q", test.mode, test.text, err, test.want)
		}
	}
	if _, err := ParseParameters(99, nil); !errors.Is(err, ErrParameters) {
		t.Errorf("mode 99: %v", err)
	}
}

func TestModes(t *testing.T) {
	for mode := ModeHillshade; mode <= ModeTerrarium; mode++ {
		if got, err := ParseMode(mode.String()); got != mode || err != nil {
			t.Errorf("%s is parsed as %s, %v", mode, got, err)
		}
		p := DefaultParameters(mode)
		grid := newGrid(4, 3, func(x, _ float64) float64 { return x })
		isGray := p.Gray(make([]uint8, 2), grid) == nil
		isValues := p.Values(make([]float32, 2), grid) == nil
		if isGray != (mode.Output() == OutputGray) || isValues != (mode.Output() == OutputValues) {
			t.Errorf("%s does not produce its declared output", mode)
		}
		if needsHalo := mode.Output() != OutputColor; (mode.Halo() == 1) != needsHalo {
			t.Errorf("%s has a halo of %d", mode, mode.Halo())
		}
	}
	for _, name := range []string{"", "Hillshade", "shade", "terrain-rgb"} {
		if _, err := ParseMode(name); !errors.Is(err, ErrParameters) || !strings.Contains(err.Error(), "multihillshade") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Parsed parameters are valid, round-trip through Named, and render.
func FuzzParseParameters(f *testing.F) {
	f.Add(uint8(0), []byte(`{"azimuth":45,"angle_altitude":30.5,"z_exaggeration":1e1,"buffer":3}`))
	f.Add(uint8(3), []byte(`{"unit":"percent"}`))
	f.Add(uint8(5), []byte(`{"increment":10,"thickness":2,"minz":0,"maxz":100,"index_every":5}`))
	f.Add(uint8(6), []byte(`{"interval":1,"baseval":-500,"nodata_height":0}`))
	f.Add(uint8(7), []byte(`{"nodata_height":null}`))
	f.Add(uint8(1), []byte(`{"buffer":{"a":[]}}`))
	grid := randomGrid(12, 5, true)
	f.Fuzz(func(t *testing.T, mode uint8, text []byte) {
		p, err := ParseParameters(Mode(mode), text)
		if err != nil {
			if !errors.Is(err, ErrParameters) {
				t.Fatalf("%v is not ErrParameters", err)
			}
			return
		}
		if err := p.Validate(); err != nil || !strings.HasPrefix(p.String(), p.Mode.String()) {
			t.Fatalf("%s: %v", p.String(), err)
		}
		switch p.Mode.Output() {
		case OutputGray:
			err = p.Gray(make([]uint8, 30), grid)
		case OutputValues:
			err = p.Values(make([]float32, 30), grid)
		case OutputColor:
			err = p.Encoding.Encode(make([]uint8, 180), 3, grid.Heights, grid.Coverage)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}
