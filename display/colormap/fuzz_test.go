package colormap

import (
	"errors"
	"slices"
	"testing"
)

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"0":"#e5f5f9","10":[153,216,201,255]}`, `[[[0,10],[1,2,3,4]],[[10,20],"#aabbcc","label"]]`,
		`[[0,"red"],[1000.5,"#fff8"]]`, `{"type":"stops","entries":[{"value":0,"color":"tan"},{"value":5,"color":"#fff"}]}`,
		`[{"low":-1,"high":2e3,"color":"red"}]`, `{"0":"red","255":{"color":"#000","label":"é"}}`, `[[`, `{"type":`, ` `,
	} {
		f.Add([]byte(seed), "")
		f.Add([]byte(seed), Linear)
	}
	f.Fuzz(func(t *testing.T, text []byte, kind string) {
		m, err := ParseJSON(text, kind)
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("%v is not of a known kind", err)
			}
			return
		}
		entries := m.Entries()
		if len(entries) == 0 || len(entries) > MaxEntries {
			t.Fatalf("%d entries", len(entries))
		}
		samples := []float64{0, 255}
		for _, e := range entries {
			samples = append(samples, e.Low, e.High, (e.Low+e.High)/2)
			if m.Kind() != Ramp && m.At(e.Low) != e.Color {
				t.Fatalf("%v at %v, want %v", m.At(e.Low), e.Low, e.Color)
			}
		}
		pixels := make([]uint8, 4*len(samples))
		NewLookup[float64](m).Colors(pixels, samples)
		for i, v := range samples {
			if got := pixelAt(pixels, i); got != m.At(v) {
				t.Fatalf("looked up %v at %v, want %v", got, v, m.At(v))
			}
		}
		if again, err := ParseJSON([]byte(jsonOf(m)), ""); len(text) < MaxTextBytes/2 && (err != nil || again.Key() != m.Key()) {
			t.Fatalf("%s is another map: %v", jsonOf(m), err)
		}
		if m.Kind() != Ramp {
			slices.Reverse(entries)
			if again, err := New(m.Kind(), entries); err != nil || again.Key() != m.Key() {
				t.Fatalf("the same entries in another order make a different map: %v", err)
			}
		}
	})
}
