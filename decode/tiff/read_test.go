package tiff

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"tileserver/cache"
	"tileserver/decode/pool"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// countingSource records reads, and may fail.
type countingSource struct {
	source.Source
	mutex sync.Mutex
	calls [][]source.Range // guarded by mutex
	fail  error            // guarded by mutex
}

func (s *countingSource) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	s.mutex.Lock()
	s.calls = append(s.calls, slices.Clone(ranges))
	fail := s.fail
	s.mutex.Unlock()
	if fail != nil {
		return nil, fail
	}
	return s.Source.ReadRanges(ctx, ranges)
}

func (s *countingSource) taken() [][]source.Range {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

func openCounting(t *testing.T, f tifftest.File, config Config) (*File, *countingSource) {
	t.Helper()
	src := &countingSource{Source: source.NewBytes("test", encode(t, f))}
	if config.Pool == nil {
		config.Pool = testPool()
	}
	opened, err := Open(t.Context(), src, config)
	if err != nil {
		t.Fatal(err)
	}
	return opened, src
}

func TestReads(t *testing.T) {
	f, src := openCounting(t, tifftest.File{COG: true, Images: scene(true)}, Config{})
	if n := len(src.taken()); n > 2 {
		t.Errorf("opening a COG took %d reads, want at most 2", n)
	}
	m := f.Images()[0]
	blocks := func(ids ...raster.BlockID) [][]source.Range {
		t.Helper()
		if _, err := m.Blocks(t.Context(), 0, ids, nil); err != nil {
			t.Fatal(err)
		}
		return src.taken()
	}
	if calls := blocks(raster.BlockID{}); len(calls) != 1 {
		t.Errorf("the first block took %d reads, want 1: the index is small and has been read", len(calls))
	}
	if calls := blocks(raster.BlockID{}, raster.BlockID{Col: 1}, raster.BlockID{Col: 2, Row: 2}); len(calls) != 1 {
		t.Errorf("three blocks took %d reads, want 1", len(calls))
	} else if want := 3 + 2 + 2 + 2*2; len(calls[0]) != want {
		t.Errorf("three blocks took %d ranges, want %d: 3 of pixels, and each of the mask's once", len(calls[0]), want)
	}
	if calls := blocks(); len(calls) != 0 {
		t.Errorf("no blocks took the reads %v", calls)
	}
}

// TestScatteredDirectories reads directories that lie far apart, each with a span of its own.
func TestScatteredDirectories(t *testing.T) {
	var images []tifftest.Image
	for number := range 20 {
		images = append(images, flat(400, 300, float64(number)))
	}
	file := tifftest.File{Images: images}
	f, src := openCounting(t, file, Config{})
	calls := src.taken()
	if len(calls) > 1+2*len(images) {
		t.Errorf("%d images took %d reads to open", len(images), len(calls))
	}
	total := int64(0)
	for _, call := range calls {
		total += call[0].Length
	}
	if size := f.src.Size(); total > size {
		t.Errorf("opening read %d bytes of a file of %d", total, size)
	}
	for number, m := range f.Images() {
		checkLevel(t, m, 0, func(int, int, int) float64 { return float64(number) }, 0)
	}
	config := Config{Pool: testPool(), Limits: Limits{HeaderBytes: total - 1}}
	if _, err := Open(t.Context(), source.NewBytes("test", encode(t, file)), config); !errors.Is(err, ErrLimit) {
		t.Errorf("with a limit below the needed bytes: got %v, want %v", err, ErrLimit)
	}
}

// manyBlocks returns an image whose block index is too large to be read at once.
func manyBlocks() tifftest.Image {
	img := flat(3200, 1600, 7)
	img.Tiled, img.BlockWidth, img.BlockHeight, img.Compression = true, 16, 16, tifftest.PackBits
	img.Sparse = func(column, row int) bool { return row > 0 }
	return img
}

func TestBandsOfPlanarFileAreReadApart(t *testing.T) {
	img := flat(40, 30, 0)
	img.Samples, img.Planar, img.Value = 4, true, func(_, _, band int) float64 { return float64(band) }
	f, src := openCounting(t, tifftest.File{Images: []tifftest.Image{img}}, Config{})
	src.taken()
	tiles, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{2})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := tiles[0].At(0, 0, 0); got != 2 {
		t.Errorf("got the samples %v, want those of the third band", got)
	}
	calls := src.taken()
	if last := calls[len(calls)-1]; len(last) != 1 || last[0].Length != 40*30 {
		t.Errorf("read %v, want the one block of the band", last)
	}
}

