package pyramid_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

// A white disc on nodata is white wherever it is visible. The samples beside its edge and under its
// transparent pixels are black, and must never show.

const (
	discWidth, discHeight = 151, 117
	discRadius            = 41.3
)

// discOpacity returns the approximate fraction of a pixel that the disc covers.
func discOpacity(x, y int) float64 {
	distance := math.Hypot(float64(x)-74.8, float64(y)-58.1)
	return min(max((discRadius+2-distance)/4, 0), 1)
}

// discKind is a way to store the disc.
type discKind struct {
	name          string
	hard          bool // pixels are either in the disc or not, without a soft edge
	alpha         bool
	premultiplied bool
	valid         func(x, y, band int) bool // nil: all
	masked        bool                      // the request names the nodata value, which the source does not know
}

func discKinds() []discKind {
	inside := func(x, y, _ int) bool { return discOpacity(x, y) > 0.5 }
	seen := func(x, y, _ int) bool { return discOpacity(x, y) > 0 }
	return []discKind{
		{name: "no data", hard: true, valid: inside},
		{name: "no data for who asks", hard: true, masked: true},
		{name: "alpha", alpha: true},
		{name: "hard alpha", alpha: true, hard: true},
		{name: "alpha and no data", alpha: true, valid: seen},
		{name: "premultiplied", alpha: true, premultiplied: true},
		{name: "premultiplied and no data", alpha: true, premultiplied: true, valid: seen},
		{name: "premultiplied and a mask", alpha: true, premultiplied: true, valid: inside},
		{name: "alpha and a mask", alpha: true, valid: inside},
	}
}

// source returns the stored disc.
func (k discKind) source(dataType raster.DataType) raster.Provider {
	bands := 3
	if k.alpha {
		bands = 4
	}
	s := &rastertest.Synthetic{Name: "disc@1", Has: rastertest.Flat(dataType, discWidth, discHeight, bands, 32, 48)}
	for i, color := range []raster.Color{raster.Red, raster.Green, raster.Blue, raster.Alpha}[:bands] {
		s.Has.Bands[i].Color = color
	}
	s.Has.Premultiplied = k.premultiplied
	_, white := dataType.Limits()
	s.Sample = func(_, band, x, y int) (float64, bool) {
		o := discOpacity(x, y)
		if k.hard {
			o = math.Round(o)
		}
		alpha := math.Round(o * white)
		value := alpha
		if band < 3 && !k.premultiplied && alpha > 0 {
			value = white
		}
		return value, k.valid == nil || k.valid(x, y, band)
	}
	if k.masked {
		return wrap.Mask(s, 0)
	}
	return s
}

// everyDisc calls check for each way to store the disc and to build levels.
func everyDisc(t *testing.T, check func(t *testing.T, p raster.Provider, k discKind)) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16} {
		for _, k := range discKinds() {
			for levels, config := range map[string]overview.Config{
				"as stored":       {MinSize: discWidth},
				"levels of means": {MinSize: 8, BlockSize: 32},
				"levels of picks": {MinSize: 8, BlockSize: 32, Pick: true},
			} {
				t.Run(fmt.Sprintf("%v/%s/%s", dataType, k.name, levels), func(t *testing.T) {
					check(t, overview.New(blockcache.Wrap(k.source(dataType), blocks()), blocks(), config), k)
				})
			}
		}
	}
}

// TestDiscIsWhiteInEveryBlock checks the blocks of built levels.
func TestDiscIsWhiteInEveryBlock(t *testing.T) {
	everyDisc(t, func(t *testing.T, p raster.Provider, k discKind) {
		_, white := p.Info().Type.Limits()
		for level, l := range p.Info().Levels {
			ids := l.Covering(l.Bounds())
			tiles, err := p.Blocks(context.Background(), level, ids, nil)
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			for i, tile := range tiles {
				for at := range tile.Width() * tile.Height() {
					x, y := at%tile.Width(), at/tile.Width()
					alpha, whole := white, white
					if k.alpha {
						alpha, _ = tile.At(3, x, y)
					}
					if math.Round(alpha/white*raster.Valid) == 0 {
						continue // the opacity is too low to be visible
					}
					if k.premultiplied {
						whole = alpha
					}
					for band := range 3 {
						value, coverage := tile.At(band, x, y)
						if coverage == raster.Invalid {
							continue
						}
						seen++
						if value < whole {
							t.Fatalf("level %d, block %v: band %d of pixel %d,%d is %v of %v with coverage %d", level, ids[i], band, x, y, value, whole, coverage)
						}
					}
				}
			}
			if seen == 0 {
				t.Fatalf("level %d shows nothing of the disc", level)
			}
		}
	})
}

