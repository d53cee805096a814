package colormap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// awkwardMaps returns maps whose bounds are difficult for buckets.
func awkwardMaps(t testing.TB) map[string]*Map {
	random := rand.New(rand.NewPCG(1, 2))
	crowded := []Entry{{Low: -1e12, Color: red}, {Low: 1e12, Color: blue}}
	var full, many []Entry
	for i := range MaxEntries {
		c := Color{uint8(i), uint8(i >> 2), uint8(random.Uint32()), 255}
		full = append(full, Entry{Low: float64(i), High: float64(i) + 0.5 + float64(i%2)/2, Color: c})
		many = append(many, Entry{Low: math.Floor(random.ExpFloat64()*1e6) + float64(i)/2048, Color: c})
		if i < MaxEntries-2 {
			crowded = append(crowded, Entry{Low: float64(i) / 1e6, Color: c})
		}
	}
	return map[string]*Map{
		"ramp":         grays(),
		"two stops":    mustNew(t, Stops, Entry{Low: -0.25, Color: red}, Entry{Low: 0.75, Color: blue}),
		"crowded":      mustNew(t, Stops, crowded...),
		"near":         mustNew(t, Stops, Entry{Low: 0, Color: red}, Entry{Low: math.SmallestNonzeroFloat64, Color: blue}),
		"far":          mustNew(t, Stops, Entry{Low: -8e307, Color: red}, Entry{Low: 8e307, Color: blue}),
		"one interval": mustNew(t, Intervals, Entry{Low: 0.1, High: 0.7, Color: red}),
		"intervals":    mustNew(t, Intervals, full...),
		"one category": mustNew(t, Categories, Entry{Low: 0.3, Color: red}),
		"categories":   mustNew(t, Categories, many...),
		"wide":         mustNew(t, Categories, Entry{Low: -1e300, Color: red}, Entry{Low: 5, Color: green}, Entry{Low: 7e307, Color: blue}),
	}
}

// samplesOf returns all bounds of a map, their neighbors, samples between them, and samples
// outside.
func samplesOf(m *Map) []float64 {
	samples := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.MaxFloat64, -math.MaxFloat64, math.Copysign(0, -1)}
	entries := m.Entries()
	for i, e := range entries {
		for _, v := range []float64{e.Low, e.High} {
			samples = append(samples, v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)))
		}
		next := entries[min(i+1, len(entries)-1)]
		samples = append(samples, e.Low+(e.High-e.Low)/2, e.Low+(next.Low-e.Low)/2, e.Low+(next.Low-e.Low)/3)
	}
	return samples
}

func TestLookupEqualsAt(t *testing.T) {
	for name, m := range awkwardMaps(t) {
		samples := samplesOf(m)
		pixels := make([]uint8, 4*len(samples)+1)
		pixels[4*len(samples)] = 99
		NewLookup[float64](m).Colors(pixels, samples)
		for i, v := range samples {
			if got, want := pixelAt(pixels, i), m.At(v); got != want {
				t.Errorf("%s at %v: got %v, want %v", name, v, got, want)
			}
		}
		if pixels[4*len(samples)] != 99 {
			t.Errorf("%s: wrote after the last pixel", name)
		}
	}
}

// TestLookupOfFloat32 looks up float32 samples, which only approximate the bounds.
func TestLookupOfFloat32(t *testing.T) {
	intervals := mustNew(t, Intervals, Entry{Low: 0.1, High: 0.7, Color: red}, Entry{Low: 0.7, High: 0.9, Color: green})
	categories := mustNew(t, Categories, Entry{Low: 0.1, Color: red}, Entry{Low: 0.7, Color: green}, Entry{Low: 16777217, Color: blue})
	stops := mustNew(t, Stops, Entry{Low: 0, Color: red}, Entry{Low: 1e-3, Color: blue})
	nan := float32(math.NaN())
	tests := []struct {
		name   string
		m      *Map
		sample float32
		want   Color
	}{
		{"interval begins", intervals, 0.1, red},
		{"next interval", intervals, 0.7, green},
		{"interval ends", intervals, 0.9, transparent},
		{"before the interval", intervals, math.Nextafter32(0.1, 0), transparent},
		{"intervals at NaN", intervals, nan, transparent},
		{"category", categories, 0.1, red},
		{"another category", categories, 0.7, green},
		{"no category", categories, math.Nextafter32(0.7, 1), transparent},
		{"unused category", categories, 16777216, blue},
		{"categories at NaN", categories, nan, transparent},
		{"stops", stops, 0.0005, stops.At(float64(float32(0.0005)))},
		{"the last stop", stops, 1, blue},
		{"stops at NaN", stops, nan, transparent},
		{"ramp", grays(), 12.6, Color{13, 13, 13, 255}},
		{"ramp at NaN", grays(), nan, transparent},
	}
	for _, test := range tests {
		var pixel [4]uint8
		NewLookup[float32](test.m).Colors(pixel[:], []float32{test.sample})
		if got := pixelAt(pixel[:], 0); got != test.want {
			t.Errorf("%s: got %v at %v, want %v", test.name, got, test.sample, test.want)
		}
	}
}

