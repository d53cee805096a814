package colormap

import (
	"errors"
	"math"
	"slices"
	"testing"
)

var (
	red         = Color{255, 0, 0, 255}
	green       = Color{0, 128, 0, 255}
	blue        = Color{0, 0, 255, 200}
	transparent = Color{}
)

func mustNew(t testing.TB, kind Kind, entries ...Entry) *Map {
	t.Helper()
	m, err := New(kind, entries)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// grays returns the ramp that leaves samples unchanged.
func grays() *Map {
	var colors [256]Color
	for i := range colors {
		colors[i] = Color{uint8(i), uint8(i), uint8(i), 255}
	}
	return NewRamp(&colors)
}

func TestAt(t *testing.T) {
	ramp := grays()
	stops := mustNew(t, Stops, Entry{Low: 1000, Color: blue}, Entry{Low: -1000, Color: red}, Entry{Low: 0, Color: green})
	intervals := mustNew(t, Intervals, Entry{Low: 10, High: 20, Color: green}, Entry{Low: 0, High: 10, Color: red}, Entry{Low: 30, High: 40, Color: blue})
	categories := mustNew(t, Categories, Entry{Low: 3, Color: blue}, Entry{Low: -1.5, Color: red})
	tests := []struct {
		name string
		m    *Map
		v    float64
		want Color
	}{
		{"ramp", ramp, 7, Color{7, 7, 7, 255}},
		{"ramp rounds down", ramp, 7.4, Color{7, 7, 7, 255}},
		{"ramp rounds up", ramp, 7.5, Color{8, 8, 8, 255}},
		{"below the ramp", ramp, -300, Color{0, 0, 0, 255}},
		{"above the ramp", ramp, 1e300, Color{255, 255, 255, 255}},
		{"ramp at NaN", ramp, math.NaN(), transparent},
		{"ramp at infinity", ramp, math.Inf(1), Color{255, 255, 255, 255}},
		{"stop", stops, 0, green},
		{"first stop", stops, -1000, red},
		{"last stop", stops, 1000, blue},
		{"between", stops, -500, Color{128, 64, 0, 255}},
		{"a quarter", stops, 250, Color{0, 96, 64, 241}},
		{"below stops", stops, math.Inf(-1), red},
		{"above stops", stops, math.Inf(1), blue},
		{"stops at NaN", stops, math.NaN(), transparent},
		{"interval begins", intervals, 0, red},
		{"interval ends before", intervals, math.Nextafter(10, 0), red},
		{"next interval", intervals, 10, green},
		{"gap", intervals, 20, transparent},
		{"gap ends before", intervals, math.Nextafter(30, 0), transparent},
		{"below intervals", intervals, -0.001, transparent},
		{"above intervals", intervals, 40, transparent},
		{"intervals at NaN", intervals, math.NaN(), transparent},
		{"intervals at infinity", intervals, math.Inf(1), transparent},
		{"category", categories, -1.5, red},
		{"another category", categories, 3, blue},
		{"no category", categories, 2, transparent},
		{"nearly a category", categories, math.Nextafter(3, 4), transparent},
		{"below categories", categories, -2, transparent},
		{"categories at NaN", categories, math.NaN(), transparent},
	}
	for _, test := range tests {
		if got := test.m.At(test.v); got != test.want {
			t.Errorf("%s: got %v at %v, want %v", test.name, got, test.v, test.want)
		}
	}
}

// TestStopsAreLinear compares with the exact color in the middle of each step.
func TestStopsAreLinear(t *testing.T) {
	from, to := Color{255, 0, 17, 0}, Color{0, 255, 230, 255}
	m := mustNew(t, Stops, Entry{Low: 3, Color: from}, Entry{Low: 8, Color: to})
	for i := range 5001 {
		part := float64(i) / 5000
		got := m.At(3 + 5*part)
		for _, channel := range [][3]uint8{{from.R, to.R, got.R}, {from.G, to.G, got.G}, {from.B, to.B, got.B}, {from.A, to.A, got.A}} {
			want := float64(channel[0]) + part*(float64(channel[1])-float64(channel[0]))
			if off := math.Abs(want - float64(channel[2])); off > 0.51 {
				t.Fatalf("after %v: got %v, off by %v", part, got, off)
			}
		}
	}
}

func TestNewRejects(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name    string
		kind    Kind
		entries []Entry
	}{
		{"nothing", Categories, nil},
		{"one stop", Stops, []Entry{{Low: 1}}},
		{"a ramp", Ramp, make([]Entry, 256)},
		{"an unknown kind", 77, []Entry{{Low: 1}, {Low: 2}}},
		{"too many", Categories, make([]Entry, MaxEntries+1)},
		{"NaN", Categories, []Entry{{Low: nan}}},
		{"infinite", Stops, []Entry{{Low: 0}, {Low: inf}}},
		{"infinite interval", Intervals, []Entry{{Low: 0, High: inf}}},
		{"an interval to NaN", Intervals, []Entry{{Low: 0, High: nan}}},
		{"descending", Intervals, []Entry{{Low: 1, High: 0}}},
		{"overlap", Intervals, []Entry{{Low: 0, High: 2}, {Low: 1, High: 3}}},
		{"within", Intervals, []Entry{{Low: 0, High: 9}, {Low: 1, High: 3}}},
		{"twice", Categories, []Entry{{Low: 1}, {Low: 2}, {Low: 1}}},
		{"too far", Stops, []Entry{{Low: -math.MaxFloat64}, {Low: math.MaxFloat64}}},
	}
	for _, test := range tests {
		if m, err := New(test.kind, test.entries); !errors.Is(err, ErrInvalid) || m != nil {
			t.Errorf("%s: got %v, %v", test.name, m, err)
		}
	}
}

