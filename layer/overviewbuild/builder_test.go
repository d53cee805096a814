package overviewbuild_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/layer/overviewbuild"
	"tileserver/pyramid/overview"
	"tileserver/raster"
)

// fakeOverviews count their builds, which call do.
type fakeOverviews struct {
	do func(ctx context.Context, progress func(float64)) error

	mu     sync.Mutex
	levels []int // that were built
}

func (*fakeOverviews) Key() string { return "file@1" }

func (*fakeOverviews) BuildBytes(*overview.TooExpensiveError) int64 { return 1000 }

func (o *fakeOverviews) Build(ctx context.Context, missing *overview.TooExpensiveError, progress func(float64)) error {
	o.mu.Lock()
	o.levels = append(o.levels, missing.Level)
	o.mu.Unlock()
	return o.do(ctx, progress)
}

// newBuilder returns a builder with a timeout of 20 seconds, and a target of layer "l".
func newBuilder(t *testing.T, do func(ctx context.Context, progress func(float64)) error) (*overviewbuild.Builder, *fakeOverviews, overviewbuild.Target) {
	b := overviewbuild.New(overviewbuild.Config{Gate: admission.New(admission.Config{Memory: 4000}), Timeout: overviewbuild.DefaultTimeout})
	t.Cleanup(b.Close)
	fake := &fakeOverviews{do: do}
	yes := func() bool { return true }
	return b, fake, overviewbuild.Target{
		Group: overviewbuild.NewGroup("l"), DatasetKey: "file@1", Overviews: fake, Missing: &overview.TooExpensiveError{Level: 5},
		IsCurrent: yes, IsServed: yes,
	}
}

func sleeps(ctx context.Context, pause time.Duration) error {
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func mustAwait(t *testing.T, b *overviewbuild.Builder, target overviewbuild.Target) {
	t.Helper()
	if isBuilt, err := b.Await(t.Context(), target); !isBuilt || err != nil {
		t.Errorf("level %d is built: %v, %v", target.Missing.Level, isBuilt, err)
	}
}

func TestCallersShareABuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fake, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Second) })
		var wait sync.WaitGroup
		for range 12 {
			wait.Go(func() { mustAwait(t, b, target) })
		}
		wait.Wait()
		if s := b.Stats(); len(fake.levels) != 1 || s.Built != 1 || s.Failed != 0 || len(s.Building) != 0 {
			t.Errorf("%d builds, and the builder is %+v", len(fake.levels), s)
		}
	})
}

// A group has one build at a time. Callers with another target must plan again.
func TestBuildsOfAGroupFollowEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fake, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Second) })
		go mustAwait(t, b, target)
		synctest.Wait()
		target.Missing = &overview.TooExpensiveError{Level: 6}
		if isBuilt, err := b.Await(t.Context(), target); isBuilt || err != nil {
			t.Errorf("the second level is built with the first: %v, %v", isBuilt, err)
		}
		mustAwait(t, b, target)
		if fmt.Sprint(fake.levels) != "[5 6]" {
			t.Errorf("the levels %v were built", fake.levels)
		}
	})
}

// A build continues after all callers that waited for it have left.
func TestBuildsOutliveRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Minute) })
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		if _, err := b.Await(ctx, target); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller that left got the error %v", err)
		}
		timeout := time.After(time.Second)
		var busy *overviewbuild.BusyError
		if _, err := b.AwaitUntil(t.Context(), target, timeout); !errors.As(err, &busy) {
			t.Errorf("the caller that waits no longer got the error %v", err)
		}
		time.Sleep(time.Minute)
		if s := b.Stats(); s.Built != 1 {
			t.Errorf("the builder is %+v", s)
		}
	})
}

// Callers that choose how long to wait are bounded, for each build and in all.
func TestFewCallersWaitForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Minute) })
		refused := make(map[string]int)
		var mu sync.Mutex
		var waiting sync.WaitGroup
		ask := func(layer string, group *overviewbuild.Group, callers int) {
			of := target
			of.Group = group
			for range callers {
				waiting.Go(func() {
					began, busy := time.Now(), (*overviewbuild.BusyError)(nil)
					_, err := b.AwaitUntil(t.Context(), of, time.After(time.Hour))
					if err != nil && (!errors.As(err, &busy) || !strings.Contains(busy.Message, "are being built: 0 %") || time.Since(began) != 0) {
						t.Errorf("after %v: %v", time.Since(began), err)
					}
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						refused[layer]++
					}
				})
			}
			synctest.Wait()
		}
		for _, layer := range []string{"a", "b", "c", "d", "e"} {
			ask(layer, overviewbuild.NewGroup(layer), 60)
		}
		group := overviewbuild.NewGroup("f")
		ask("f", group, 10)
		waiting.Wait()
		synctest.Wait() // the build for those that were refused ends now, too
		ask("f", group, 100)
		waiting.Wait()
		if want := map[string]int{"e": 60 - (256 - 4*60), "f": 10 + 100 - 64}; !maps.Equal(refused, want) {
			t.Errorf("refused are %v, want %v", refused, want)
		}
	})
}

func TestLongBuildsSayWhenToRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, target := newBuilder(t, func(ctx context.Context, progress func(float64)) error {
			progress(0.8)
			return sleeps(ctx, 25*time.Second)
		})
		var busy *overviewbuild.BusyError
		_, err := b.Await(t.Context(), target)
		if !errors.As(err, &busy) || busy.Message != `the overviews of layer "l" are being built: 80 %` || busy.RetryAfter.Round(time.Second) != 5*time.Second {
			t.Errorf("after the timeout the error is %+v", err)
		}
		if s := b.Stats(); s.Building["l"] != 0.8 {
			t.Errorf("the builder is %+v", s)
		}
	})
}

