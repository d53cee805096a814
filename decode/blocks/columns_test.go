package blocks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// TestColumnsAreThoseOfTheBlock decodes ranges of columns with a layout that ends at the range, and
// compares them with the whole row.
func TestColumnsAreThoseOfTheBlock(t *testing.T) {
	const width = 101
	for _, l := range []Layout{
		{Samples: 3, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor},
		{Samples: 1, Type: raster.Uint16, Bits: 16, BigEndian: true, Predictor: HorizontalPredictor},
		{Samples: 4, Type: raster.Float32, Bits: 32},
		{Samples: 1, Type: raster.Uint8, Bits: 1},
		{Samples: 2, Type: raster.Uint8, Bits: 4, LowBitFirst: true},
		{Samples: 3, Type: raster.Uint16, Bits: 12},
		{Samples: 2, Type: raster.Complex128, Bits: 128},
	} {
		l.Width = width
		name := fmt.Sprintf("%d samples of %d-bit %v", l.Samples, l.Bits, l.Type)
		if !HasColumns(None, &l) {
			t.Errorf("%s: has no columns", name)
			continue
		}
		stored := make([]byte, l.RowBytes())
		random := rand.New(rand.NewPCG(1, uint64(l.Bits)))
		for i := range stored {
			stored[i] = byte(random.Uint32())
		}
		samples := []int{l.Samples - 1, 0}
		whole := raster.NewBuffer(l.Type, width, 1, 2)
		mustDecode(t, name, &Job{Layout: &l, Source: stored, Rows: 1, Target: whole, Samples: samples})

		const first, second, end = 8, 37, 64
		narrow := l
		narrow.Width = end
		a, b := raster.NewBuffer(l.Type, 20, 1, 2), raster.NewBuffer(l.Type, end-second, 1, 2)
		mustDecode(t, name, &Job{
			Layout: &narrow, Source: stored, Rows: 1, Target: a, Samples: samples,
			Column: first, OtherColumns: []Columns{{second, b}},
		})
		for band := range 2 {
			size := l.Type.Size()
			if got, want := a.Plane(band), whole.Plane(band)[first*size:(first+20)*size]; string(got) != string(want) {
				t.Errorf("%s, band %d from column %d on: %x, want %x", name, band, first, got, want)
			}
			if got, want := b.Plane(band), whole.Plane(band)[second*size:end*size]; string(got) != string(want) {
				t.Errorf("%s, band %d from column %d on: %x, want %x", name, band, second, got, want)
			}
		}
	}
}

func mustDecode(t *testing.T, name string, job *Job) {
	t.Helper()
	if err := AllCodecs()[None].Decode(job); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestColumnsThatABlockDoesNotHave(t *testing.T) {
	plain := Layout{Width: 10, Samples: 1, Type: raster.Uint8, Bits: 8}
	float := Layout{Width: 10, Samples: 1, Type: raster.Float32, Bits: 32, Predictor: FloatPredictor}
	buffer := func(l *Layout, width, height int) *raster.Buffer { return raster.NewBuffer(l.Type, width, height, 1) }
	for name, job := range map[string]*Job{
		"over the right edge":         {Layout: &plain, Rows: 2, Target: buffer(&plain, 4, 1), Column: 7},
		"left of the block":           {Layout: &plain, Rows: 2, Target: buffer(&plain, 4, 1), Column: -1},
		"beside, over the edge":       {Layout: &plain, Rows: 2, Target: buffer(&plain, 4, 1), OtherColumns: []Columns{{7, buffer(&plain, 4, 1)}}},
		"beside, of other rows":       {Layout: &plain, Rows: 2, Target: buffer(&plain, 4, 1), OtherColumns: []Columns{{5, buffer(&plain, 4, 2)}}},
		"of samples that lie apart":   {Layout: &float, Rows: 2, Target: buffer(&float, 4, 1), Column: 1},
		"beside those that lie apart": {Layout: &float, Rows: 2, Target: buffer(&float, 4, 1), OtherColumns: []Columns{{1, buffer(&float, 4, 1)}}},
	} {
		job.Source, job.Samples = make([]byte, 100), []int{0}
		if err := AllCodecs()[None].Decode(job); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, c := range []Compression{Deflate, ZSTD, JPEG} {
		if HasColumns(c, &plain) {
			t.Errorf("%s has columns: its blocks can be verified only at their end", c)
		}
	}
}