// TestOneStrip reads some rows of a file that is one strip, and no others.
func TestOneStrip(t *testing.T) {
	value := func(x, y, band int) float64 { return float64((x + y*3 + band) % 256) }
	for _, planar := range []bool{false, true} {
		img := tifftest.Image{Width: 700, Height: 900, Samples: 3, Value: value, Planar: planar}
		f, src := openCounting(t, tifftest.File{Images: []tifftest.Image{img}}, Config{})
		m := f.Images()[0]
		if got := m.Description().BlockHeight; got != 900 {
			t.Errorf("a strip is said to have %d rows, want 900", got)
		}
		checkLevel(t, m, 0, value, 0)
		src.taken()
		if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Row: 1}}, nil); err != nil {
			t.Fatal(err)
		}
		total := int64(0)
		for _, r := range src.taken()[0] {
			total += r.Length
		}
		if total > 4*256<<10 {
			t.Errorf("planar %v: a block took %d bytes of %d", planar, total, 700*900*3)
		}
	}
}

// recordingBudget records reservations and can refuse them.
type recordingBudget struct {
	most, held, largest int64
	limit               int64
}

var errOverBudget = errors.New("over the budget")

func (b *recordingBudget) Acquire(_ context.Context, n int64) error {
	if b.limit > 0 && n > b.limit {
		return errOverBudget
	}
	b.held += n
	b.most, b.largest = max(b.most, b.held), max(b.largest, n)
	return nil
}

func (b *recordingBudget) Release(n int64) { b.held -= n }

func TestBatchesAndBudget(t *testing.T) {
	budget := &recordingBudget{}
	pool := pool.New(pool.Config{Workers: 1, Budget: budget})
	const batchBytes = 100_000
	f, src := openCounting(t, tifftest.File{Images: scene(false)}, Config{Pool: pool, BatchBytes: batchBytes})
	m := f.Images()[0]
	l := m.Info().Levels[0]
	src.taken()
	checkLevel(t, m, 0, func(x, y, band int) float64 { return sceneValue(0, band, x, y) }, 0)
	if calls := len(src.taken()); calls < 5 || calls > l.Columns()*l.Rows() {
		t.Errorf("%d blocks took %d reads", l.Columns()*l.Rows(), calls)
	}
	if budget.held != 0 || budget.largest > batchBytes || budget.largest == 0 {
		t.Errorf("%d bytes are still reserved; the largest batch took %d of %d", budget.held, budget.largest, batchBytes)
	}
	budget.limit = 1000
	_, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if !errors.Is(err, errOverBudget) || !strings.Contains(err.Error(), "reserving") {
		t.Errorf("a block above the budget: got %v, want %v", err, errOverBudget)
	}
}

func TestBatchesFitIntoASmallBudget(t *testing.T) {
	pool := pool.New(pool.Config{Workers: 1, Budget: cache.NewBudget(100_000)})
	f, _ := openCounting(t, tifftest.File{Images: scene(false)}, Config{Pool: pool})
	m := f.Images()[0]
	checkLevel(t, m, 0, func(x, y, band int) float64 { return sceneValue(0, band, x, y) }, 0)
}

