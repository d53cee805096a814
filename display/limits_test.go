package display

import (
	"errors"
	"math"
	"testing"

	"tileserver/display/picture"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// histogramOf returns the statistics of samples from 0 on, given the count of each.
func histogramOf(counts ...uint64) *statistics.Band {
	h := statistics.Histogram{Width: 1, Counts: counts, Exact: true}
	b := &statistics.Band{Max: float64(len(counts) - 1), Histogram: h}
	var sum, squares float64
	for i, n := range counts {
		b.Count += n
		sum += float64(n) * float64(i)
		squares += float64(n) * float64(i*i)
	}
	b.Mean = sum / float64(b.Count)
	b.StdDev = math.Sqrt(squares/float64(b.Count) - b.Mean*b.Mean)
	b.Total = b.Count
	return b
}

// uniform returns statistics in which each value from 0 to 1000 is equally frequent.
func uniform() *statistics.Band {
	counts := make([]uint64, 1001)
	for i := range counts {
		counts[i] = 3
	}
	return histogramOf(counts...)
}

func isNear(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func TestLimits(t *testing.T) {
	spike := make([]uint64, 1001)
	spike[0], spike[500], spike[1000] = 1, 998, 1
	middle := make([]uint64, 1001)
	middle[0], middle[400], middle[500], middle[1000] = 1, 500, 500, 1
	deviation := math.Sqrt((1001*1001 - 1) / 12.0)
	tests := []struct {
		name string
		s    Stretch
		band *statistics.Band
		want Range
	}{
		{"min and max", Stretch{Kind: MinMax}, uniform(), Range{0, 1000}},
		{"percentiles", Stretch{Kind: Percentile, Low: 10, High: 75}, uniform(), Range{100, 750}},
		{"all percentiles", Stretch{Kind: Percentile, High: 100}, uniform(), Range{0, 1000}},
		{"dynamic range within min and max", Stretch{Kind: DynamicRange}, uniform(), Range{0, 1000}},
		{"dynamic range", Stretch{Kind: DynamicRange}, histogramOf(middle...), Range{400 - 20, 500 + 40}},
		{"deviations", Stretch{Kind: Deviations, Count: 1}, uniform(), Range{500 - deviation, 500 + deviation}},
		{"deviations within min and max", Stretch{Kind: Deviations, Count: 9}, uniform(), Range{0, 1000}},
		{"nearly flat", Stretch{Kind: DynamicRange}, histogramOf(spike...), Range{0, 1000}},
		{"flat", Stretch{Kind: DynamicRange}, histogramOf(0, 0, 7), Range{2, 2}},
		{"extremes", Stretch{Kind: MinMax}, &statistics.Band{Count: 2, Min: -math.MaxFloat64, Max: math.MaxFloat64}, Range{-math.MaxFloat64 / 2, math.MaxFloat64 / 2}},
	}
	for _, test := range tests {
		if test.name == "flat" {
			test.band.Min = 2
		}
		if got := test.s.limits(test.band); !isNear(got.Low, test.want.Low, 1e-9) || !isNear(got.High, test.want.High, 1e-9) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestFlatBandsAreGray(t *testing.T) {
	for _, dataType := range allTypes {
		for name, band := range map[string]statistics.Band{"flat": {Count: 9, Min: 40, Max: 40}, "no valid sample": {}} {
			r, err := Spec{Stretch: Stretch{Kind: MinMax}}.Resolve(infoOf(dataType, 1))
			if err != nil {
				t.Fatal(err)
			}
			c, err := Compile(r, &statistics.Dataset{Bands: []statistics.Band{band}})
			if err != nil {
				t.Fatal(err)
			}
			t.Run(dataType.String()+" "+name, func(t *testing.T) {
				wantPicture(t, mustRender(t, c, tileOf(dataType, []float64{40, 7, 99}).Freeze()), picture.Gray, 127, 127, 127)
			})
		}
	}
}

func TestCompileNeedsStatisticsOfItsBands(t *testing.T) {
	r, err := Spec{Bands: []int{1}}.Resolve(infoOf(raster.Uint16, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, statistics := range []*statistics.Dataset{nil, {}, {Bands: []statistics.Band{{Band: 0}}}} {
		if _, err := Compile(r, statistics); !errors.Is(err, ErrNoStatistics) {
			t.Errorf("given %+v: got the error %v, want %v", statistics, err, ErrNoStatistics)
		}
	}
}

// TestChainKeyDependsOnRanges reaches the same black and white in two ways.
func TestChainKeyDependsOnRanges(t *testing.T) {
	info := infoOf(raster.Uint16, 1)
	r, err := Spec{}.Resolve(info)
	if err != nil {
		t.Fatal(err)
	}
	first, err := Compile(r, &statistics.Dataset{Bands: []statistics.Band{*uniform()}})
	if err != nil {
		t.Fatal(err)
	}
	if second := chainOf(t, Spec{Rescale: []Range{{0, 1000}}}, info); first.Key() != second.Key() {
		t.Errorf("got the keys %q and %q", first.Key(), second.Key())
	}
	other, err := Compile(r, &statistics.Dataset{Bands: []statistics.Band{*histogramOf(1, 2, 3, 4)}})
	if err != nil {
		t.Fatal(err)
	}
	if other.Key() == first.Key() {
		t.Errorf("different statistics have the same key %q", other.Key())
	}
}

func TestInvertedGrayStretch(t *testing.T) {
	info := dataset(raster.Uint16, "w")
	keys := map[string]bool{}
	for inverted, want := range map[bool][]uint8{false: {0, 51, 255}, true: {255, 204, 0}} {
		info.Inverted = inverted
		r, err := Spec{Stretch: Stretch{Kind: MinMax}}.Resolve(info)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compile(r, &statistics.Dataset{Bands: []statistics.Band{*uniform()}})
		if err != nil {
			t.Fatal(err)
		}
		wantPicture(t, mustRender(t, c, tileOf(raster.Uint16, []float64{0, 200, 1000}).Freeze()), picture.Gray, want...)
		keys[r.Key()], keys[c.Key()] = true, true
	}
	if len(keys) != 4 {
		t.Errorf("got the keys %v", keys)
	}
}