func TestNewCopiesEntries(t *testing.T) {
	given := []Entry{{Low: 2, Color: red}, {Low: 1, Color: green}}
	m := mustNew(t, Categories, given...)
	if given[0].Low != 2 {
		t.Error("the caller's slice was sorted")
	}
	given[0].Color = blue
	m.Entries()[0].Color = blue
	if m.At(2) != red || m.At(1) != green {
		t.Errorf("got %v and %v", m.At(2), m.At(1))
	}
}

func TestDomain(t *testing.T) {
	tests := []struct {
		name      string
		m         *Map
		low, high float64
	}{
		{"ramp", grays(), 0, 255},
		{"stops", mustNew(t, Stops, Entry{Low: 7}, Entry{Low: -3}), -3, 7},
		{"intervals", mustNew(t, Intervals, Entry{Low: 7, High: 9}, Entry{Low: -3, High: 0}), -3, 9},
		{"category", mustNew(t, Categories, Entry{Low: 7}), 7, 7},
	}
	for _, test := range tests {
		if low, high := test.m.Domain(); low != test.low || high != test.high {
			t.Errorf("%s: got %v to %v, want %v to %v", test.name, low, high, test.low, test.high)
		}
	}
}

func TestKey(t *testing.T) {
	other := [256]Color{255: {A: 1}}
	different := []*Map{
		grays(),
		NewRamp(new([256]Color)),
		NewRamp(&other),
		mustNew(t, Stops, Entry{Low: 1, Color: red}, Entry{Low: 2, Color: green}),
		mustNew(t, Stops, Entry{Low: 1, Color: green}, Entry{Low: 2, Color: red}),
		mustNew(t, Stops, Entry{Low: 1, Color: red}, Entry{Low: 2.5, Color: green}),
		mustNew(t, Categories, Entry{Low: 1, Color: red}, Entry{Low: 2, Color: green}),
		mustNew(t, Categories, Entry{Low: 1, Color: red}),
		mustNew(t, Categories, Entry{Low: 1, Color: Color{255, 0, 0, 254}}),
		mustNew(t, Intervals, Entry{Low: 1, High: 2, Color: red}),
		mustNew(t, Intervals, Entry{Low: 1, High: 3, Color: red}),
	}
	seen := make(map[string]int)
	for i, m := range different {
		if first, known := seen[m.Key()]; known {
			t.Errorf("%s and %s share %s", describe(different[first]), describe(m), m.Key())
		}
		seen[m.Key()] = i
	}
	same := mustNew(t, Stops, Entry{Low: 2, High: 77, Color: green, Label: "b"}, Entry{Low: 1, Color: red, Label: "a"})
	if got, want := same.Key(), different[3].Key(); got != want {
		t.Errorf("another order and labels: got %s, want %s", got, want)
	}
	zero, negative := mustNew(t, Categories, Entry{Low: 0}), mustNew(t, Categories, Entry{Low: math.Copysign(0, -1)})
	if zero.Key() != negative.Key() {
		t.Error("0 and -0 are equal, but their keys differ")
	}
}

func TestRampRoundTrip(t *testing.T) {
	colors, _ := Named("viridis")
	got, ok := NewRamp(colors).Ramp()
	if !ok || !slices.Equal(got[:], colors[:]) {
		t.Errorf("got %v, %v", got, ok)
	}
}