// checkDisc checks the colors of a view.
func checkDisc(t *testing.T, what string, tile raster.Tile) (seen int) {
	t.Helper()
	for band := range tile.Bands() {
		if tile.Type() == raster.Uint8 {
			seen += checkWhite[uint8](t, what, tile, band, math.MaxUint8)
		} else {
			seen += checkWhite[uint16](t, what, tile, band, math.MaxUint16)
		}
	}
	return seen
}

func checkWhite[T raster.Sample](t *testing.T, what string, tile raster.Tile, band int, white T) (seen int) {
	t.Helper()
	coverage := coverageOf(tile, band)
	for at, value := range raster.Samples[T](tile, band) {
		if coverage[at] == raster.Invalid {
			continue
		}
		seen++
		if value != white {
			t.Fatalf("%s: band %d of pixel %d,%d is %v with coverage %d", what, band, at%tile.Width(), at/tile.Width(), value, coverage[at])
		}
	}
	return seen
}

func discView(lattice geo.Lattice, rect raster.Rect, resampling resample.Method, k discKind) pyramid.View {
	v := pyramid.View{Lattice: lattice, Rect: rect, Resampling: resampling, Bands: []int{0, 1, 2}, Alpha: -1}
	if k.alpha {
		v.Alpha = 3
	}
	return v
}

// TestDiscIsWhiteAtEveryScale checks the area around the upper left of the disc's edge.
func TestDiscIsWhiteAtEveryScale(t *testing.T) {
	everyDisc(t, func(t *testing.T, provider raster.Provider, k discKind) {
		p := pyramid.New(provider)
		for _, resampling := range everyResampling {
			for scale, offsets := range map[float64][]float64{
				0.3: {0.37}, 0.8: {-0.71}, 1: {0, 0.37}, 1.4: {0.37}, 2: {0, -0.71}, 2.7: {-0.71}, 4: {0.37}, 7.5: {0.37},
			} {
				for _, offset := range offsets {
					side := int(math.Ceil(min(90/scale, 32)))
					half := float64(side) * scale / 2
					lattice := geo.Lattice{OriginX: 45.6 - half + offset, OriginY: 28.9 - half - offset/2, ResolutionX: scale, ResolutionY: -scale}
					tile := mustRead(t, p, discView(lattice, raster.Rect{X1: side, Y1: side}, resampling, k))
					what := fmt.Sprintf("%v, scale %v, offset %v", resampling, scale, offset)
					if checkDisc(t, what, tile) == 0 {
						t.Fatalf("%s shows nothing of the disc", what)
					}
				}
			}
		}
	})
}

// TestDiscIsWhiteThroughAWarp rotates the disc and shows its upper part in another CRS.
func TestDiscIsWhiteThroughAWarp(t *testing.T) {
	set := geo.WebMercatorQuad()
	turned := geo.Affine{A: 4, B: 2.5, C: 500000.3, D: 2, E: -3.5, F: 5300000.7}
	zooms := []int{11, 13, 14, 16}
	hard := discKinds()[0]
	rects := discRects(t, georeferenced(t, hard.source(raster.Uint8), 32633, turned), set, zooms, hard)
	everyDisc(t, func(t *testing.T, provider raster.Provider, k discKind) {
		p := georeferenced(t, provider, 32633, turned)
		for _, resampling := range everyResampling {
			for i, z := range zooms {
				rect := rects[i]
				what := fmt.Sprintf("%v, zoom %d", resampling, z)
				if checkDisc(t, what, mustRead(t, p, discView(set.Lattice(z, 1), rect, resampling, k))) == 0 {
					t.Fatalf("%s shows nothing of the disc", what)
				}
			}
		}
	})
}

// discRects returns the rectangles to check in each zoom: around the visible part of the disc in a
// map tile, and only its upper rows.
func discRects(t *testing.T, p *pyramid.Pyramid, set *geo.TileMatrixSet, zooms []int, k discKind) []raster.Rect {
	t.Helper()
	const margin, maxRows = 5, 50
	rects := make([]raster.Rect, len(zooms))
	for i, z := range zooms {
		x, y := covering(t, p, set, z, 0)
		whole := raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}
		seen := raster.Rect{X0: whole.X1, Y0: whole.Y1, X1: whole.X0, Y1: whole.Y0}
		for at, c := range coverageOf(mustRead(t, p, discView(set.Lattice(z, 1), whole, resample.Nearest, k)), 0) {
			if x, y := whole.X0+at%256, whole.Y0+at/256; c != raster.Invalid {
				seen = raster.Rect{X0: min(seen.X0, x), Y0: min(seen.Y0, y), X1: max(seen.X1, x+1), Y1: max(seen.Y1, y+1)}
			}
		}
		seen = raster.Rect{X0: seen.X0 - margin, Y0: seen.Y0 - margin, X1: seen.X1 + margin, Y1: seen.Y1 + margin}
		rects[i] = seen.Intersect(raster.Rect{X0: seen.X0, Y0: seen.Y0, X1: seen.X1, Y1: seen.Y0 + maxRows})
	}
	return rects
}
