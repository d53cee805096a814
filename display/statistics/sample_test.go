package statistics

import (
	"context"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

var inf = math.Inf(1)

func level(width, height, blockWidth, blockHeight int) raster.Level {
	return raster.Level{Width: width, Height: height, BlockWidth: blockWidth, BlockHeight: blockHeight}
}

func TestSampleLevel(t *testing.T) {
	tests := []struct {
		name   string
		levels []raster.Level
		want   int
	}{
		{"one small", []raster.Level{level(10, 10, 10, 10)}, 0},
		{"finest is too small", []raster.Level{level(1000, 1000, 256, 256), level(500, 500, 256, 256)}, 0},
		{"exactly enough", []raster.Level{level(8192, 2048, 256, 256), level(2048, 512, 256, 256), level(1024, 256, 256, 256)}, 1},
		{"one pixel too few", []raster.Level{level(8192, 2048, 256, 256), level(2047, 512, 256, 256)}, 0},
		{"coarsest", []raster.Level{level(90000, 90000, 256, 256), level(45000, 45000, 256, 256)}, 1},
		{"more than 32 bits", []raster.Level{level(1<<20, 1<<20, 256, 256), level(1<<18, 1<<18, 256, 256), level(64, 64, 64, 64)}, 1},
	}
	for _, test := range tests {
		if got := sampleLevel(test.levels); got != test.want {
			t.Errorf("%s: got level %d, want %d", test.name, got, test.want)
		}
	}
}

func TestSpreadBlocks(t *testing.T) {
	tests := []struct {
		name                string
		level               raster.Level
		minPixels, maxShape float64 // number of sampled pixels, and how unequal the density may be
	}{
		{"square", level(100_000, 100_000, 1024, 1024), 0.5, 1.7},
		{"wide", level(400_000, 20_000, 1024, 1024), 0.5, 3},
		{"high", level(9_000, 500_000, 512, 512), 0.5, 2},
		{"strips", level(40_000, 60_000, 40_000, 8), 0.9, inf},
		{"columns", level(40_000, 60_000, 16, 60_000), 0.9, inf},
		{"small blocks", level(30_000, 30_000, 256, 256), 0.8, 1.2},
		{"slightly too many", level(4100, 4100, 1024, 1024), 0.2, 2},
		{"one block is enough", level(50_000, 50_000, 8192, 8192), 0, inf},
		{"one block", level(50_000, 50_000, 50_000, 50_000), 0, inf},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := test.level
			blocks := spreadBlocks(l, DefaultMaxPixels)
			columns, rows := map[int]bool{}, map[int]bool{}
			seen := map[raster.BlockID]bool{}
			for _, id := range blocks {
				if !l.Contains(id) || seen[id] {
					t.Fatalf("block %v is outside or duplicate", id)
				}
				seen[id], columns[id.Col], rows[id.Row] = true, true, true
			}
			if !seen[raster.BlockID{Col: l.Columns() / 2, Row: l.Rows() / 2}] {
				t.Error("the center is not sampled")
			}
			pixels := float64(len(blocks)) * float64(l.BlockWidth) * float64(l.BlockHeight)
			if len(blocks) > 1 && pixels > DefaultMaxPixels || pixels < test.minPixels*DefaultMaxPixels {
				t.Errorf("%v pixels in %d blocks", pixels, len(blocks))
			}
			across, down := float64(l.Width)/float64(len(columns)), float64(l.Height)/float64(len(rows))
			if shape := max(across/down, down/across); shape > test.maxShape {
				t.Errorf("a block in %v pixels across and in %v down", across, down)
			}
		})
	}
	if got := spreadBlocks(level(4096, 4096, 1024, 1024), DefaultMaxPixels); len(got) != 16 {
		t.Errorf("got %d of 16 blocks of a level that is small enough", len(got))
	}
}

// A repeatingProvider returns the same block for every request and records the requests.
type repeatingProvider struct {
	info  raster.Info
	block raster.Tile
	guard sync.Mutex
	asked [][]raster.BlockID
}

func (h *repeatingProvider) Key() string        { return "huge" }
func (h *repeatingProvider) Info() *raster.Info { return &h.info }

func (h *repeatingProvider) Blocks(_ context.Context, _ int, ids []raster.BlockID, _ []int) ([]raster.Tile, error) {
	h.guard.Lock()
	defer h.guard.Unlock()
	h.asked = append(h.asked, slices.Clone(ids))
	return slices.Repeat([]raster.Tile{h.block}, len(ids)), nil
}

func TestHugeDatasetsAreSampledInBatches(t *testing.T) {
	for dataType, passes := range map[raster.DataType]int{raster.Uint8: 1, raster.Float64: 2} {
		h := &repeatingProvider{info: rastertest.Flat(dataType, 200_000, 150_000, 1, 256, 256)}
		h.block = raster.NewBuffer(dataType, 256, 256, 1).Freeze()
		b := mustCompute(t, h, nil).Bands[0]
		if b.Count > DefaultMaxPixels || b.Count < DefaultMaxPixels/2 {
			t.Errorf("%v: read %d samples", dataType, b.Count)
		}
		blocks := 0
		for _, ids := range h.asked {
			blocks += len(ids)
			if raster.BufferBytes(dataType, 256, 256, len(ids)) > maxAheadBytes {
				t.Errorf("%v: %d blocks were requested at once", dataType, len(ids))
			}
		}
		if uint64(blocks)*256*256 != b.Count*uint64(passes) {
			t.Errorf("%v: %d blocks were read for %d samples", dataType, blocks, b.Count)
		}
	}
}

func TestStatisticsAreDeterministic(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint16, raster.Float32} {
		p := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(dataType, 400, 300, 3, 64, 64), Sample: unevenField(dataType)}
		want := mustCompute(t, p, nil)
		var wait sync.WaitGroup
		for range 6 {
			wait.Go(func() {
				got, err := Compute(context.Background(), p, []int{2, 1, 0}, Options{})
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%v: got different statistics, and the error %v", dataType, err)
				}
			})
		}
		wait.Wait()
	}
}

func TestLeadingBitsAscend(t *testing.T) {
	values := []float64{-math.MaxFloat64, -1e300, -3.5, -3, -1e-300, -5e-324, 0, 5e-324, 1e-300, 3, 3.5, 1e300, math.MaxFloat64}
	for i, v := range values {
		n := int(leading(v))
		if low, high := leadingValue(n), leadingValue(n+1); !(low <= v && v <= high) {
			t.Errorf("%v is not from %v to %v", v, low, high)
		}
		if i > 0 && leading(values[i-1]) > leading(v) {
			t.Errorf("%v comes before %v", v, values[i-1])
		}
	}
}

// Pictures of the whole are drawn from the level that statistics read, unless it is too large for that.
func TestOnlyLevelsTooLargeForPicturesAreReadInBulk(t *testing.T) {
	for side, want := range map[int]bool{64: false, 2048: false, 2049: true} {
		image := &rastertest.Synthetic{Name: "bulk@1", Has: rastertest.Flat(raster.Uint8, side, side, 1, side, side)}
		image.Sample = func(_, _, _, _ int) (float64, bool) { return 1, true }
		reads := 0
		image.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
			if reads++; raster.IsInBulk(ctx) != want {
				t.Errorf("%d x %d pixels: in bulk is %v", side, side, !want)
			}
			return nil
		}
		if _, err := Compute(t.Context(), image, nil, Options{}); err != nil || reads == 0 {
			t.Errorf("%d x %d pixels: %d reads and the error %v", side, side, reads, err)
		}
	}
}
