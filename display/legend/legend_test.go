package legend

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tileserver/display/colormap"
)

// TestSizes draws all kinds of legends at many sizes, including sizes without room for content.
func TestSizes(t *testing.T) {
	for _, g := range goldens(t) {
		for _, width := range []int{-1, 0, 1, 7, 17, 64, 1000, MaxSide + 1} {
			for _, height := range []int{-1, 0, 1, 9, 31, 300} {
				for _, vertical := range []bool{false, true} {
					o := Options{Width: width, Height: height, Vertical: vertical}
					p := Draw(&g.legend, o)
					if width > 0 && p.Width != min(width, MaxSide) || height > 0 && p.Height != height {
						t.Errorf("%s: got %dx%d, want %dx%d", g.name, p.Width, p.Height, width, height)
					}
					if p.Width < 1 || p.Height < 1 || p.Stride != 4*p.Width || len(p.Pix) != p.Stride*p.Height {
						t.Errorf("%s %v: %dx%d, a row every %d of %d bytes", g.name, o, p.Width, p.Height, p.Stride, len(p.Pix))
					}
				}
			}
		}
	}
}

// TestInvalidLimits draws bars whose limits are equal, not finite or extreme.
func TestInvalidLimits(t *testing.T) {
	limits := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, 1e15, 1e15 + 1, 1e16, 1e16 + 2, math.Nextafter(1, 2)}
	viridis := namedMap(t, "viridis")
	for _, low := range limits {
		for _, high := range limits {
			for _, vertical := range []bool{false, true} {
				p := Draw(&Legend{Map: viridis, Low: low, High: high}, Options{Vertical: vertical})
				if p.Width < naturalBarThickness || p.Height < naturalBarThickness || p.Width > MaxSide {
					t.Errorf("%v to %v: %dx%d", low, high, p.Width, p.Height)
				}
			}
		}
	}
}

func TestMaxEntries(t *testing.T) {
	m := categories(t, colormap.MaxEntries)
	for _, o := range []Options{{}, {Width: 500}, {Height: 50}, {Width: 100, Height: 100}, {Width: MaxSide, Height: MaxSide}} {
		p := Draw(&Legend{Title: strings.Repeat("Title ", 2000), Map: m}, o)
		if p.Width > MaxSide || p.Height > MaxSide {
			t.Errorf("%v: %dx%d", o, p.Width, p.Height)
		}
	}
}

func TestDrawIsDeterministic(t *testing.T) {
	for _, g := range goldens(t) {
		if !bytes.Equal(Draw(&g.legend, g.options).Pix, Draw(&g.legend, g.options).Pix) {
			t.Errorf("%s is drawn differently the second time", g.name)
		}
	}
}

func TestEntries(t *testing.T) {
	tests := []struct {
		name   string
		legend Legend
		first  string
		count  int
	}{
		{"ramp", Legend{Map: namedMap(t, "gray"), Low: -5, High: 5}, `{"value":-5,"color":"#000000ff"}`, 256},
		{"ramp without numbers", Legend{Map: namedMap(t, "gray"), Low: math.NaN()}, `{"color":"#000000ff"}`, 256},
		{"ramp of unknown range", Legend{Map: namedMap(t, "gray")}, `{"color":"#000000ff"}`, 256},
		{"stops", Legend{Map: parseMap(t, `[[0,"red"],[9,"#fff8"]]`, "")}, `{"value":0,"color":"#ff0000ff"}`, 2},
		{"named stops", Legend{Map: parseMap(t, `[[0,"red","sea"],[9,"#fff8"]]`, "")}, `{"value":0,"label":"sea","color":"#ff0000ff"}`, 2},
		{"intervals", Legend{Map: parseMap(t, `[[[0.5,9],"red"]]`, "")}, `{"low":0.5,"high":9,"label":"0.5 to 9","color":"#ff0000ff"}`, 1},
		{"named intervals", Legend{Map: parseMap(t, `[[[0,9],"red","few"]]`, "")}, `{"low":0,"high":9,"label":"few","color":"#ff0000ff"}`, 1},
		{"categories", Legend{Map: parseMap(t, `{"3":"#0000"}`, "")}, `{"value":3,"label":"3","color":"#00000000"}`, 1},
		{"named categories", Legend{Map: parseMap(t, `{"3":{"color":"red","label":"水"}}`, "")}, `{"value":3,"label":"水","color":"#ff0000ff"}`, 1},
	}
	for _, test := range tests {
		entries := test.legend.Entries()
		if len(entries) != test.count {
			t.Errorf("%s: got %d entries, want %d", test.name, len(entries), test.count)
		}
		got, err := json.Marshal(entries[0])
		if err != nil || string(got) != test.first {
			t.Errorf("%s: got %s, %v, want %s", test.name, got, err, test.first)
		}
	}
}

func TestEntriesOfARampReachItsLimits(t *testing.T) {
	l := Legend{Map: namedMap(t, "gray"), Low: 0.1, High: 0.7}
	entries := l.Entries()
	if first, last := *entries[0].Value, *entries[255].Value; first != 0.1 || last != 0.7 {
		t.Errorf("got %v to %v", first, last)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, g := range goldens(b) {
		b.Run(g.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Draw(&g.legend, g.options)
			}
		})
	}
}
