package jp2k

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"tileserver/cache"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/pool"
	"tileserver/raster"
)

// A request that waits for code-blocks of another request gets them even if the other one is
// canceled. When all have ended, no memory is reserved.
func TestFirstOfTwoRequestsIsCanceled(t *testing.T) {
	for _, what := range []string{"code-blocks", "packets"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { theFirstGivesUp(t, what == "packets") })
		})
	}
}

func theFirstGivesUp(t *testing.T, fresh bool) {
	in := cache.NewBudget(64 << 20)
	reopen := func() openImage {
		o := open(t, wideCodestream(), func(c *Config) {
			c.Pool = pool.New(pool.Config{Workers: 2, Budget: in})
		})
		if !fresh {
			blocks(t, o, 3, []raster.BlockID{{}}, nil) // loads the packet index
		}
		return o
	}
	rect := raster.Rect{X0: 300, Y0: 260, X1: 350, Y1: 310}
	alone := reopen()
	if _, err := alone.Window(t.Context(), 0, rect, []int{1}); err != nil {
		t.Fatal(err)
	}
	want := alone.src.Counts().Calls
	o := reopen()
	release := o.src.Hold()
	impatient, giveUp := context.WithCancel(t.Context())
	errs, tiles := make(chan error, 1), make(chan raster.Tile, 1)
	go func() {
		_, err := o.Window(impatient, 0, rect, []int{1})
		errs <- err
	}()
	synctest.Wait()
	go func() {
		tile, err := o.Window(t.Context(), 0, rect, []int{1})
		if err != nil {
			t.Error(err)
		}
		tiles <- tile
	}()
	synctest.Wait()
	if taken := in.InUse(); !fresh && taken < 2*int64(rect.Width()*rect.Height()) {
		t.Errorf("two that wait for code-blocks have taken %d bytes", taken)
	}
	giveUp()
	if err := <-errs; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up got %v", err)
	}
	release()
	tile := <-tiles
	m := jp2ktest.Wide()
	for y := range tile.Height() {
		for x := range tile.Width() {
			if got, _ := tile.At(0, x, y); got != float64(m.Sample(1, rect.X0+x, rect.Y0+y)) {
				t.Fatalf("pixel %d,%d is %v", x, y, got)
			}
		}
	}
	if got := o.src.Counts().Calls; got != want {
		t.Errorf("%d reads for both, want as many as for one alone, %d", got, want)
	}
	if in.InUse() != 0 {
		t.Errorf("%d bytes were not given back", in.InUse())
	}
}
