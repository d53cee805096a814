package components

import (
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
)

// Reading the headers of tiles reserves memory first: more for more layers, tiles and components,
// within the limits.
func TestEstimates(t *testing.T) {
	limits := Limits{Packets: packets.DefaultLimits()}
	of := func(side, layers, count int) estimates {
		m := codestreamtest.Header{
			Image: wavelet.Rect{X1: side, Y1: side}, Components: jp2ktest.Components(count, 8), Steps: codestreamtest.ReversibleSteps(8, 5),
			Coding: codestreamtest.Coding{Levels: 5, Layers: layers, BlockWidthLog2: 6, BlockHeightLog2: 6},
		}
		o := open(t, codestreamtest.Codestream(m, codestreamtest.TilePart{}), nil)
		return estimatesOf(o.header, limits)
	}
	const blocks = 16 * 16 * 4 / 3
	const each = 12 + 2 // a record, and the number of packets that were read of its precinct
	for _, test := range []struct {
		name                string
		side, layers, count int
		scan                int64
	}{
		{"one layer", 1024, 1, 1, each * blocks},
		{"eleven layers", 1024, 11, 1, (each + 10*14) * blocks},
		{"three components", 1024, 1, 3, 3 * each * blocks},
		{"beyond the limit of blocks", 1 << 30, 1, 3, each * int64(limits.Packets.Blocks)},
		{"beyond both limits", 1 << 30, 100, 1, each*int64(limits.Packets.Blocks) + int64(limits.Packets.NoteBytes)},
	} {
		got := of(test.side, test.layers, test.count)
		if got.scan != test.scan {
			t.Errorf("%s: a scan takes %d bytes, want %d", test.name, got.scan, test.scan)
		}
		if one := of(64, 1, 1).headers - tileBytes; got.headers != tileBytes+int64(test.count)*one {
			t.Errorf("%s: headers take %d bytes", test.name, got.headers)
		}
	}
}

func TestTileReadersReserveMemory(t *testing.T) {
	in := cache.NewBudget(64 << 20)
	o := open(t, jp2ktest.TinyTiles().Codestream(), func(c *Config) {
		c.Pool = pool.New(pool.Config{Workers: 2, Budget: in})
	})
	for _, test := range []struct{ tiles, readers int64 }{{3, 3}, {100, maxTileReaders}} {
		release, err := o.reserveTileReaders(t.Context(), int(test.tiles))
		if err != nil {
			t.Fatal(err)
		}
		if want := test.tiles*o.estimates.headers + test.readers*o.estimates.scan + o.src.Size(); in.InUse() != want {
			t.Errorf("%d tiles: %d bytes are reserved, want %d", test.tiles, in.InUse(), want)
		}
		release()
	}
	release, err := o.reserveTileReaders(t.Context(), 1<<30)
	if err != nil || in.InUse() != in.Max() {
		t.Fatalf("more than the budget: %d bytes are reserved: %v", in.InUse(), err)
	}
	release()
}

// The source data of an index is released after it was built; the data of a packet map is kept.
func TestReleasedDataOfTiles(t *testing.T) {
	small := jp2ktest.Wide()
	small.Image, small.Lengths = wavelet.Rect{X1: 100, Y1: 80}, true
	large := jp2ktest.Wide()
	large.Image, large.Lengths, large.Sample = wavelet.Rect{X1: 500, Y1: 350}, true, jp2ktest.Noise
	for _, test := range []struct {
		name      string
		image     jp2ktest.Image
		packetMap bool
	}{{"a small tile", small, false}, {"a large one", large, true}} {
		o := open(t, test.image.Codestream(), nil)
		tiles, err := o.tiles(t.Context(), []int{0})
		if err != nil {
			t.Fatal(err)
		}
		if got := tiles[0]; (got.packetMap != nil) != test.packetMap || (got.index != nil) == test.packetMap || (got.PacketLengths != nil) != test.packetMap {
			t.Errorf("%s: located is %v, with an index %v, and %d lengths are kept", test.name, got.packetMap != nil, got.index != nil, len(got.PacketLengths))
		}
	}
}
