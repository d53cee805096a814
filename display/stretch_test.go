package display

import (
	"errors"
	"testing"
)

func TestParseStretch(t *testing.T) {
	tests := []struct {
		text string
		want Stretch
	}{
		{"", Stretch{}},
		{"auto", Stretch{}},
		{"none", Stretch{Kind: NoStretch}},
		{"minmax", Stretch{Kind: MinMax}},
		{"dra", Stretch{Kind: DynamicRange}},
		{"percentile", Stretch{Kind: Percentile, Low: 2, High: 98}},
		{"percentile:2,98", Stretch{Kind: Percentile, Low: 2, High: 98}},
		{"percentile:0.5,99.5", Stretch{Kind: Percentile, Low: 0.5, High: 99.5}},
		{"percentile:0,100", Stretch{Kind: Percentile, High: 100}},
		{"stddev", Stretch{Kind: Deviations, Count: 2}},
		{"stddev:2.5", Stretch{Kind: Deviations, Count: 2.5}},
	}
	for _, test := range tests {
		got, err := ParseStretch(test.text)
		if err != nil || got != test.want {
			t.Errorf("%q: got %+v and the error %v, want %+v", test.text, got, err, test.want)
		}
	}
	wrong := []string{
		"DRA", "linear", "none:1", "minmax:", "dra:2", ":1", "percentile:", "percentile:2", "percentile:2,98,3", "percentile:98,2",
		"percentile:-1,50", "percentile:5,101", "percentile:NaN,5", "percentile:a,b", "stddev:", "stddev:0", "stddev:-1", "stddev:NaN", "stddev:Inf", "stddev:2 ",
	}
	for _, text := range wrong {
		if got, err := ParseStretch(text); !errors.Is(err, ErrInvalidSpec) || got != (Stretch{}) {
			t.Errorf("%q: got %+v and the error %v, want none and %v", text, got, err, ErrInvalidSpec)
		}
	}
}

func FuzzParseStretch(f *testing.F) {
	for _, text := range []string{"", "auto", "none", "minmax", "dra", "percentile", "percentile:2,98", "percentile:1e-9,9.9e1", "stddev:2", "stddev:0x1p3", "stddev:-0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStretch(text)
		if err != nil {
			if !errors.Is(err, ErrInvalidSpec) {
				t.Errorf("%q: got the error %v, want %v", text, err, ErrInvalidSpec)
			}
			return
		}
		if again, err := ParseStretch(s.String()); err != nil || again != s || again.String() != s.String() {
			t.Errorf("%q is %v, which parses as %+v with the error %v", text, s, again, err)
		}
		if s.canonical() != s {
			t.Errorf("%q has numbers that it does not use: %+v", text, s)
		}
	})
}
