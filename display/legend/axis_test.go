package legend

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	tests := []struct {
		name      string
		low, high float64
		length    int
		want      string // labels by position
	}{
		{"a unit", 0, 1, 300, "0 0.2 0.4 0.6 0.8 1"},
		{"a unit with little room", 0, 1, 100, "0 0.5 1"},
		{"a unit with very little room", 0, 1, 30, "0 1"},
		{"a unit without room", 0, 1, 12, "0"},
		{"bytes", 0, 255, 300, "0 50 100 150 200 255"},
		{"turned", 255, 0, 300, "255 200 150 100 50 0"},
		{"across zero", -30, 20, 300, "-30 -20 -10 0 10 20"},
		{"crooked", -12.3456, 987.654, 300, "-12.3 200 400 600 800 987.7"},
		{"fractions", 0.301, 0.3072, 300, "0.301 0.304 0.3072"},
		{"large", 0, 4e9, 300, "0 1e9 2e9 3e9 4e9"},
		{"small", 0, 2e-12, 400, "0 5e-13 1e-12 1.5e-12 2e-12"},
		{"far from zero", 1e15, 1e15 + 4, 600, "1e15 1.000000000000002e15 1.000000000000004e15"},
		{"too far from zero", 1e18, 1e18 + 1024, 600, "1e18 1.000000000000001e18"},
		{"everything", -math.MaxFloat64, math.MaxFloat64, 400, "-1.7976931348623157e308 1.7976931348623157e308"},
		{"tiny", 0, math.SmallestNonzeroFloat64, 300, "0 5e-324"},
		{"one number", 7, 7, 300, ""},
		{"NaN", math.NaN(), 7, 300, ""},
		{"infinite", 0, math.Inf(1), 300, ""},
	}
	for _, test := range tests {
		a := &axis{low: test.low, high: test.high, first: 8, length: test.length,
			minLabel: 0, maxLabel: test.length + 16, gap: 8, extent: textWidth}
		if got := labelsOf(a.marks()); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func labelsOf(marks []mark) string {
	slices.SortFunc(marks, func(a, b mark) int { return a.at - b.at })
	var labels []string
	for _, m := range marks {
		if m.label != "" {
			labels = append(labels, m.label)
		}
	}
	return strings.Join(labels, " ")
}

// TestLabelsDoNotOverlap checks the positions of marks and labels at many bar lengths.
func TestLabelsDoNotOverlap(t *testing.T) {
	for length := 1; length < 700; length += 13 {
		for _, flipped := range []bool{false, true} {
			a := &axis{low: -17.5, high: 12345.6, first: 8, length: length, flipped: flipped,
				minLabel: 4, maxLabel: length + 12, gap: 8, extent: textWidth}
			var before *mark
			marks := a.marks()
			slices.SortFunc(marks, func(a, b mark) int { return a.labelStart - b.labelStart })
			for _, m := range marks {
				if m.at < 8 || m.at >= 8+length {
					t.Errorf("length %d: %q is at %d", length, m.label, m.at)
				}
				if m.label == "" {
					continue
				}
				if before != nil && m.labelStart < before.labelEnd(a)+a.gap {
					t.Errorf("length %d: %q and %q touch", length, before.label, m.label)
				}
				before = &m
			}
		}
	}
}

func TestPosition(t *testing.T) {
	tests := []struct {
		name string
		a    axis
		v    float64
		want int
	}{
		{"low", axis{low: 0, high: 10, first: 5, length: 101}, 0, 5},
		{"high", axis{low: 0, high: 10, first: 5, length: 101}, 10, 105},
		{"middle", axis{low: 0, high: 10, first: 5, length: 101}, 5, 55},
		{"turned", axis{low: 10, high: 0, first: 5, length: 101}, 10, 5},
		{"flipped low", axis{low: 0, high: 10, first: 5, length: 101, flipped: true}, 0, 105},
		{"flipped high", axis{low: 0, high: 10, first: 5, length: 101, flipped: true}, 10, 5},
		{"far apart", axis{low: -1e308, high: 1e308, first: 0, length: 101}, 0, 50},
		{"low of a tiny range", axis{low: 0, high: math.SmallestNonzeroFloat64, first: 5, length: 101}, 0, 5},
		{"high of a tiny range", axis{low: 0, high: math.SmallestNonzeroFloat64, first: 5, length: 101}, math.SmallestNonzeroFloat64, 105},
	}
	for _, test := range tests {
		if got := test.a.position(test.v); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

func TestFormatNumber(t *testing.T) {
	tests := []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {-1.5, "-1.5"}, {0.1, "0.1"}, {1234567, "1234567"}, {1e7, "1e7"}, {-2.5e10, "-2.5e10"},
		{1e-4, "0.0001"}, {1e-5, "1e-5"}, {-1.25e-10, "-1.25e-10"}, {1e300, "1e300"},
	}
	for _, test := range tests {
		if got := formatNumber(test.v); got != test.want {
			t.Errorf("%v: got %s, want %s", test.v, got, test.want)
		}
	}
}

func TestFormatLimit(t *testing.T) {
	tests := []struct {
		v, span float64
		want    string
	}{
		{3251.4, 3264, "3251"}, {0.12345, 1, "0.123"}, {-0.98765, 1.5, "-0.988"}, {1000.126, 0.5, "1000.126"},
		{0, 1, "0"}, {0.0004, 3000, "0.0004"}, {123456789, 123456789, "1.235e8"}, {99.996, 100, "100"},
	}
	for _, test := range tests {
		if got := formatLimit(test.v, test.span); got != test.want {
			t.Errorf("%v of %v: got %s, want %s", test.v, test.span, got, test.want)
		}
	}
}
