package jp2k

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// smallShared caches almost nothing.
func smallShared() *components.Shared { return components.NewShared(cache.New(20<<10), 4<<10) }

var wideCodestream = sync.OnceValue(func() []byte { return jp2ktest.Wide().Codestream() })

// A block reads the code-blocks of its window and margins only, in one read. Its neighbor reads
// only those that the two do not share.
func TestBlocksReadTheirCodeBlocks(t *testing.T) {
	o := open(t, wideCodestream(), nil)
	blocks(t, o, 3, []raster.BlockID{{}}, nil) // loads the packet index
	before := o.src.Counts()
	decoded := o.shared.Stats().Decoded
	count := func(what string, want int64, ask func()) {
		t.Helper()
		ask()
		now := o.shared.Stats().Decoded
		if got := now - decoded; got != want {
			t.Errorf("%s: %d code-blocks were decoded, want %d", what, got, want)
		}
		decoded = now
	}
	first := []raster.BlockID{{Col: 4, Row: 4}}
	// In each direction, the window needs low samples 128 to 160 and high samples 127 to 160 of the
	// finest bands: two and three code-blocks of 32. On the next level it needs 64 to 80 and 63 to
	// 80, one and two code-blocks; on the next, 32 to 40 and 31 to 40, as many. The lowest band is
	// cached.
	const each = (2*3 + 3*2 + 3*3) + (1*2 + 2*1 + 2*2) + (1*2 + 2*1 + 2*2)
	count("one band", each, func() { blocks(t, o, 0, first, []int{1}) })
	after := o.src.Counts()
	if got := after.Calls - before.Calls; got != 1 {
		t.Errorf("%d reads, want 1", got)
	}
	if got := after.Bytes - before.Bytes; got > int64(len(wideCodestream()))/20 {
		t.Errorf("%d bytes were read of %d", got, len(wideCodestream()))
	}
	count("again", 0, func() { blocks(t, o, 0, first, []int{1}) })
	count("the other band", each, func() { blocks(t, o, 0, first, []int{0}) })
	// One more column of code-blocks in the two finest levels.
	count("a neighbor", (2+3+3)+(1+2+2), func() { blocks(t, o, 0, []raster.BlockID{{Col: 5, Row: 4}}, []int{1}) })
	if got := o.src.Counts().Calls - after.Calls; got != 2 {
		t.Errorf("%d more reads, want 2", got)
	}
	window := func(rect raster.Rect) func() {
		return func() {
			if _, err := o.Window(t.Context(), 0, rect, []int{1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	count("a window of the two", 0, window(raster.Rect{X0: 300, Y0: 260, X1: 350, Y1: 310}))
	// Samples 279 to 285 of the finest bands, 139 to 143 and 69 to 72 of the next, and 70 to 72 of
	// the lowest, in one code-block of each band.
	count("a window of few code-blocks", 3+3+3+1, window(raster.Rect{X0: 560, Y0: 560, X1: 570, Y1: 570}))
}

// Components that were transformed together are decoded together, others separately.
func TestTransformedComponentsAreDecodedTogether(t *testing.T) {
	m := jp2ktest.Wide()
	m.Components, m.Steps = jp2ktest.Components(4, 8), codestreamtest.ReversibleSteps(9, 1)
	m.Image = wavelet.Rect{X1: 60, Y1: 60}
	m.Coding = codestreamtest.Coding{Levels: 1, MultipleComponentTransform: true}
	for _, test := range []struct {
		bands []int
		want  int64 // number of code-blocks, four of each component
	}{{[]int{0}, 12}, {[]int{2, 1}, 12}, {[]int{3}, 4}, {nil, 16}} {
		o := open(t, m.Codestream(), nil)
		blocks(t, o, 0, []raster.BlockID{{}}, test.bands)
		if got := o.shared.Stats().Decoded; got != test.want {
			t.Errorf("bands %v took %d code-blocks, want %d", test.bands, got, test.want)
		}
	}
}

// With packet lengths, only the headers of the needed packets are read.
func TestPacketMap(t *testing.T) {
	m := jp2ktest.Wide()
	m.Components = jp2ktest.Components(1, 8)
	m.Lengths, m.Sample = true, jp2ktest.Noise
	m.Coding.Precincts = []codestreamtest.Precinct{{WidthLog2: 7, HeightLog2: 7}, {WidthLog2: 7, HeightLog2: 7}, {WidthLog2: 7, HeightLog2: 7}, {WidthLog2: 7, HeightLog2: 7}}
	data := m.Codestream()
	if len(data) < 512<<10 {
		t.Fatalf("only %d bytes", len(data))
	}
	o := open(t, data, nil)
	id := raster.BlockID{Col: 9, Row: 7}
	tile := blocks(t, o, 0, []raster.BlockID{id}, nil)[0]
	if counts := o.src.Counts(); counts.Bytes > int64(len(data))/2 || counts.Calls > 6 {
		t.Errorf("%d bytes of %d were read in %d calls", counts.Bytes, len(data), counts.Calls)
	}
	r := o.Info().Levels[0].Block(id)
	for at := range tile.Width() * tile.Height() {
		x, y := at%tile.Width(), at/tile.Width()
		if got, _ := tile.At(0, x, y); got != float64(m.Sample(0, r.X0+x, r.Y0+y)) {
			t.Fatalf("pixel %d,%d is %v", r.X0+x, r.Y0+y, got)
		}
	}
}

// Half of the passes make a blurred image, under a key of its own.
func TestLayers(t *testing.T) {
	m := jp2ktest.RGB()
	data := m.Codestream()
	all := open(t, data, func(c *Config) { c.Key = "scene" })
	some := open(t, data, func(c *Config) { c.Key, c.Layers, c.Shared = "scene", 2, all.shared })
	same := open(t, data, func(c *Config) { c.Key, c.Layers, c.Shared = "scene", 3, all.shared })
	if all.Key() == some.Key() || !strings.HasPrefix(some.Key(), "scene") {
		t.Errorf("the keys are %q and %q", all.Key(), some.Key())
	}
	id := []raster.BlockID{{Col: 1, Row: 1}}
	want, blurred, again := blocks(t, all, 0, id, nil)[0], blocks(t, some, 0, id, nil)[0], blocks(t, same, 0, id, nil)[0]
	if !want.SamePixels(again) {
		t.Error("all layers by their number are other pixels")
	}
	sum, different := 0., 0
	for at := range want.Width() * want.Height() {
		a, _ := want.At(1, at%want.Width(), at/want.Width())
		b, _ := blurred.At(1, at%want.Width(), at/want.Width())
		sum += (a - b) * (a - b)
		if a != b {
			different++
		}
	}
	if mean := sum / float64(want.Width()*want.Height()); different == 0 || mean > 1000 {
		t.Errorf("two layers of three are off by %v in %d pixels", mean, different)
	}
}

func TestSourceErrorsPassThrough(t *testing.T) {
	data := jp2ktest.RGB().Codestream()
	broken := errors.New("the disk is on fire")
	for call := 1; ; call++ {
		o := open(t, data, nil)
		opening := o.src.Counts().Calls
		o.src.FailCall(opening+call, broken)
		_, err := o.Blocks(t.Context(), 0, []raster.BlockID{{Col: 1, Row: 1}}, nil)
		if err == nil {
			if call < 3 {
				t.Errorf("only %d reads, want those of headers and of code-blocks", call-1)
			}
			break
		}
		if !errors.Is(err, broken) {
			t.Errorf("read %d: got %v, want %v", call, err, broken)
		}
		if tile := blocks(t, o, 0, []raster.BlockID{{Col: 1, Row: 1}}, nil)[0]; tile.AllValid() != true {
			t.Errorf("read %d: the next try gave no pixels", call)
		}
	}
	o := open(t, data, nil)
	o.src.Replace(data)
	if _, err := o.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); !errors.Is(err, raster.ErrChanged) || !errors.Is(err, source.ErrChanged) {
		t.Errorf("got %v, want %v", err, raster.ErrChanged)
	}
}

func TestCanceledWhileReading(t *testing.T) {
	o := open(t, wideCodestream(), nil)
	release := o.src.Hold()
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := o.Blocks(ctx, 0, []raster.BlockID{{}}, nil)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// A large request is split into batches that fit into the budget.
func TestLargeRequestsAreSplit(t *testing.T) {
	const budget = 4 << 20
	in := cache.NewBudget(budget)
	o := open(t, wideCodestream(), func(c *Config) {
		c.Pool = pool.New(pool.Config{Workers: 2, Budget: in})
	})
	l := o.Info().Levels[0]
	want := wholeLevel(t, o.Image, 0)
	tile, err := o.Window(t.Context(), 0, l.Bounds(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for id, block := range want.tiles {
		r := l.Block(id)
		for at := range block.Width() * block.Height() {
			x, y := at%block.Width(), at/block.Width()
			got, _ := tile.At(1, r.X0+x, r.Y0+y)
			if value, _ := block.At(1, x, y); got != value {
				t.Fatalf("pixel %d,%d is %v in the window and %v in its block", r.X0+x, r.Y0+y, got, value)
			}
		}
	}
	if in.InUse() != 0 {
		t.Errorf("%d bytes were not given back", in.InUse())
	}
}
