package stream

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// withHole is an image of which some blocks are not stored.
type withHole struct {
	*rastertest.Synthetic
	hole raster.Rect // in pixels of any level
}

func (w withHole) Empty(_ context.Context, _ int, rect raster.Rect) (bool, error) {
	return rect.Intersect(w.hole) == rect, nil
}

// image returns a random image of two levels, with nodata in some bands or in all.
func image(random *rand.Rand) withHole {
	types := []raster.DataType{raster.Uint8, raster.Int16, raster.Float32, raster.Float64, raster.Uint16}
	width, height := 1+random.IntN(90), 1+random.IntN(70)
	info := rastertest.Flat(types[random.IntN(len(types))], width, height, 1+random.IntN(4), 1+random.IntN(40), 1+random.IntN(40))
	info.Pad = float64(random.IntN(2) * 7)
	info.Levels = append(info.Levels, raster.Level{
		Width: (width + 1) / 2, Height: (height + 1) / 2, BlockWidth: 1 + random.IntN(20), BlockHeight: 1 + random.IntN(20), ScaleX: 2, ScaleY: 2,
	})
	kind := random.IntN(3)
	hole := raster.Rect{X0: random.IntN(width), Y0: random.IntN(height), X1: width, Y1: height}
	return withHole{hole: hole, Synthetic: &rastertest.Synthetic{Name: "image@1", Has: info, Sample: func(level, band, x, y int) (float64, bool) {
		if at := (raster.Rect{X0: x, Y0: y, X1: x + 1, Y1: y + 1}); at.Intersect(hole) == at {
			return info.Pad, false
		}
		value, isValid := float64((level*71+band*13+x*3+y*5)%100), true
		switch kind {
		case 1:
			isValid = (x+y)%5 != 0
		case 2:
			isValid = (x+y+band)%5 != 0
		}
		return value, isValid
	}}}
}

// shuffled is an order of a function's own, which lacks some views.
func shuffled(seed uint64) Order {
	return func(columns, rows int) iter.Seq[Position] {
		return func(yield func(Position) bool) {
			random := rand.New(rand.NewPCG(seed, 3))
			for _, cell := range random.Perm(columns * rows)[:random.IntN(columns*rows+1)] {
				if !yield(Position{cell % columns, cell / columns}) {
					return
				}
			}
		}
	}
}

func randomConfig(random *rand.Rand, info *raster.Info) Config {
	level := random.IntN(len(info.Levels))
	l := info.Levels[level]
	side := func() int { return random.IntN(12) * random.IntN(3) }
	c := Config{
		Level: level, Width: 1 + random.IntN(l.Width+5), Height: 1 + random.IntN(l.Height+5),
		Halo: Halo{side(), side(), side(), side()}, Border: Border(random.IntN(int(World) + 1)), Constant: 42,
		Parallel: random.IntN(4), MaxViews: random.IntN(4),
		Order: []Order{nil, Rows, Columns, Snake, Hilbert, shuffled(random.Uint64())}[random.IntN(6)],
	}
	if random.IntN(2) == 0 {
		c.Area.X0, c.Area.Y0 = random.IntN(l.Width), random.IntN(l.Height)
		c.Area.X1, c.Area.Y1 = c.Area.X0+1+random.IntN(l.Width-c.Area.X0), c.Area.Y0+1+random.IntN(l.Height-c.Area.Y0)
	}
	if random.IntN(2) == 0 {
		c.Bands = []int{random.IntN(len(info.Bands)), random.IntN(len(info.Bands))}
	}
	return c
}

// direct is the pixels of a level, read at once.
type direct struct {
	raster.Tile
	pad float64
}

func readAll(t *testing.T, p raster.Provider, c Config) direct {
	l := p.Info().Levels[c.Level]
	ids := l.Covering(l.Bounds())
	tiles, err := p.Blocks(t.Context(), c.Level, ids, c.Bands)
	if err != nil {
		t.Fatal(err)
	}
	all := raster.NewStitcher(p.Info().Type, l.Bounds(), tiles[0].Bands())
	for i, tile := range tiles {
		all.Put(tile, l.Block(ids[i]))
	}
	return direct{all.Freeze(), p.Info().Pad}
}

// at returns a pixel that may lie beyond the edges.
func (d direct) at(c *Config, band, x, y int) (float64, uint8) {
	isInside := x >= 0 && y >= 0 && x < d.Width() && y < d.Height()
	switch {
	case isInside:
	case c.Border == NoData:
		return d.pad, raster.Invalid
	case c.Border == Constant:
		return c.Constant, raster.Valid
	case c.Border == Reflect:
		x, y = bounce(x, d.Width()), bounce(y, d.Height())
	case c.Border == World:
		x = (x%d.Width() + d.Width()) % d.Width()
	}
	return d.At(band, min(max(x, 0), d.Width()-1), min(max(y, 0), d.Height()-1))
}

// bounce walks from an edge back into the level, as often as needed.
func bounce(x, size int) int {
	for x < 0 || x >= size {
		if x < 0 {
			x = -1 - x
		} else {
			x = 2*size - 1 - x
		}
	}
	return x
}

// compare returns what differs between a view and a direct read.
func (d direct) compare(c *Config, v *View) error {
	tile, err := v.Tile()
	if err != nil {
		return err
	}
	if tile.Width() != v.Outer.Width() || tile.Height() != v.Outer.Height() || tile.Bands() != d.Bands() {
		return fmt.Errorf("%d bands of %dx%d pixels for %v", tile.Bands(), tile.Width(), tile.Height(), v.Outer)
	}
	for band := range tile.Bands() {
		for y := range tile.Height() {
			for x := range tile.Width() {
				value, coverage := tile.At(band, x, y)
				want, wantCoverage := d.at(c, band, v.Outer.X0+x, v.Outer.Y0+y)
				if value != want || coverage != wantCoverage {
					return fmt.Errorf("band %d, pixel %d,%d of view %+v is %v with coverage %d, want %v with %d", band, x, y, v.Position, value, coverage, want, wantCoverage)
				}
			}
		}
	}
	return nil
}

// Views equal direct reads, whatever they look like, and come each once.
func TestViewsEqualDirectReads(t *testing.T) {
	for seed := range uint64(600) {
		random := rand.New(rand.NewPCG(seed, 1))
		p := image(random)
		c := randomConfig(random, p.Info())
		want := readAll(t, p, c)
		s, err := New(p, c)
		if err != nil {
			t.Fatalf("seed %d, %+v: %v", seed, c, err)
		}
		if random.IntN(2) == 0 {
			s.config.MaxBytes = s.maxViewBytes() * int64(1+random.IntN(3))
		}
		var mu sync.Mutex
		seen := make(map[Position]bool)
		check := func(_ context.Context, v *View) error {
			mu.Lock()
			isAgain := seen[v.Position]
			seen[v.Position] = true
			mu.Unlock()
			if rank, isIn := s.rank(v.Position); isAgain || !isIn || rank != int32(v.Rank) {
				return fmt.Errorf("view %v comes again, or out of order", v.Position)
			}
			return want.compare(&c, v)
		}
		walk := s.Each
		if random.IntN(2) == 0 {
			walk = s.InOrder
		}
		if err := walk(t.Context(), check); err != nil {
			t.Fatalf("seed %d, %+v, image of %+v: %v", seed, c, p.Has.Levels[c.Level], err)
		}
		if len(seen) != s.Len() {
			t.Errorf("seed %d: %d of %d views came", seed, len(seen), s.Len())
		}
	}
}
