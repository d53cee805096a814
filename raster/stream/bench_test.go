package stream

import (
	"context"
	"fmt"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// largeImage gives the same tile for all blocks of an image of 65536x65536 pixels, and counts them.
type largeImage struct {
	info  raster.Info
	tile  raster.Tile
	reads int
}

func (l *largeImage) Key() string        { return "large@1" }
func (l *largeImage) Info() *raster.Info { return &l.info }

func (l *largeImage) Blocks(_ context.Context, _ int, ids []raster.BlockID, _ []int) ([]raster.Tile, error) {
	l.reads += len(ids)
	tiles := make([]raster.Tile, len(ids))
	for i := range tiles {
		tiles[i] = l.tile
	}
	return tiles, nil
}

// BenchmarkDecodes tells how often a block of a large image is read, for orders and budgets, and how long the
// stream itself takes: reading costs nothing.
func BenchmarkDecodes(b *testing.B) {
	const side, block = 65536, 512
	image := func() *largeImage {
		return &largeImage{info: rastertest.Flat(raster.Uint8, side, side, 3, block, block), tile: raster.NewBuffer(raster.Uint8, block, block, 3).Freeze()}
	}
	for _, shape := range []struct {
		name   string
		config Config
	}{
		{"as blocks", Config{Width: block, Height: block}},
		{"halo 16", Config{Width: block, Height: block, Halo: Halo{16, 16, 16, 16}}},
		{"800 across blocks", Config{Width: 800, Height: 800}},
	} {
		for _, order := range []struct {
			name  string
			order Order
		}{{"rows", Rows}, {"columns", Columns}, {"snake", Snake}, {"hilbert", Hilbert}} {
			for _, megabytes := range []int64{32, 64, 128, 256, 512} {
				b.Run(fmt.Sprintf("%s/%s/%d MiB", shape.name, order.name, megabytes), func(b *testing.B) {
					c := shape.config
					c.Order, c.MaxBytes, c.Parallel = order.order, megabytes<<20, 1
					blocks, ended := 0, 0
					for b.Loop() {
						p := image()
						s, err := New(p, c)
						if err != nil {
							b.Fatal(err)
						}
						if err := s.InOrder(b.Context(), ignore); err != nil {
							b.Fatal(err)
						}
						blocks, ended = blocks+p.reads, ended+1
					}
					b.ReportMetric(float64(blocks)/float64(ended)/(side/block)/(side/block), "reads/block")
				})
			}
		}
	}
}

// BenchmarkTiles assembles views of blocks: with a halo, and as the blocks are.
func BenchmarkTiles(b *testing.B) {
	const side, block = 4096, 512
	for name, halo := range map[string]Halo{"as blocks": {}, "halo 16": {16, 16, 16, 16}} {
		b.Run(name, func(b *testing.B) {
			p := &largeImage{info: rastertest.Flat(raster.Uint8, side, side, 3, block, block), tile: raster.NewBuffer(raster.Uint8, block, block, 3).Freeze()}
			s, err := New(p, Config{Width: block, Height: block, Halo: halo, Border: Reflect, Parallel: 1, MaxBytes: 256 << 20})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(3 * side * side)
			b.ReportAllocs()
			for b.Loop() {
				err := s.Each(b.Context(), func(_ context.Context, v *View) error {
					_, err := v.Tile()
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
