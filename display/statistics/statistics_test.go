package statistics

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

var allTypes = []raster.DataType{
	raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32, raster.Uint64, raster.Int64, raster.Float32, raster.Float64,
}

// unevenField returns a function of samples that differ from block to block. Some are invalid.
func unevenField(t raster.DataType) func(level, band, x, y int) (float64, bool) {
	return func(_, band, x, y int) (float64, bool) {
		v := float64((x*x+3*y*y+x*y*7+band*11)%251 - 30)
		if t.IsFloat() {
			v /= 4
			if (x+y)%97 == 5 {
				v = math.Inf(1 - 2*(x%2))
			}
		}
		return v, (x*5+y*3+band)%13 != 0
	}
}

// sortedSamples returns the samples that count, sorted.
func sortedSamples(p *rastertest.Synthetic, band int) []float64 {
	var samples []float64
	l := p.Has.Levels[0]
	for y := range l.Height {
		for x := range l.Width {
			v, valid := p.Sample(0, band, x, y)
			b := raster.NewBuffer(p.Has.Type, 1, 1, 1)
			b.Fill(0, v)
			v, _ = b.Freeze().At(0, 0, 0)
			if valid && isFinite(v) {
				samples = append(samples, v)
			}
		}
	}
	slices.Sort(samples)
	return samples
}

func mustCompute(t *testing.T, p raster.Provider, bands []int) *Dataset {
	t.Helper()
	s, err := Compute(context.Background(), p, bands, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func isNear(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func TestStatisticsAgainstAllSamples(t *testing.T) {
	for _, dataType := range allTypes {
		t.Run(dataType.String(), func(t *testing.T) {
			p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(dataType, 203, 117, 3, 64, 32), Sample: unevenField(dataType)}
			s := mustCompute(t, p, []int{2, 0, 2})
			if len(s.Bands) != 2 || s.Bands[0].Band != 0 || s.Bands[1].Band != 2 {
				t.Fatalf("got the bands %+v", s.Bands)
			}
			for i := range s.Bands {
				compareWithSamples(t, &s.Bands[i], sortedSamples(p, s.Bands[i].Band), dataType.IsFloat())
			}
		})
	}
}

func compareWithSamples(t *testing.T, got *Band, want []float64, binned bool) {
	t.Helper()
	if got.Count != uint64(len(want)) || got.Total != 203*117 {
		t.Errorf("counted %d of %d, want %d of %d", got.Count, got.Total, len(want), 203*117)
	}
	first, last := want[0], want[len(want)-1]
	if got.Min != first || got.Max != last {
		t.Errorf("got %v to %v, want %v to %v", got.Min, got.Max, first, last)
	}
	var sum, squares float64
	for _, v := range want {
		sum += v
	}
	mean := sum / float64(len(want))
	for _, v := range want {
		squares += (v - mean) * (v - mean)
	}
	if deviation := math.Sqrt(squares / float64(len(want))); !isNear(got.Mean, mean, 1e-9) || !isNear(got.StdDev, deviation, 1e-9) {
		t.Errorf("got %v ± %v, want %v ± %v", got.Mean, got.StdDev, mean, deviation)
	}
	tolerance := 0.0
	if binned {
		tolerance = (last - first) / fineBins
	}
	for _, percent := range []float64{0, 0.01, 1, 2, 25, 50, 98, 99.99, 100} {
		rank := max(int(math.Ceil(percent*float64(len(want))/100)), 1)
		if v := got.Percentile(percent); !isNear(v, want[rank-1], tolerance) {
			t.Errorf("got %v as the percentile %v, want %v", v, percent, want[rank-1])
		}
	}
}

func TestWideIntegersAreBinned(t *testing.T) {
	p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Int32, 300, 200, 1, 64, 64),
		Sample: func(_, _, x, y int) (float64, bool) { return float64((x*200+y)*30000 - 900000000), true }}
	b := mustCompute(t, p, nil).Bands[0]
	if b.Histogram.Exact || b.Min != -900000000 || b.Max != 59999*30000-900000000 {
		t.Errorf("got %v to %v, counted exactly: %v", b.Min, b.Max, b.Histogram.Exact)
	}
	if got, want := b.Percentile(25), 0.25*60000*30000-900000000; !isNear(got, want, 60000*30000/fineBins) {
		t.Errorf("got the quartile %v, want %v", got, want)
	}
}

// TestOutliersDoNotWidenTheBins has an undeclared nodata value in a few pixels.
func TestOutliersDoNotWidenTheBins(t *testing.T) {
	p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Float32, 500, 400, 1, 128, 128),
		Sample: func(_, _, x, y int) (float64, bool) {
			if x == 7 && y%8 == 0 {
				return -math.MaxFloat32, true
			}
			return 1000 + float64(y*500+x)/200000, true
		}}
	b := mustCompute(t, p, nil).Bands[0]
	if b.Min != -math.MaxFloat32 {
		t.Errorf("got the minimum %v", b.Min)
	}
	for _, percent := range []float64{2, 50, 98} {
		if got, want := b.Percentile(percent), 1000+percent/100; !isNear(got, want, 0.001) {
			t.Errorf("got %v as the percentile %v, want %v", got, percent, want)
		}
	}
}

func TestStatisticsWithoutSamples(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Float32} {
		p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(dataType, 20, 10, 1, 16, 16),
			Sample: func(int, int, int, int) (float64, bool) { return 5, false }}
		s := mustCompute(t, p, nil)
		if want := (Band{Total: 200}); !reflect.DeepEqual(s.Bands[0], want) {
			t.Errorf("got %+v, want %+v", s.Bands[0], want)
		}
	}
}

