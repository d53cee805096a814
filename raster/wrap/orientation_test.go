package wrap_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

// shownAt returns the display position of a stored pixel, following the specification: where the
// stored first row and first column are shown.
func shownAt(orientation uint8, x, y, width, height int) (int, int) {
	fromRight, fromBottom := width-1-x, height-1-y
	switch orientation {
	case 2: // the first row is at the top, the first column at the right
		return fromRight, y
	case 3: // bottom, right
		return fromRight, fromBottom
	case 4: // bottom, left
		return x, fromBottom
	case 5: // left, top
		return y, x
	case 6: // right, top
		return fromBottom, x
	case 7: // right, bottom
		return fromBottom, fromRight
	case 8: // left, bottom
		return y, fromRight
	}
	return x, y
}

func orientedSource(t raster.DataType, orientation uint8, blockWidth, blockHeight int) *rastertest.Synthetic {
	info := rastertest.Flat(t, 37, 22, 3, blockWidth, blockHeight)
	info.Levels = append(info.Levels, raster.Level{Width: 19, Height: 11, BlockWidth: 8, BlockHeight: 4, ScaleX: 37.0 / 19, ScaleY: 2})
	info.Orientation = orientation
	return &rastertest.Synthetic{Name: "o@1", Has: info, Sample: func(level, band, x, y int) (float64, bool) {
		return float64((level*31 + band*57 + 5*x + 2*y) % 128), (x*y+x)%7 != 0 || band == 1
	}}
}

func TestOrientPassesTheSuite(t *testing.T) {
	for orientation := uint8(0); orientation <= 9; orientation++ {
		for _, block := range [][2]int{{16, 8}, {37, 1}, {64, 5}, {16, 22}} {
			for _, dataType := range []raster.DataType{raster.Uint8, raster.Int16, raster.Float32, raster.Float64} {
				t.Run(fmt.Sprint(orientation, block, dataType), func(t *testing.T) {
					checkOriented(t, orientedSource(dataType, orientation, block[0], block[1]))
				})
			}
		}
	}
}

func checkOriented(t *testing.T, source *rastertest.Synthetic) {
	type pixel struct{ level, x, y int }
	stored := make(map[pixel]pixel)
	for n, l := range source.Has.Levels {
		for y := range l.Height {
			for x := range l.Width {
				shownX, shownY := shownAt(source.Has.Orientation, x, y, l.Width, l.Height)
				stored[pixel{n, shownX, shownY}] = pixel{n, x, y}
			}
		}
	}
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return wrap.Orient(source) },
		Want: func(level, band, x, y int) (float64, bool) {
			from := stored[pixel{level, x, y}]
			return source.Sample(level, band, from.x, from.y)
		},
	}.Run(t)
}

// Complex numbers have sizes that no other type has, and can be turned too.
func TestOrientTurnsSamplesOfAnySize(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.ComplexInt16, raster.Complex64, raster.Complex128} {
		info := rastertest.Flat(dataType, 3, 2, 1, 3, 2)
		info.Orientation = 6
		size := dataType.Size()
		oriented := wrap.Orient(bytesOf(info, func(at int) byte { return byte(at / size) }))
		tiles, err := oriented.Blocks(context.Background(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []byte{3, 0, 4, 1, 5, 2} {
			for _, got := range tiles[0].Plane(0)[i*size : (i+1)*size] {
				if got != want {
					t.Errorf("%v: sample %d is that stored at %d, want %d", dataType, i, got, want)
				}
			}
		}
	}
}

// stored is a provider of one block.
type stored struct {
	info raster.Info
	tile raster.Tile
}

// bytesOf has one block whose bytes are a function of their position.
func bytesOf(info raster.Info, at func(int) byte) *stored {
	l := info.Levels[0]
	b := raster.NewBuffer(info.Type, l.Width, l.Height, 1)
	for i := range b.Plane(0) {
		b.Plane(0)[i] = at(i)
	}
	return &stored{info, b.Freeze()}
}

func (s *stored) Key() string        { return "stored@1" }
func (s *stored) Info() *raster.Info { return &s.info }

func (s *stored) Blocks(_ context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(ids))
	for i := range tiles {
		tiles[i] = s.tile
	}
	return tiles, s.info.CheckRequest(level, ids, bands)
}