// TestFailedReadsAreTriedAgain checks that the block index is cached and that errors are not.
func TestFailedReadsAreTriedAgain(t *testing.T) {
	f, src := openCounting(t, tifftest.File{Images: []tifftest.Image{manyBlocks()}}, Config{})
	m := f.Images()[0]
	src.fail = source.ErrChanged
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); !errors.Is(err, source.ErrChanged) || !errors.Is(err, raster.ErrChanged) {
		t.Errorf("got %v, want %v", err, source.ErrChanged)
	}
	src.fail = nil
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); err != nil {
		t.Errorf("after the source recovered: %v", err)
	}
}

func TestIndexIsReadOnce(t *testing.T) {
	f, src := openCounting(t, tifftest.File{Images: []tifftest.Image{manyBlocks()}}, Config{})
	m := f.Images()[0]
	src.taken()
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: 1}}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	if calls := len(src.taken()); calls != 1+8 {
		t.Errorf("8 requests took %d reads, want one of the index and 8 of pixels", calls)
	}
}

func TestWaitingForIndexCanBeLeft(t *testing.T) {
	src := sourcetest.NewFake(encode(t, tifftest.File{Images: []tifftest.Image{manyBlocks()}}))
	f, err := Open(t.Context(), src, Config{Pool: testPool()})
	if err != nil {
		t.Fatal(err)
	}
	m := f.Images()[0]
	release := src.Hold()
	first := make(chan error)
	go func() {
		_, err := m.Blocks(context.WithoutCancel(t.Context()), 0, []raster.BlockID{{}}, nil)
		first <- err
	}()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Blocks(ctx, 0, []raster.BlockID{{}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	release()
	if err := <-first; err != nil {
		t.Errorf("a waiting request: %v", err)
	}
}

func TestKeys(t *testing.T) {
	two := encode(t, tifftest.File{Images: []tifftest.Image{flat(4, 4, 1), flat(4, 4, 2)}})
	keys := map[string]bool{}
	for _, name := range []string{"a", "b"} {
		f, err := Open(t.Context(), source.NewBytes(name, two), Config{Pool: testPool()})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range f.Images() {
			keys[m.Key()] = true
		}
	}
	if len(keys) != 4 {
		t.Errorf("two images in two files have the keys %v", keys)
	}
	f, err := Open(t.Context(), source.NewBytes("a", two), Config{Pool: testPool(), Key: "scene@1"})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Images()[1].Key(); got != "scene@1:1" {
		t.Errorf("got the key %q, want scene@1:1", got)
	}
}

func TestOpenNeedsPool(t *testing.T) {
	if _, err := Open(t.Context(), source.NewBytes("a", nil), Config{}); err == nil {
		t.Error("opened without a pool")
	}
}

// BenchmarkBlocks reads four blocks of the kinds that are most common on maps.
func BenchmarkBlocks(b *testing.B) {
	img := tifftest.Image{
		Width: 2048, Height: 2048, Samples: 3, Value: wave(8, tifftest.Unsigned), Tiled: true, BlockWidth: 512, BlockHeight: 512,
	}
	deflate, zstd, jpeg := img, img, img
	deflate.Compression, deflate.Predictor = tifftest.Deflate, 2
	zstd.Compression, zstd.Predictor = tifftest.ZSTD, 2
	jpeg.Compression, jpeg.Photometric, jpeg.JPEG.Subsampled = tifftest.JPEGBlocks, tifftest.YCbCr, true
	for _, test := range []struct {
		name string
		img  tifftest.Image
	}{{"none", img}, {"deflate", deflate}, {"zstd", zstd}, {"jpeg", jpeg}} {
		b.Run(test.name, func(b *testing.B) {
			m := open(b, tifftest.File{Images: []tifftest.Image{test.img}}).Images()[0]
			ids := m.Info().Levels[0].Covering(raster.Rect{X0: 500, Y0: 500, X1: 520, Y1: 520})
			b.SetBytes(4 * 512 * 512 * 3)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Blocks(b.Context(), 0, ids, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
