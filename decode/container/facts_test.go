package container

import (
	"encoding/json"
	"math"
	"testing"
)

func TestNonFiniteNumbersInJSON(t *testing.T) {
	for _, test := range []struct {
		number float64
		want   string
	}{
		{math.NaN(), `"nan"`}, {math.Inf(1), `"inf"`}, {math.Inf(-1), `"-inf"`}, {-9999, "-9999"}, {0.5, "0.5"}, {1e300, "1e+300"},
	} {
		got, err := json.Marshal(Number(test.number))
		if err != nil || string(got) != test.want {
			t.Errorf("%v: got %s and %v, want %s", test.number, got, err, test.want)
		}
	}
}

func TestLongRunsAreCounted(t *testing.T) {
	for want, words := range map[string][]string{
		"":                             nil,
		"gray":                         {"gray"},
		"red, red, red, red, blue":     {"red", "red", "red", "red", "blue"},
		"5 times red, blue, red":       {"red", "red", "red", "red", "red", "blue", "red"},
		"1 level, 2 levels, 0 levels":  {Counted(1, "level"), Counted(2, "level"), Counted(0, "level")},
		"20.5, 1000000000000000000000": {Plain(20.5), Plain(1e21)},
	} {
		if got := InRuns(words); got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}
