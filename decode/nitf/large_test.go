package nitf

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
	"tileserver/source/local"
)

// countingSource counts the bytes that are read.
type countingSource struct {
	source.Source
	bytes atomic.Int64
}

func (s *countingSource) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	for _, r := range ranges {
		s.bytes.Add(r.Length)
	}
	return s.Source.ReadRanges(ctx, ranges)
}

// openCounting opens a file on disk and counts what is read of it.
func openCounting(t *testing.T, path string) (*File, *countingSource) {
	t.Helper()
	s, err := local.Store{}.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	counting := &countingSource{Source: s}
	f, err := Open(t.Context(), counting, Config{Pool: pool.New(pool.Config{Workers: 2}), Key: "key"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, counting
}

// A block of a large image costs no more than one of a small image, wherever it is in the file.
func TestLargeFiles(t *testing.T) {
	const width, height, x, y = 60_000, 80_000, 51_234, 79_123
	for _, mode := range modes {
		bands := int64(1)
		large := nitftest.Image{Width: width, Height: height, Mode: mode, Data: []byte{0}, Length: width * height}
		if mode != "B" {
			bands, large.Bands, large.Representation = 2, make([]nitftest.Band, 2), "MULTI"
			large.Length *= 2
		}
		path := filepath.Join(t.TempDir(), "large.ntf")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		begins, err := nitftest.File{Images: []nitftest.Image{large, large}}.WriteSparse(file)
		if err != nil {
			skipWithoutSparseFiles(t, err)
		}
		at := int64(y)*width + x
		switch mode {
		case "P":
			at *= bands
		case "R":
			at = y*bands*width + x
		}
		if _, err := file.WriteAt([]byte{201}, begins[1]+at); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		f, counting := openCounting(t, path)
		m := f.Images()[1]
		if opened := counting.bytes.Load(); opened > 64<<10 {
			t.Errorf("mode %s: opening reads %d bytes", mode, opened)
		}
		l := m.Info().Levels[0]
		id := raster.BlockID{Col: x / l.BlockWidth, Row: y / l.BlockHeight}
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{id}, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := tiles[0].At(0, x%l.BlockWidth, y%l.BlockHeight); v != 201 {
			t.Errorf("mode %s: the pixel is %v, want 201", mode, v)
		}
		if read := counting.bytes.Load(); read > 1<<20 {
			t.Errorf("mode %s: a block reads %d bytes", mode, read)
		}
	}
}

// The offsets of a mask have 32 bits. One that cannot reach all blocks is refused, since blocks would be
// taken from elsewhere; one that is not needed to find them is not.
func TestMasksOfLargeImages(t *testing.T) {
	const side, columns = 1 << 10, 1 << 6
	for _, test := range []struct {
		rows    int
		missing func(column, row, band int) bool
		invalid func(x, y int) bool
		want    bool
	}{
		{64, func(int, int, int) bool { return false }, nil, true}, {65, func(int, int, int) bool { return false }, nil, false}, {65, nil, func(int, int) bool { return true }, true},
	} {
		image := nitftest.Image{
			Width: columns * side, Height: test.rows * side, BlockWidth: side, BlockHeight: side, Compression: "NM",
			Missing: test.missing, Invalid: test.invalid, Pad: 1, Data: []byte{0}, Length: columns * test.rows * side * side,
		}
		path := filepath.Join(t.TempDir(), "masked.ntf")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (nitftest.File{Images: []nitftest.Image{image}}).WriteSparse(file); err != nil {
			skipWithoutSparseFiles(t, err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		f, _ := openCounting(t, path)
		if err := f.Images()[0].Unsupported(); (err == nil) != test.want || err != nil && !strings.Contains(err.Error(), "offsets of 32 bits") {
			t.Errorf("%d rows of blocks: %v", test.rows, err)
		}
	}
}

// An image of very many bands is described and read band by band, in little memory.
func TestManyBands(t *testing.T) {
	const count = 70_000
	data := nitftest.File{Images: []nitftest.Image{{Width: 6, Height: 4, Mode: "S", Representation: "MULTI", Bands: make([]nitftest.Band, count), Value: noise}}}.Bytes()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := open(t, data).Images()[0]
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{count - 1, 12_345})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	for i, band := range []int{count - 1, 12_345} {
		if v, _ := tiles[0].At(i, 3, 2); v != noise(3, 2, band) {
			t.Errorf("band %d is %v, want %v", band, v, noise(3, 2, band))
		}
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 100<<20 {
		t.Errorf("%d bytes were allocated", taken)
	}
}

// Blocks of many bands that lie pixel by pixel are small, so that each can be read, and a few of them
// in little memory.
func TestManyBandsByPixel(t *testing.T) {
	for _, bands := range []int{5, 40, 500, 3000} {
		image := nitftest.Image{Width: 1200, Height: 600, Mode: "P", Representation: "MULTI", Bits: 16, Bands: make([]nitftest.Band, bands)}
		image.Data, image.Length = []byte{0}, image.Width*image.Height*bands*2
		path := filepath.Join(t.TempDir(), "bands.ntf")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		begins, err := nitftest.File{Images: []nitftest.Image{image}}.WriteSparse(file)
		if err != nil {
			skipWithoutSparseFiles(t, err)
		}
		const x, y = 1199, 599
		if _, err := file.WriteAt([]byte{1, 2}, begins[0]+int64((y*image.Width+x)*bands+bands-1)*2); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		f, counting := openCounting(t, path)
		m := f.Images()[0]
		if err := m.Unsupported(); err != nil {
			t.Errorf("%d bands: %v", bands, err)
			continue
		}
		opened := counting.bytes.Load()
		l := m.Info().Levels[0]
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: x / l.BlockWidth, Row: y / l.BlockHeight}}, []int{0, bands - 1})
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := tiles[0].At(1, x%l.BlockWidth, y%l.BlockHeight); v != 258 {
			t.Errorf("%d bands: the pixel is %v, want 258", bands, v)
		}
		if read := counting.bytes.Load() - opened; read > 4<<20 {
			t.Errorf("%d bands: a block reads %d bytes", bands, read)
		}
	}
}

// skipWithoutSparseFiles skips a test on file systems that cannot hold its file, but fails it in CI.
func skipWithoutSparseFiles(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	t.Skipf("SKIPPED, NO SPARSE FILES: %v", err)
}
