package recolor_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/recolor"
)

// photo is one stored block whose samples vary slightly from one to the next, as in a photograph.
type photo struct {
	info raster.Info
	tile raster.Tile
}

func photoOf(t raster.DataType, model raster.ColorModel, bands int) *photo {
	const side = 512
	info := rastertest.Flat(t, side, side, bands, side, side)
	info.Colors = model
	random := rand.New(rand.NewPCG(1, 2))
	b := raster.NewBuffer(t, side, side, bands)
	for band := range bands {
		plane, v := b.Plane(band), 128
		for i := range plane {
			v = (v + random.IntN(9) - 4) & 0xff
			plane[i] = byte(v)
		}
	}
	return &photo{info, b.Freeze()}
}

func (p *photo) Key() string        { return "photo@1" }
func (p *photo) Info() *raster.Info { return &p.info }

func (p *photo) Blocks(_ context.Context, _ int, _ []raster.BlockID, _ []int) ([]raster.Tile, error) {
	return []raster.Tile{p.tile}, nil
}

func BenchmarkRecolored(b *testing.B) {
	for _, bench := range []struct {
		name  string
		photo *photo
	}{
		{"cmyk/8", photoOf(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4)},
		{"cmyk/16", photoOf(raster.Uint16, raster.ColorModel{Space: raster.CMYK}, 4)},
		{"ycbcr/8", photoOf(raster.Uint8, raster.ColorModel{Space: raster.YCbCr}, 3)},
		{"ycbcr/16", photoOf(raster.Uint16, raster.ColorModel{Space: raster.YCbCr}, 3)},
		{"cielab/8", photoOf(raster.Uint8, raster.ColorModel{Space: raster.CIELab}, 3)},
		{"cielab/16", photoOf(raster.Uint16, raster.ColorModel{Space: raster.CIELab}, 3)},
		{"logluv/32", photoOf(raster.Uint32, raster.ColorModel{Space: raster.LogLuv}, 1)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p, err := recolor.New(bench.photo)
			if err != nil {
				b.Fatal(err)
			}
			pixels := bench.photo.tile.Width() * bench.photo.tile.Height()
			b.SetBytes(int64(len(bench.photo.tile.Plane(0)) * bench.photo.tile.Bands()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Blocks(context.Background(), 0, []raster.BlockID{{}}, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pixels), "ns/pixel")
		})
	}
}