// A failure is reported for a while; then the build is tried again.
func TestFailedBuildsAreReportedAndRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		torn := errors.New("the disk is torn")
		failure := torn
		b, fake, target := newBuilder(t, func(context.Context, func(float64)) error { return failure })
		for range 5 {
			if _, err := b.Await(t.Context(), target); !errors.Is(err, torn) {
				t.Fatalf("got the error %v", err)
			}
		}
		if s := b.Stats(); s.Failed != 1 || len(s.Building) != 0 || len(fake.levels) != 1 {
			t.Errorf("after %d builds, the builder is %+v", len(fake.levels), s)
		}
		failure = nil
		if _, err := b.Await(t.Context(), target); !errors.Is(err, torn) {
			t.Errorf("at once, it was tried again: %v", err)
		}
		time.Sleep(time.Minute)
		mustAwait(t, b, target)
	})
}

// The builds of a removed layer are canceled, and start again if it comes back.
func TestRemovedLayersHaveNoBuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fake, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Second) })
		result := make(chan error)
		go func() {
			_, err := b.Await(t.Context(), target)
			result <- err
		}()
		synctest.Wait()
		b.Stop(target.Group)
		var busy *overviewbuild.BusyError
		if err := <-result; !errors.As(err, &busy) {
			t.Errorf("the caller that waited got the error %v", err)
		}
		if _, err := b.Await(t.Context(), target); !errors.As(err, &busy) || len(fake.levels) != 1 {
			t.Errorf("a later caller got the error %v", err)
		}
		if s := b.Stats(); s.Failed != 0 || s.Built != 0 {
			t.Errorf("the builder is %+v", s)
		}
		b.Resume(target.Group)
		mustAwait(t, b, target)
	})
}

// A superseded version neither uses nor cancels the build of the current one, which cancels that of
// a superseded one.
func TestBuildsOfSupersededVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Second) })
		result := make(chan error)
		go func() {
			_, err := b.Await(t.Context(), target)
			result <- err
		}()
		synctest.Wait()
		superseded := target
		superseded.DatasetKey, superseded.IsCurrent = "file@0", func() bool { return false }
		if _, err := b.Await(t.Context(), superseded); !errors.Is(err, raster.ErrChanged) {
			t.Errorf("the superseded version got the error %v", err)
		}
		replaced, next := target, target
		replaced.DatasetKey, replaced.IsServed = "file@2", func() bool { return false }
		ctx, leave := context.WithCancel(t.Context())
		leave()
		if _, err := b.Await(ctx, replaced); !errors.Is(err, context.Canceled) || len(b.Stats().Building) != 1 {
			t.Errorf("after the replaced layer got the error %v, the builder is %+v", err, b.Stats())
		}
		next.DatasetKey, next.Overviews = "file@2", &fakeOverviews{do: func(context.Context, func(float64)) error { return nil }}
		if _, err := b.Await(t.Context(), next); !errors.Is(err, raster.ErrChanged) {
			t.Errorf("the next version, which met the build, got the error %v", err)
		}
		if err := <-result; !errors.Is(err, raster.ErrChanged) {
			t.Errorf("the caller of the superseded build got the error %v", err)
		}
		time.Sleep(time.Minute) // failures are kept for a while
		mustAwait(t, b, next)
	})
}

func TestCloseCancelsBuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Hour) })
		result := make(chan error)
		go func() {
			_, err := b.Await(t.Context(), target)
			result <- err
		}()
		synctest.Wait()
		b.Close()
		var busy *overviewbuild.BusyError
		if err := <-result; !errors.As(err, &busy) {
			t.Errorf("the waiting caller got the error %v", err)
		}
		if _, err := b.Await(t.Context(), target); !errors.As(err, &busy) {
			t.Errorf("a later caller got the error %v", err)
		}
	})
}

// Overviews that need more memory than the budget are an error, not a wait without end.
func TestBuildsReserveMemory(t *testing.T) {
	b := overviewbuild.New(overviewbuild.Config{Gate: admission.New(admission.Config{Memory: 999}), Timeout: -1})
	defer b.Close()
	target := overviewbuild.Target{
		Group: overviewbuild.NewGroup("l"), Overviews: new(fakeOverviews), Missing: new(overview.TooExpensiveError),
		IsCurrent: func() bool { return true }, IsServed: func() bool { return true },
	}
	if _, err := b.Await(t.Context(), target); !errors.Is(err, cache.ErrOverBudget) {
		t.Errorf("got the error %v", err)
	}
}

// Builds that wait for a disk that stalls leave the slots of builds to layers on other disks.
func TestAStalledDiskStopsNoOtherBuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, target := newBuilder(t, func(context.Context, func(float64)) error { return nil })
		stalled := target
		stalled.Overviews = &fakeOverviews{do: func(ctx context.Context, _ func(float64)) error {
			defer admission.Wait(ctx)()
			return sleeps(ctx, time.Hour)
		}}
		for file := range 2 { // as many as builds at a time
			name := fmt.Sprint(file)
			stalled.Group, stalled.Source = overviewbuild.NewGroup(name), admission.Source{Name: name, Storage: "disk"}
			var busy *overviewbuild.BusyError
			if _, err := b.AwaitUntil(t.Context(), stalled, time.After(time.Second)); !errors.As(err, &busy) {
				t.Errorf("a build that stalls got the error %v", err)
			}
		}
		if isBuilt, err := b.AwaitUntil(t.Context(), target, time.After(time.Minute)); !isBuilt || err != nil {
			t.Errorf("beside builds that stall, another one is built: %v, %v", isBuilt, err)
		}
	})
}
