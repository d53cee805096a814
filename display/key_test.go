package display

import (
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/display/picture"
	"tileserver/display/statistics"
	"tileserver/raster"
)

var (
	inf          = math.Inf(1)
	nan          = math.NaN()
	negativeZero = math.Copysign(0, -1)
)

// pickOne returns a random argument.
func pickOne[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func randomSpec(r *rand.Rand) Spec {
	s := Spec{
		Bands:    pickOne(r, nil, []int{0}, []int{1}, []int{2}, []int{0, 1, 2}, []int{2, 1, 0}, []int{0, 0, 1}),
		ColorMap: pickOne(r, "", "", "gray", "viridis", "viridis_r", "magma"),
	}
	switch r.IntN(3) {
	case 0:
		s.Rescale = pickOne(r, []Range{{0, 255}}, []Range{{0, 100}}, []Range{{10, 255}}, []Range{{0, 255}, {0, 100}, {10, 255}}, []Range{{0, 100}, {0, 255}, {10, 255}})
	case 1:
		s.Stretch = pickOne(r, Stretch{Kind: NoStretch}, Stretch{Kind: MinMax}, Stretch{Kind: DynamicRange}, Stretch{Kind: Percentile, Low: 2, High: 98},
			Stretch{Kind: Percentile, Low: 10, High: 60}, Stretch{Kind: Deviations, Count: 1}, Stretch{Kind: Deviations, Count: 0.5})
	}
	return s
}

// pictureOf returns the pixels of a rendered tile as RGBA, so that pixel formats do not matter.
func pictureOf(t *testing.T, c *Chain, tile raster.Tile) string {
	t.Helper()
	p, err := c.Render(tile, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	pixels := make([]uint8, 4*p.Width*p.Height)
	picture.Expand(pixels, p)
	return string(pixels)
}

// selectBands returns some bands of a tile, as a provider would.
func selectBands(t *testing.T, tile raster.Tile, bands []int) raster.Tile {
	t.Helper()
	b := raster.NewBuffer(tile.Type(), tile.Width(), tile.Height(), len(bands))
	for i, band := range bands {
		copy(b.Plane(i), tile.Plane(band))
		if v := tile.Validity(band); v != nil {
			copy(b.OwnValidity(i), v)
		}
	}
	return b.Freeze()
}

// TestKeysIdentifyPictures renders many specs. Equal keys must mean equal pictures. For a tile that
// shows every difference, equal pictures must mean equal keys.
func TestKeysIdentifyPictures(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16, raster.Float32} {
		t.Run(dataType.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 5))
			info := infoOf(dataType, 3)
			tile, statistics := gradient(dataType, 64, 3)
			pictures, keys := map[string]string{}, map[string]string{}
			for range 600 {
				s := randomSpec(random)
				r, err := s.Resolve(info)
				if err != nil {
					continue
				}
				c, err := Compile(r, statistics)
				if err != nil {
					t.Fatal(err)
				}
				picture := pictureOf(t, c, selectBands(t, tile, r.Bands()))
				if known, ok := pictures[r.Key()]; ok && known != picture {
					t.Errorf("%+v makes the picture differs with the key %q", s, r.Key())
				}
				pictures[r.Key()] = picture
				if known, ok := keys[picture]; ok && known != c.Key() {
					t.Errorf("one picture has the keys %q and %q", known, c.Key())
				}
				keys[picture] = c.Key()
			}
			if len(keys) < 40 {
				t.Errorf("only %d different pictures", len(keys))
			}
		})
	}
}

// gradient returns a tile and its statistics. The bands differ, and each has every value from 0 to
// 255 in an uneven distribution.
func gradient(t raster.DataType, side, bands int) (raster.Tile, *statistics.Dataset) {
	b := raster.NewBuffer(t, side, side, bands)
	spread := &statistics.Dataset{}
	for band := range bands {
		counts := make([]uint64, 256)
		var sum, squares float64
		for i := range side * side {
			v := (i*i/(side*side/256*16)*(band+1) + i) % 256
			counts[v]++
			setSample(b, band, i, float64(v))
			sum += float64(v)
			squares += float64(v * v)
		}
		n := float64(side * side)
		spread.Bands = append(spread.Bands, statistics.Band{
			Band: band, Count: uint64(n), Total: uint64(n), Max: 255, Mean: sum / n,
			StdDev:    math.Sqrt(squares/n - sum/n*sum/n),
			Histogram: statistics.Histogram{Width: 1, Counts: counts, Exact: true},
		})
	}
	return b.Freeze(), spread
}

// setSample writes a sample of any type.
func setSample(b *raster.Buffer, band, at int, v float64) {
	switch b.Type() {
	case raster.Uint8:
		raster.Writable[uint8](b, band)[at] = raster.Clamp[uint8](v)
	case raster.Int8:
		raster.Writable[int8](b, band)[at] = raster.Clamp[int8](v)
	case raster.Uint16:
		raster.Writable[uint16](b, band)[at] = raster.Clamp[uint16](v)
	case raster.Int16:
		raster.Writable[int16](b, band)[at] = raster.Clamp[int16](v)
	case raster.Uint32:
		raster.Writable[uint32](b, band)[at] = raster.Clamp[uint32](v)
	case raster.Int32:
		raster.Writable[int32](b, band)[at] = raster.Clamp[int32](v)
	case raster.Uint64:
		raster.Writable[uint64](b, band)[at] = raster.Clamp[uint64](v)
	case raster.Int64:
		raster.Writable[int64](b, band)[at] = raster.Clamp[int64](v)
	case raster.Float32:
		raster.Writable[float32](b, band)[at] = float32(v)
	default:
		raster.Writable[float64](b, band)[at] = v
	}
}