// TestFloat32EqualsFloat64 uses bounds that both types represent exactly.
func TestFloat32EqualsFloat64(t *testing.T) {
	for _, name := range []string{"ramp", "two stops", "intervals"} {
		m := awkwardMaps(t)[name]
		l := NewLookup[float32](m)
		for _, v := range samplesOf(m) {
			sample := float32(v)
			var pixel [4]uint8
			l.Colors(pixel[:], []float32{sample})
			if got, want := pixelAt(pixel[:], 0), m.At(float64(sample)); got != want {
				t.Errorf("%s at %v: got %v, want %v", name, sample, got, want)
			}
		}
	}
}

// TestBoundsOutsideFloat32 uses bounds that no float32 is near.
func TestBoundsOutsideFloat32(t *testing.T) {
	m := mustNew(t, Intervals, Entry{Low: -1e300, High: 0, Color: red}, Entry{Low: 0, High: 1e300, Color: green})
	samples := []float32{-math.MaxFloat32, -1, 0, 1, math.MaxFloat32}
	pixels := make([]uint8, 4*len(samples))
	NewLookup[float32](m).Colors(pixels, samples)
	want := []Color{red, red, green, green, green}
	for i, sample := range samples {
		if got := pixelAt(pixels, i); got != want[i] {
			t.Errorf("at %v: got %v, want %v", sample, got, want[i])
		}
	}
}

func TestColorsOfNoSamples(t *testing.T) {
	for name, m := range awkwardMaps(t) {
		pixels := []uint8{1, 2, 3, 4}
		NewLookup[float64](m).Colors(pixels, nil)
		if !slices.Equal(pixels, []uint8{1, 2, 3, 4}) {
			t.Errorf("%s: got %v", name, pixels)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	const n = 256 * 256
	random := rand.New(rand.NewPCG(3, 4))
	terrain := make([]float32, n) // changes slowly, as adjacent samples of heights do
	height := 512.0
	for i := range terrain {
		height = min(max(height+random.NormFloat64()*4, -20), 1044)
		terrain[i] = float32(height)
	}
	noise := make([]float32, n)
	for i := range noise {
		noise[i] = float32(random.IntN(MaxEntries))
	}
	entries := func(count int) (entries []Entry) {
		width := float64(MaxEntries / count)
		for i := range count {
			entries = append(entries, Entry{Low: float64(i) * width, High: float64(i+1) * width, Color: Color{uint8(i), 1, 2, 255}})
		}
		return entries
	}
	pixels := make([]uint8, 4*n)
	for _, kind := range []Kind{Ramp, Stops, Intervals, Categories} {
		for _, count := range []int{8, MaxEntries} {
			m := grays()
			if kind != Ramp {
				m = mustNew(b, kind, entries(count)...)
			}
			for name, samples := range map[string][]float32{"terrain": terrain, "noise": noise} {
				b.Run(fmt.Sprintf("%v/%d/%s", kind, count, name), func(b *testing.B) {
					l := NewLookup[float32](m)
					b.SetBytes(n)
					b.ReportAllocs()
					for b.Loop() {
						l.Colors(pixels, samples)
					}
				})
			}
		}
	}
}

func BenchmarkNewLookup(b *testing.B) {
	m := awkwardMaps(b)["intervals"]
	b.ReportAllocs()
	for b.Loop() {
		NewLookup[float32](m)
	}
}

func pixelAt(pixels []uint8, i int) Color {
	return Color{pixels[4*i], pixels[4*i+1], pixels[4*i+2], pixels[4*i+3]}
}