func TestTransparentPixelsDoNotCount(t *testing.T) {
	info := rastertest.Flat(raster.Uint16, 40, 30, 3, 16, 16)
	info.Bands[1].Color = raster.Alpha
	p := &rastertest.Synthetic{Name: "s", Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		if band == 1 {
			return map[bool]float64{true: 512}[x < 10], true
		}
		return float64(x + band), y != 0
	}}
	s := mustCompute(t, p, []int{0, 2})
	for i, want := range []float64{9, 11} {
		if b := s.Bands[i]; b.Count != 290 || b.Max != want {
			t.Errorf("band %d: got %d samples up to %v, want 290 up to %v", b.Band+1, b.Count, b.Max, want)
		}
	}
	all := mustCompute(t, p, nil)
	if b := all.Bands[1]; b.Count != 1200 || b.Min != 0 || b.Max != 512 {
		t.Errorf("of the opacity band: got %d samples from %v to %v", b.Count, b.Min, b.Max)
	}
	if !reflect.DeepEqual(all.Bands[0], s.Bands[0]) {
		t.Error("the statistics of a band depend on the other bands requested")
	}
}

func TestReadsOnlyNeededBandsOnce(t *testing.T) {
	for dataType, passes := range map[raster.DataType]int{raster.Uint16: 1, raster.Float32: 1} {
		p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(dataType, 100, 100, 8, 32, 32), Sample: unevenField(dataType)}
		mustCompute(t, p, []int{1, 6})
		if p.PlanesMade() != 16*2*passes {
			t.Errorf("%v: %d planes were read, want %d", dataType, p.PlanesMade(), 32*passes)
		}
	}
}

func TestManyBandsAreReadInGroups(t *testing.T) {
	p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 9, 7, 40, 8, 8), Sample: unevenField(raster.Uint8)}
	s := mustCompute(t, p, nil)
	if len(s.Bands) != 40 || s.Bands[39].Band != 39 || p.Calls() != 3 {
		t.Errorf("%d bands in %d calls", len(s.Bands), p.Calls())
	}
}

func TestStatisticsErrors(t *testing.T) {
	p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 9, 7, 2, 8, 8), Sample: unevenField(raster.Uint8)}
	if _, err := Compute(context.Background(), p, []int{2}, Options{}); !errors.Is(err, raster.ErrNoSuchBlock) {
		t.Errorf("band 3 of 2: got the error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compute(ctx, p, nil, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got the error %v", err)
	}
	broken := errors.New("broken")
	p.Before = func(context.Context, int, []raster.BlockID, []int) error { return broken }
	if s, err := Compute(context.Background(), p, nil, Options{}); !errors.Is(err, broken) || s != nil {
		t.Errorf("a provider that fails: got %v and the error %v", s, err)
	}
}

func TestStatisticsSurviveGob(t *testing.T) {
	p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Float64, 50, 50, 2, 32, 32), Sample: unevenField(raster.Float64)}
	s := mustCompute(t, p, nil)
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(s); err != nil {
		t.Fatal(err)
	}
	var again Dataset
	if err := gob.NewDecoder(&file).Decode(&again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*s, again) {
		t.Error("they changed in the round trip")
	}
}

func TestReport(t *testing.T) {
	p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 10, 20, 2, 16, 16),
		Sample: func(_, band, x, y int) (float64, bool) { return float64(y * 10), band == 0 && x < 5 }}
	text, err := json.Marshal(mustCompute(t, p, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"b1":{"min":0,"max":190,"mean":95,"std":57.66281297335398,"median":90,"percentile_2":0,"percentile_98":190,` +
		`"count":100,"valid_pixels":100,"masked_pixels":100,"valid_percent":50,` +
		`"histogram":[[10,10,10,10,10,10,10,10,10,10],[0,19,38,57,76,95,114,133,152,171,190]]},` +
		`"b2":{"min":null,"max":null,"mean":null,"std":null,"median":null,"percentile_2":null,"percentile_98":null,` +
		`"count":0,"valid_pixels":0,"masked_pixels":200,"valid_percent":0,"histogram":null}}`
	var gotValue, wantValue any
	if err := errors.Join(json.Unmarshal(text, &gotValue), json.Unmarshal([]byte(want), &wantValue)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(gotValue, wantValue) {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

func TestReportBins(t *testing.T) {
	p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 16, 16, 1, 16, 16),
		Sample: func(_, _, x, y int) (float64, bool) { return float64(16*y + x), true }}
	taken := mustCompute(t, p, nil)
	for asked, want := range map[int]int{-1: 1, 0: 1, 1: 1, 7: 7, MaxReportBins: MaxReportBins, MaxReportBins + 1: MaxReportBins} {
		text, err := json.Marshal(taken.Report(asked))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]struct{ Histogram [2][]float64 }
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		counts, edges := got["b1"].Histogram[0], got["b1"].Histogram[1]
		sum := 0.0
		for _, count := range counts {
			sum += count
		}
		if len(counts) != want || len(edges) != want+1 || sum != 256 || edges[0] != 0 || edges[want] != 255 {
			t.Errorf("%d bins requested: got %v, %v", asked, counts, edges)
		}
	}
}

func TestProgressAscends(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Float32} {
		p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(dataType, 90, 70, 20, 32, 32), Sample: unevenField(dataType)}
		last, calls := 0.0, 0
		if _, err := Compute(context.Background(), p, nil, Options{Progress: func(part float64) {
			if !(part > last) {
				t.Fatalf("%v: %v after %v", dataType, part, last)
			}
			last, calls = part, calls+1
		}}); err != nil {
			t.Fatal(err)
		}
		if want := 9 * 2 * map[bool]int{true: 2, false: 1}[dataType.IsFloat()]; last != 1 || calls != want {
			t.Errorf("%v: %d calls up to %v, want %d up to 1", dataType, calls, last, want)
		}
	}
}
