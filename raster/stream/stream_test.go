package stream

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

func TestImpossibleStreamsAreRejected(t *testing.T) {
	info := rastertest.Flat(raster.Uint16, 1<<30, 1<<30, 3, 256, 256)
	p := &rastertest.Synthetic{Has: info}
	for name, test := range map[string]struct {
		change func(*Config)
		want   error
	}{
		"no level":          {func(c *Config) { c.Level = 1 }, raster.ErrNoSuchBlock},
		"no band":           {func(c *Config) { c.Bands = []int{3} }, raster.ErrNoSuchBlock},
		"no width":          {func(c *Config) { c.Width = 0 }, raster.ErrNoSuchBlock},
		"area beyond":       {func(c *Config) { c.Area = raster.Rect{X0: 1, X1: 1<<30 + 1, Y1: 1} }, raster.ErrNoSuchBlock},
		"inverted area":     {func(c *Config) { c.Area = raster.Rect{X0: 2, X1: 1, Y1: 1} }, raster.ErrNoSuchBlock},
		"negative halo":     {func(c *Config) { c.Halo.Top = -1 }, raster.ErrNoSuchBlock},
		"no such border":    {func(c *Config) { c.Border = World + 1 }, raster.ErrNoSuchBlock},
		"too many views":    {func(c *Config) { c.Width, c.Height = 1, 1 }, ErrTooManyViews},
		"too many blocks":   {func(c *Config) { c.Halo.Left = 1 << 60 }, ErrTooManyViews},
		"too little memory": {func(c *Config) { c.MaxBytes = 1 << 20 }, cache.ErrOverBudget},
	} {
		c := Config{Width: 1 << 20, Height: 1 << 20, Area: raster.Rect{X1: 1 << 21, Y1: 1 << 21}}
		test.change(&c)
		if c.Width == 1 {
			c.Area = raster.Rect{}
		}
		if _, err := New(p, c); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// The bytes of a hostile block overflow no counter.
func TestBlocksThatNoMachineHoldsAreRejected(t *testing.T) {
	p := &rastertest.Synthetic{Has: rastertest.Flat(raster.Float64, 1<<31-1, 1<<31-1, 1000, 1<<31-1, 1<<31-1)}
	if _, err := New(p, Config{Width: 16, Height: 16, Area: raster.Rect{X1: 16, Y1: 16}, MaxBytes: 1 << 50}); !errors.Is(err, cache.ErrOverBudget) {
		t.Error(err)
	}
}

func dotted(blocks int) *rastertest.Synthetic {
	return &rastertest.Synthetic{
		Name: "dotted@1", Has: rastertest.Flat(raster.Uint8, 16*blocks, 16*blocks, 2, 16, 16),
		Sample: func(_, band, x, y int) (float64, bool) { return float64((band + x + y) % 200), true },
	}
}

// counted counts how often each block is read.
type counted struct {
	*rastertest.Synthetic
	reads map[raster.BlockID]int
}

func countReads(p *rastertest.Synthetic) counted {
	c := counted{p, make(map[raster.BlockID]int)}
	lock := make(chan struct{}, 1)
	p.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
		lock <- struct{}{}
		defer func() { <-lock }()
		for _, id := range ids {
			c.reads[id]++
		}
		return nil
	}
	return c
}

func ignore(context.Context, *View) error { return nil }

// With enough memory each block is read once, whatever the order and the halo. Blocks that no view needs are
// not read.
func TestEachBlockIsReadOnce(t *testing.T) {
	for name, order := range map[string]Order{"rows": Rows, "columns": Columns, "snake": Snake, "hilbert": Hilbert} {
		for _, border := range []Border{NoData, Reflect, World} {
			p := countReads(dotted(9))
			s, err := New(p, Config{
				Width: 10, Height: 23, Halo: Halo{3, 20, 5, 1}, Border: border, Order: order, Parallel: 3,
				Area: raster.Rect{X0: 20, Y0: 60, X1: 90, Y1: 144},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Each(t.Context(), ignore); err != nil {
				t.Fatal(err)
			}
			wanted := p.Has.Levels[0].Covering(raster.Rect{X0: 17, Y0: 40, X1: 95, Y1: 144})
			if border == World { // no view reaches across
				border = NoData
			}
			if len(p.reads) != len(wanted) {
				t.Errorf("%s: %d blocks were read, want %d", name, len(p.reads), len(wanted))
			}
			for id, count := range p.reads {
				if count != 1 {
					t.Errorf("%s: block %v was read %d times", name, id, count)
				}
			}
		}
	}
}

// A row of blocks fits into memory or not: if not, those that fit are still read once.
func TestBlocksThatFitAreReadOnce(t *testing.T) {
	const columns = 16
	p := dotted(columns)
	config := Config{Width: 16, Height: 16, Halo: Halo{0, 1, 0, 0}, Parallel: 1, MaxViews: 1}
	last := columns * columns * 2
	for _, part := range []int64{0, 1, 2, 4} {
		s, err := New(p, config)
		if err != nil {
			t.Fatal(err)
		}
		s.config.MaxBytes = s.maxViewBytes() + part*columns/4*(16*16*2+blockOverheadBytes)
		before := p.BlocksMade()
		if err := s.InOrder(t.Context(), ignore); err != nil {
			t.Fatal(err)
		}
		read := p.BlocksMade() - before
		want := columns*columns + (columns-1)*columns*int(4-part)/4
		if read > want+columns || read > last {
			t.Errorf("with memory for %d quarters of a row, %d blocks were read, want about %d", part, read, want)
		}
		last = read
	}
	if last != columns*columns {
		t.Errorf("with memory for a row, %d blocks were read, want %d", last, columns*columns)
	}
}

// Blocks of several views are read in one call.
func TestBlocksAreReadInBatches(t *testing.T) {
	p := dotted(8)
	s, err := New(p, Config{Width: 16, Height: 16})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.InOrder(t.Context(), ignore); err != nil {
		t.Fatal(err)
	}
	if p.Calls() != 64/batchViews {
		t.Errorf("64 blocks took %d calls", p.Calls())
	}
}

// The memory of blocks that were asked for and views that are not done never exceeds the bound.
func TestMemoryAndViewsAreBounded(t *testing.T) {
	p := dotted(12)
	for _, maxViews := range []int{0, 3} {
		for _, times := range []int64{1, 2, 5} {
			s, err := New(p, Config{Width: 16, Height: 16, Parallel: 4, MaxViews: maxViews})
			if err != nil {
				t.Fatal(err)
			}
			s.config.MaxBytes = times * s.maxViewBytes()
			allowed := int(times)
			if maxViews > 0 {
				allowed = min(allowed, maxViews)
			}
			inFlight := make(chan struct{}, allowed) // blocks that were asked for, until their view is done
			p.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
				for range ids {
					select {
					case inFlight <- struct{}{}:
					default:
						return fmt.Errorf("more than %d views are in flight", allowed)
					}
				}
				return nil
			}
			err = s.Each(t.Context(), func(_ context.Context, v *View) error {
				_, err := v.Tile()
				<-inFlight
				return err
			})
			if err != nil {
				t.Errorf("%d times the memory of a view, at most %d views: %v", times, maxViews, err)
			}
		}
	}
}