func TestOrientReadsEachSourceBlockOnce(t *testing.T) {
	tests := map[string]struct {
		orientation   uint8
		width, height int // of blocks
		ids           []raster.BlockID
		want          int
	}{
		"columns to rows":      {5, 16, 8, []raster.BlockID{{Col: 1, Row: 1}}, 1},
		"ends with the image":  {4, 16, 11, []raster.BlockID{{Col: 1, Row: 1}}, 1},
		"one in a row":         {2, 37, 8, []raster.BlockID{{Row: 1}}, 1},
		"larger than it":       {3, 64, 64, []raster.BlockID{{}}, 1},
		"one row a strip":      {6, 37, 1, []raster.BlockID{{Col: 7}, {Col: 8}}, 2},
		"mirrored with a rest": {2, 16, 8, []raster.BlockID{{Col: 1, Row: 1}}, 2},
		"turned with a rest":   {3, 16, 8, []raster.BlockID{{Col: 1, Row: 1}}, 4},
		"two beside another":   {2, 16, 8, []raster.BlockID{{Col: 0}, {Col: 1}}, 3},
	}
	for name, test := range tests {
		source := orientedSource(raster.Uint8, test.orientation, test.width, test.height)
		if _, err := wrap.Orient(source).Blocks(context.Background(), 0, test.ids, []int{2}); err != nil {
			t.Fatal(err)
		}
		if source.Calls() != 1 || source.BlocksMade() != test.want || source.PlanesMade() != test.want {
			t.Errorf("%s: %d calls for %d blocks and %d planes, want 1, %d and %d", name, source.Calls(), source.BlocksMade(), source.PlanesMade(), test.want, test.want)
		}
	}
}

func TestOrientLeavesTheNormalOrientation(t *testing.T) {
	for _, orientation := range []uint8{0, 1, 9} {
		source := orientedSource(raster.Uint8, orientation, 16, 8)
		if wrap.Orient(source) != raster.Provider(source) {
			t.Errorf("an image of orientation %d was wrapped", orientation)
		}
	}
	turned := wrap.Orient(orientedSource(raster.Uint8, 6, 16, 8))
	if got := turned.Info().Orientation; got != 1 {
		t.Errorf("a turned image is to be shown by orientation %d", got)
	}
	if wrap.Orient(turned) != turned {
		t.Error("an image was turned twice")
	}
}

func TestOrientReportsCachedBlocks(t *testing.T) {
	cached := blockcache.Wrap(orientedSource(raster.Uint8, 3, 16, 8), blockcache.New(cache.New(1<<20)))
	oriented := wrap.Orient(cached)
	ids := []raster.BlockID{{Col: 0, Row: 0}, {Col: 1, Row: 1}}
	if _, err := oriented.Blocks(context.Background(), 0, ids[1:], nil); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(raster.IsCached(oriented, 0, ids, nil)); got != "[false true]" {
		t.Errorf("cached: %v, of a block that was not read and one that was", got)
	}
}

// sparse stores the pixels of one rectangle.
type sparse struct {
	raster.Provider
	stored raster.Rect
}

func (s sparse) Empty(_ context.Context, _ int, rect raster.Rect) (bool, error) {
	return s.stored.Intersect(rect).Empty(), nil
}

func TestEmptinessIsTurnedToo(t *testing.T) {
	source := sparse{orientedSource(raster.Uint8, 6, 16, 8), raster.Rect{X0: 2, Y0: 0, X1: 4, Y1: 1}}
	oriented := wrap.Orient(source)
	for rect, want := range map[raster.Rect]bool{
		{X0: 21, Y0: 2, X1: 22, Y1: 4}:  false,
		{X0: 0, Y0: 0, X1: 21, Y1: 37}:  true,
		{X0: 20, Y0: 4, X1: 22, Y1: 37}: true,
		{X0: 0, Y0: 0, X1: 22, Y1: 3}:   false,
	} {
		if got, err := raster.IsEmpty(context.Background(), oriented, 0, rect); err != nil || got != want {
			t.Errorf("%v is empty: %v, %v, want %v", rect, got, err, want)
		}
	}
	if empty, err := raster.IsEmpty(context.Background(), wrap.Orient(orientedSource(raster.Uint8, 6, 16, 8)), 0, raster.Rect{X1: 1, Y1: 1}); empty || err != nil {
		t.Errorf("part of a source without Empty is empty: %v, %v", empty, err)
	}
}

func BenchmarkOrient(b *testing.B) {
	for _, orientation := range []uint8{2, 4, 6} {
		for _, dataType := range []raster.DataType{raster.Uint8, raster.Float32} {
			b.Run(fmt.Sprint(orientation, dataType), func(b *testing.B) {
				info := rastertest.Flat(dataType, 512, 512, 1, 512, 512)
				info.Orientation = orientation
				oriented := wrap.Orient(bytesOf(info, func(at int) byte { return byte(at % math.MaxInt8) }))
				b.SetBytes(512 * 512)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := oriented.Blocks(context.Background(), 0, []raster.BlockID{{}}, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func TestOrientPassesCapabilitiesOn(t *testing.T) {
	for orientation := uint8(2); orientation <= 8; orientation++ {
		rastertest.CheckWrapper(t, orientedSource(raster.Int16, orientation, 16, 8), wrap.Orient, rastertest.Windows, rastertest.StoredPictures)
	}
}
