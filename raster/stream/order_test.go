package stream

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

func TestOrdersHaveEachViewOnce(t *testing.T) {
	for name, order := range map[string]Order{"rows": Rows, "columns": Columns, "snake": Snake, "hilbert": Hilbert} {
		for _, size := range [][2]int{{1, 1}, {7, 1}, {1, 9}, {5, 3}, {8, 8}, {13, 31}} {
			seen := make(map[Position]bool)
			for p := range order(size[0], size[1]) {
				if seen[p] || !p.isIn(size[0], size[1]) {
					t.Errorf("%s of %v has %v again, or beside the grid", name, size, p)
				}
				seen[p] = true
			}
			if len(seen) != size[0]*size[1] {
				t.Errorf("%s of %v has %d views", name, size, len(seen))
			}
		}
	}
}

func TestSnakeAndHilbertStepToNeighbors(t *testing.T) {
	for name, order := range map[string]Order{"snake": Snake, "hilbert": Hilbert} {
		all := slices.Collect(order(16, 16))
		for i := range all[1:] {
			dx, dy := all[i+1].Column-all[i].Column, all[i+1].Row-all[i].Row
			if dx*dx+dy*dy != 1 {
				t.Errorf("%s steps from %v to %v", name, all[i], all[i+1])
			}
		}
	}
}

func TestHilbertFinishesAQuarterBeforeTheNext(t *testing.T) {
	all := slices.Collect(Hilbert(16, 16))
	for quarter := range slices.Chunk(all, 64) {
		for _, p := range quarter {
			if p.Column/8 != quarter[0].Column/8 || p.Row/8 != quarter[0].Row/8 {
				t.Errorf("%v is not in the quarter of %v", p, quarter[0])
			}
		}
	}
}

// A curve over a narrow grid does not visit the square around it.
func TestHilbertOfANarrowGridIsCheap(t *testing.T) {
	count := 0
	for range Hilbert(1<<22, 1) {
		count++
	}
	if count != 1<<22 {
		t.Errorf("%d views", count)
	}
}

func TestOrdersStopEarly(t *testing.T) {
	for name, order := range map[string]Order{"rows": Rows, "columns": Columns, "snake": Snake, "hilbert": Hilbert} {
		next, stop := iter.Pull(order(5, 5))
		if _, ok := next(); !ok {
			t.Errorf("%s has no view", name)
		}
		stop() // panics if the order goes on
	}
}

func TestOrdersOfOtherViewsAreRejected(t *testing.T) {
	p := &rastertest.Synthetic{Has: rastertest.Flat(raster.Uint8, 20, 10, 1, 8, 8)}
	for name, order := range map[string]Order{
		"beside": func(columns, _ int) iter.Seq[Position] { return slices.Values([]Position{{columns, 0}}) },
		"before": func(int, int) iter.Seq[Position] { return slices.Values([]Position{{1, -1}}) },
		"again":  func(int, int) iter.Seq[Position] { return slices.Values([]Position{{1, 0}, {0, 0}, {1, 0}}) },
	} {
		if _, err := New(p, Config{Width: 5, Height: 5, Order: order}); !errors.Is(err, raster.ErrNoSuchBlock) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
