package pyramid

import (
	"math"
	"slices"
	"testing"

	"tileserver/decode/georeference"
	"tileserver/decode/rpc"
	"tileserver/geo"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// numbered returns the numbers of a model that are all different.
func numbered(t *testing.T) ([]float64, *rpc.Model) {
	t.Helper()
	numbers := make([]float64, 92)
	for i := range numbers {
		numbers[i] = float64(i + 1)
	}
	m, err := rpc.FromNumbers("tag", numbers)
	if err != nil {
		t.Fatal(err)
	}
	return numbers, m
}

func TestRPCsAreWrittenAsTheyWereRead(t *testing.T) {
	numbers, m := numbered(t)
	if got := numbersOf(m); !slices.Equal(got, numbers) {
		t.Errorf("%v, want %v", got, numbers)
	}
}

// A model of a full image becomes that of a part of it: here of every second pixel from column 100 and row 40.
func TestRPCsOfAFullImageAreThoseOfItsPart(t *testing.T) {
	numbers, m := numbered(t)
	m.Chip = &geo.Affine{A: 2, C: 100, E: 2, F: 40}
	want := slices.Clone(numbers)
	want[2], want[3] = (3+.5-40)/2-.5, (4+.5-100)/2-.5 // offsets
	want[7], want[8] = 8./2, 9./2                      // scales
	if got := numbersOf(m); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got[:12], want[:12])
	}
	m.Chip = &geo.Affine{B: 1, D: 1}
	if got := numbersOf(m); got != nil {
		t.Errorf("a part that is turned has %v", got)
	}
}

func TestKeysAreThoseOfTheInputOrOfTheCode(t *testing.T) {
	tags := &georeference.GeoTIFF{Keys: []uint16{1, 1, 0, 1, 1024, 0, 1, 32767}, Doubles: []float64{7}, Text: "name|\x00"}
	g := tags.Georeference()
	place, note := placeOf(&g)
	if note != "" || !slices.Equal(place.Keys.Directory, tags.Keys) || place.Keys.Doubles[0] != 7 || place.Keys.ASCII != "name|" {
		t.Errorf("%+v, %q", place, note)
	}
	crs, err := geo.ByCode(32633)
	if err != nil {
		t.Fatal(err)
	}
	place, note = placeOf(&georeference.Georeference{CRS: crs})
	if keys := place.Keys.Directory; note != "" || keys[len(keys)-1] != 32633 {
		t.Errorf("%+v, %q", place, note)
	}
	if place, note := placeOf(&georeference.Georeference{}); place != nil || note != "" {
		t.Errorf("no place becomes %+v, %q", place, note)
	}
}

func TestFilesTellWhichPixelsHaveNoData(t *testing.T) {
	for _, test := range []struct {
		name                 string
		kind                 raster.DataType
		hasNoData            bool
		losesDetail, skips   bool
		wantMask, wantNoData bool
	}{
		{name: "bytes", kind: raster.Uint8},
		{name: "bytes, skipped", kind: raster.Uint8, skips: true, wantMask: true},
		{name: "nodata", kind: raster.Uint8, hasNoData: true, skips: true, wantNoData: true},
		{name: "nodata, JPEG", kind: raster.Uint8, hasNoData: true, losesDetail: true, wantMask: true},
		{name: "floats", kind: raster.Float32, skips: true, wantNoData: true},
	} {
		info := rastertest.Flat(test.kind, 10, 10, 1, 10, 10)
		info.Bands[0].HasNoData = test.hasNoData
		tellNoData(&info, test.losesDetail, test.skips)
		if info.Masked != test.wantMask || info.Bands[0].HasNoData != test.wantNoData {
			t.Errorf("%s: mask %v, nodata %v", test.name, info.Masked, info.Bands[0].HasNoData)
		}
		if test.kind.IsFloat() && !math.IsNaN(info.Bands[0].NoData) {
			t.Errorf("%s: nodata %v, want NaN", test.name, info.Bands[0].NoData)
		}
	}
}
