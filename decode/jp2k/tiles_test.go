package jp2k

import (
	"testing"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/packets"
	"tileserver/raster"
)

// tinyTiles is of a tile for each two pixels.
func tinyTiles() jp2ktest.Image {
	return jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: codestream.Rect{X1: 600, Y1: 1}, FirstTile: codestream.Rect{X1: 2, Y1: 1},
			Components: components(5, 8), Steps: codestreamtest.ReversibleSteps(8, 1), Coding: codestreamtest.Coding{Levels: 1},
		},
		Sample: pattern(8),
	}
}

// Where the headers of tiles, which lie in patches of 256 and 44, take more memory than may be in flight, a few of them are read at a time.
func TestManyTilesAreReadInParts(t *testing.T) {
	m := tinyTiles()
	data := m.Codestream()
	const blocksOfATile = 2
	for _, test := range []struct{ tilesAtATime, calls int }{{300, 1}, {256, 2}, {255, 3}, {20, 16 + 4}} {
		o := open(t, data, nil)
		o.file.config.BatchBytes = int64(test.tilesAtATime) * o.file.about.headers
		tile, err := o.Window(t.Context(), 0, o.Info().Levels[0].Bounds(), []int{1})
		if err != nil {
			t.Fatal(err)
		}
		for x := range tile.Width() {
			if got, validity := tile.At(0, x, 0); got != float64(m.Sample(1, x, 0)) || validity == raster.Invalid {
				t.Fatalf("%d tiles at a time: pixel %d is %v", test.tilesAtATime, x, got)
			}
		}
		calls := 0
		for _, ranges := range o.src.Calls() {
			if len(ranges) > 1 { // of code-blocks
				calls++
			}
			if most := blocksOfATile * test.tilesAtATime; len(ranges) > most {
				t.Errorf("%d tiles at a time: %d code-blocks were read together", test.tilesAtATime, len(ranges))
			}
		}
		if calls != test.calls {
			t.Errorf("%d tiles at a time: code-blocks were read in %d calls, want %d", test.tilesAtATime, calls, test.calls)
		}
	}
}

// What finding out takes is taken from the budget first: more for more layers, tiles and components, and no more
// than the limits allow.
func TestEstimates(t *testing.T) {
	limits := Limits{Packets: packets.DefaultLimits()}
	of := func(side, layers, count int) estimates {
		m := codestreamtest.Header{
			Image: codestream.Rect{X1: side, Y1: side}, Components: components(count, 8), Steps: codestreamtest.ReversibleSteps(8, 5),
			Coding: codestreamtest.Coding{Levels: 5, Layers: layers, BlockWidthLog2: 6, BlockHeightLog2: 6},
		}
		o := open(t, codestreamtest.Codestream(m, codestreamtest.TilePart{}), nil)
		return estimatesOf(o.file.header, limits)
	}
	const blocks = 16 * 16 * 4 / 3
	const each = 12 + 2 // a record, and how many packets of its precinct were read
	for _, test := range []struct {
		name                string
		side, layers, count int
		walk                int64
	}{
		{"one layer", 1024, 1, 1, each * blocks},
		{"eleven layers", 1024, 11, 1, (each + 10*14) * blocks},
		{"three components", 1024, 1, 3, 3 * each * blocks},
		{"beyond the limit of blocks", 1 << 30, 1, 3, each * int64(limits.Packets.Blocks)},
		{"beyond both limits", 1 << 30, 100, 1, each*int64(limits.Packets.Blocks) + int64(limits.Packets.NoteBytes)},
	} {
		got := of(test.side, test.layers, test.count)
		if got.walk != test.walk {
			t.Errorf("%s: walking takes %d bytes, want %d", test.name, got.walk, test.walk)
		}
		if one := of(64, 1, 1).headers - tileBytes; got.headers != tileBytes+int64(test.count)*one {
			t.Errorf("%s: headers take %d bytes", test.name, got.headers)
		}
	}
}

func TestFindingOutIsReserved(t *testing.T) {
	in := cache.NewBudget(64 << 20)
	o := open(t, tinyTiles().Codestream(), func(c *Config) {
		c.Pool = decode.NewPool(decode.PoolConfig{Workers: 2, Budget: in})
	})
	for _, test := range []struct{ tiles, readers int64 }{{3, 3}, {100, mostPasses}} {
		release, err := o.file.reservePasses(t.Context(), int(test.tiles))
		if err != nil {
			t.Fatal(err)
		}
		if want := test.tiles*o.file.about.headers + test.readers*o.file.about.walk + o.src.Size(); in.InUse() != want {
			t.Errorf("%d tiles: %d bytes are reserved, want %d", test.tiles, in.InUse(), want)
		}
		release()
	}
	release, err := o.file.reservePasses(t.Context(), 1<<30)
	if err != nil || in.InUse() != in.Max() {
		t.Fatalf("of more than there is, %d bytes are reserved: %v", in.InUse(), err)
	}
	release()
}

// What an index was made of is given up with it, and what packets are located by is not.
func TestWhatIsKeptOfATile(t *testing.T) {
	small := wideImage()
	small.Image, small.Lengths = codestream.Rect{X1: 100, Y1: 80}, true
	large := wideImage()
	large.Lengths, large.Sample = true, noise
	for _, test := range []struct {
		name    string
		image   jp2ktest.Image
		located bool
	}{{"a small tile", small, false}, {"a large one", large, true}} {
		o := open(t, test.image.Codestream(), nil)
		tiles, err := o.file.tiles(t.Context(), []int{0})
		if err != nil {
			t.Fatal(err)
		}
		if got := tiles[0]; (got.located != nil) != test.located || (got.index != nil) == test.located || (got.PacketLengths != nil) != test.located {
			t.Errorf("%s: located is %v, with an index %v, and %d lengths are kept", test.name, got.located != nil, got.index != nil, len(got.PacketLengths))
		}
	}
}
