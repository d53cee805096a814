package wrap_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

// fewBits has 37 by 23 pixels of two bands with few bits.
func fewBits(bits int) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, 37, 23, 2, 16, 8)
	info.Bits = bits
	return &rastertest.Synthetic{Name: "scan@1", Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		return float64((3*x + 5*y + band) % (1 << bits)), band == 1 || (x+y)%5 != 0
	}}
}

func TestSpreadPassesTheSuite(t *testing.T) {
	for bits := 1; bits < 8; bits++ {
		t.Run(fmt.Sprint(bits), func(t *testing.T) {
			stored := fewBits(bits).Sample
			rastertest.Suite{
				Open: func(*testing.T) raster.Provider { return wrap.Spread(fewBits(bits)) },
				Want: func(level, band, x, y int) (float64, bool) {
					v, valid := stored(level, band, x, y)
					return math.Floor(v*255/(math.Ldexp(1, bits)-1) + 0.5), valid
				},
			}.Run(t)
		})
	}
}

func TestSpreadAdjustsBands(t *testing.T) {
	source := fewBits(4)
	source.Has.Pad = 2
	source.Has.Bands = []raster.Band{
		{Name: "a", NoData: 15, HasNoData: true, Scale: 34, Offset: 1, Stored: &raster.StoredStatistics{Min: 1, Max: 14, Mean: 7.5, StdDev: 2}},
		{Name: "b", NoData: 255, HasNoData: true},
	}
	s := wrap.Spread(source)
	info := s.Info()
	if info.Bits != 0 || info.Spread != 17 || info.Pad != 34 || s.Key() == source.Key() {
		t.Errorf("%d bits spread by %v, padded by %v, under the key %q", info.Bits, info.Spread, info.Pad, s.Key())
	}
	a, b := info.Bands[0], info.Bands[1]
	if a.NoData != 255 || !a.HasNoData || a.Scale != 2 || a.Offset != 1 || *a.Stored != (raster.StoredStatistics{Min: 17, Max: 238, Mean: 127.5, StdDev: 34}) {
		t.Errorf("the first band is %+v with %+v", a, a.Stored)
	}
	if b.HasNoData {
		t.Errorf("a sample that four bits do not hold became %v", b.NoData)
	}
	if source.Has.Bands[0].NoData != 15 || source.Has.Bands[0].Stored.Max != 14 {
		t.Error("the info of the source was written")
	}
}

func TestSpreadLeavesOtherSamples(t *testing.T) {
	for name, change := range map[string]func(*raster.Info){
		"eight bits":    func(i *raster.Info) { i.Bits = 0 },
		"twelve of 16":  func(i *raster.Info) { i.Type, i.Bits = raster.Uint16, 12 },
		"signed":        func(i *raster.Info) { i.Type = raster.Int8 },
		"a palette":     func(i *raster.Info) { i.Bands[0].Color = raster.PaletteIndex },
		"names":         func(i *raster.Info) { i.Bands[1].Categories = []string{"water"} },
		"other colours": func(i *raster.Info) { i.Colors.Space = raster.CMYK },
	} {
		source := fewBits(4)
		change(&source.Has)
		if p := wrap.Spread(source); p != raster.Provider(source) {
			t.Errorf("%s: it is spread", name)
		}
	}
}

func TestSpreadIsSparse(t *testing.T) {
	source := sparse{fewBits(1), raster.Rect{X1: 20, Y1: 23}}
	s, ok := wrap.Spread(source).(raster.SparseProvider)
	if !ok {
		t.Fatal("it is not a SparseProvider")
	}
	for x, want := range map[int]bool{0: false, 19: false, 20: true} {
		if got, err := s.Empty(context.Background(), 0, raster.Rect{X0: x, X1: 37, Y1: 23}); err != nil || got != want {
			t.Errorf("from column %d on it is empty: %v, %v, want %v", x, got, err, want)
		}
	}
}

func BenchmarkSpread(b *testing.B) {
	for _, bits := range []int{1, 3} {
		b.Run(fmt.Sprint(bits), func(b *testing.B) {
			info := rastertest.Flat(raster.Uint8, 512, 512, 1, 512, 512)
			info.Bits = bits
			s := wrap.Spread(bytesOf(info, func(at int) byte { return byte((at % 512 * (at / 512)) % (1 << bits)) }))
			b.SetBytes(512 * 512)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Blocks(context.Background(), 0, []raster.BlockID{{}}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestSpreadPassesCapabilitiesOn(t *testing.T) {
	rastertest.CheckWrapper(t, fewBits(3), wrap.Spread, rastertest.StoredPictures)
}
