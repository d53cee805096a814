package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/cache"
	"tileserver/raster"
)

func mustNew(t *testing.T, p raster.Provider, c Config) *Stream {
	t.Helper()
	s, err := New(p, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// slowFirst makes the first block of an image the slowest by far.
func slowFirst(ctx context.Context, _ int, ids []raster.BlockID, _ []int) error {
	wait := time.Second
	if slices.Contains(ids, raster.BlockID{}) {
		wait = time.Hour
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestViewsComeInOrderOrAsTheyCome(t *testing.T) {
	for _, isInOrder := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p := dotted(4)
			p.Before = slowFirst
			s := mustNew(t, p, Config{Width: 16, Height: 16, Parallel: 2})
			walk := s.Each
			if isInOrder {
				walk = s.InOrder
			}
			s.config.MaxBytes = 4 * s.maxViewBytes()
			var mu sync.Mutex
			var ranks []int
			err := walk(t.Context(), func(_ context.Context, v *View) error {
				mu.Lock()
				defer mu.Unlock()
				ranks = append(ranks, v.Rank)
				return nil
			})
			if err != nil || len(ranks) != s.Len() {
				t.Fatalf("%d views, %v", len(ranks), err)
			}
			if isInOrder && !slices.IsSorted(ranks) || !isInOrder && ranks[len(ranks)-1] != 0 {
				t.Errorf("in order: %v, ranks %v", isInOrder, ranks)
			}
		})
	}
}

var errOfCaller = errors.New("canceled by the caller")

// A walk ends at once, with the cause, whatever it waits for, and leaves no goroutine: synctest would wait for
// it.
func TestWalksAreCanceledAtOnce(t *testing.T) {
	forever := func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for name, test := range map[string]struct {
		before func(context.Context, int, []raster.BlockID, []int) error
		do     func(context.Context, *View) error
	}{
		"reading": {forever, ignore},
		"done by the caller": {nil, func(ctx context.Context, _ *View) error {
			<-ctx.Done()
			return ctx.Err()
		}},
		"waiting for memory": {slowFirst, ignore},
	} {
		for _, isInOrder := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				p := dotted(8)
				p.Before = test.before
				s := mustNew(t, p, Config{Width: 16, Height: 16, Halo: Halo{1, 1, 1, 1}, Parallel: 2})
				s.config.MaxBytes = 2 * s.maxViewBytes()
				walk := s.Each
				if isInOrder {
					walk = s.InOrder
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				start := time.Now()
				time.AfterFunc(time.Minute, func() { cancel(errOfCaller) })
				if err := walk(ctx, test.do); !errors.Is(err, errOfCaller) {
					t.Errorf("%s: %v", name, err)
				}
				if took := time.Since(start); took != time.Minute {
					t.Errorf("%s: it took %v", name, took)
				}
			})
		}
	}
}

func TestAnErrorOfTheCallerStopsTheWalk(t *testing.T) {
	for _, isInOrder := range []bool{true, false} {
		p := dotted(20)
		s := mustNew(t, p, Config{Width: 16, Height: 16, Parallel: 2})
		s.config.MaxBytes = 3 * s.maxViewBytes()
		walk := s.Each
		if isInOrder {
			walk = s.InOrder
		}
		err := walk(t.Context(), func(ctx context.Context, v *View) error {
			if v.Rank == 5 {
				return errOfCaller
			}
			if v.Rank > 5 {
				<-ctx.Done()
			}
			return nil
		})
		if !errors.Is(err, errOfCaller) || p.BlocksMade() > 5+3 {
			t.Errorf("%v after %d blocks", err, p.BlocksMade())
		}
	}
}

func TestPanicsAreErrors(t *testing.T) {
	panics := func(context.Context, int, []raster.BlockID, []int) error { panic("of the provider") }
	for _, before := range []func(context.Context, int, []raster.BlockID, []int) error{panics, nil} {
		p := dotted(4)
		p.Before = before
		s := mustNew(t, p, Config{Width: 16, Height: 16, Parallel: 2})
		var panicked *cache.PanicError
		if err := s.Each(t.Context(), func(context.Context, *View) error { panic("of the caller") }); !errors.As(err, &panicked) {
			t.Errorf("%v", err)
		}
	}
}

var errDamaged = errors.New("damaged")

// Only the views that need a block that cannot be read fail. The block is read again once, alone.
func TestADamagedBlockFailsTheViewsThatNeedIt(t *testing.T) {
	damaged := raster.BlockID{Col: 2, Row: 1}
	p := dotted(5)
	tries := 0
	p.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
		if slices.Contains(ids, damaged) {
			tries++
			return errDamaged
		}
		return nil
	}
	s := mustNew(t, p, Config{Width: 16, Height: 16, Halo: Halo{Left: 1, Top: 1}, Parallel: 1})
	var failed []Position
	err := s.InOrder(t.Context(), func(_ context.Context, v *View) error {
		tile, err := v.Tile()
		if errors.Is(err, errDamaged) {
			failed = append(failed, v.Position)
			return nil
		}
		if err == nil && tile.IsZero() {
			return fmt.Errorf("view %v has neither pixels nor an error", v.Position)
		}
		return err
	})
	if want := []Position{{2, 1}, {3, 1}, {2, 2}, {3, 2}}; err != nil || !slices.Equal(failed, want) {
		t.Errorf("views %v failed, want %v; %v", failed, want, err)
	}
	if tries != 2 {
		t.Errorf("the damaged block was read %d times", tries)
	}
}

// stalled is the error of a file that does not answer.
type stalled struct{ error }

func (stalled) RetryAfter() time.Duration { return time.Second }

// Blocks are not read one by one from a file that changed, or does not answer.
func TestErrorsOfTheWholeFileAreNotTriedBlockByBlock(t *testing.T) {
	for _, of := range []error{raster.ErrChanged, stalled{errDamaged}} {
		p := dotted(5)
		p.Before = func(context.Context, int, []raster.BlockID, []int) error { return of }
		s := mustNew(t, p, Config{Width: 16, Height: 16, Parallel: 1})
		err := s.InOrder(t.Context(), func(_ context.Context, v *View) error {
			_, err := v.Parts()
			return err
		})
		if !errors.Is(err, of) || p.Calls() != 1 {
			t.Errorf("%v after %d calls", err, p.Calls())
		}
	}
}

// Damage that a block reports is that of the views that show it.
func TestReportedDamageIsThatOfTheViewsThatShowIt(t *testing.T) {
	p := dotted(3)
	p.Lost = func(_ int, r raster.Rect) raster.Damage {
		if r.X0 == 16 && r.Y0 == 16 {
			return raster.NewDamage([]raster.Loss{{Kind: "code-block", Text: "code-block 0"}}, false)
		}
		return raster.Damage{}
	}
	s := mustNew(t, p, Config{Width: 16, Height: 16, Halo: Halo{Right: 1}})
	err := s.InOrder(t.Context(), func(_ context.Context, v *View) error {
		tile, err := v.Tile()
		isDamaged := v.Position.Row == 1 && (v.Position.Column == 0 || v.Position.Column == 1)
		if err == nil && tile.Damage().IsZero() == isDamaged {
			t.Errorf("view %v has the damage %q", v.Position, tile.Damage())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
