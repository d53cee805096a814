package overviewbuild_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/layer/overviewbuild"
	"tileserver/pyramid/overview"
)

// ofRequest are the overviews for a nodata value of a request.
type ofRequest struct {
	*fakeOverviews
	noData int
}

func (o ofRequest) Key() string { return fmt.Sprintf("file@1:nodata:%d", o.noData) }

func requested(target overviewbuild.Target, fake *fakeOverviews, noData int) overviewbuild.Target {
	target.Overviews, target.IsRequested = ofRequest{fake, noData}, true
	return target
}

// A layer that is shown in its own styles does not wait for the builds of requests.
func TestStylesDoNotWaitForBuildsOfRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fake, target := newBuilder(t, func(context.Context, func(float64)) error { return nil })
		slow := requested(target, &fakeOverviews{do: func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Hour) }}, 1)
		var busy *overviewbuild.BusyError
		if _, err := b.AwaitUntil(t.Context(), slow, time.After(time.Second)); !errors.As(err, &busy) {
			t.Errorf("the request that needs an hour got the error %v", err)
		}
		began := time.Now()
		mustAwait(t, b, target)
		if took := time.Since(began); took != 0 || len(fake.levels) != 1 {
			t.Errorf("the style waited for %v", took)
		}
		if s := b.Stats(); s.Built != 1 || len(s.Building) != 1 {
			t.Errorf("the builder is %+v", s)
		}
	})
}

// A request with a nodata value of its own waits for the build of the styles, and then plans again: it
// may need no build any more.
func TestStylesComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fake, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Second) })
		go mustAwait(t, b, target)
		synctest.Wait()
		own := &fakeOverviews{do: fake.do}
		if isBuilt, err := b.Await(t.Context(), requested(target, own, 1)); isBuilt || err != nil || len(own.levels) != 0 {
			t.Errorf("while the styles are built, %d builds: %v, %v", len(own.levels), isBuilt, err)
		}
		mustAwait(t, b, requested(target, own, 1))
	})
}

// A client that asks for any number of nodata values gets a few in a while, and the rest is refused at
// once, with the time after which one is allowed.
func TestRequestsHaveAQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fake, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, time.Second) })
		for value := range 4 {
			mustAwait(t, b, requested(target, fake, value))
		}
		const refused = 300
		for value := range refused {
			began := time.Now()
			_, err := b.Await(t.Context(), requested(target, fake, 4+value))
			var busy *overviewbuild.BusyError
			if !errors.As(err, &busy) || time.Since(began) != 0 || !strings.Contains(busy.Message, `"l"`) {
				t.Fatalf("value %d got the error %v after %v", value, err, time.Since(began))
			}
			if busy.RetryAfter != 10*time.Minute-4*time.Second {
				t.Fatalf("value %d may come back after %v", value, busy.RetryAfter)
			}
		}
		if s := b.Stats(); s.Built != 4 || s.Refused != refused {
			t.Errorf("the builder is %+v", s)
		}
		next := requested(target, fake, 3)
		next.Missing = &overview.TooExpensiveError{Level: 3} // of the same overviews
		mustAwait(t, b, next)
		mustAwait(t, b, target)
		other := target
		other.Group = overviewbuild.NewGroup("other")
		mustAwait(t, b, requested(other, fake, 7))
		time.Sleep(10*time.Minute - 6500*time.Millisecond) // the first place is free
		var last sync.WaitGroup
		last.Go(func() { mustAwait(t, b, requested(target, fake, 100)) })
		synctest.Wait()
		if _, err := b.Await(t.Context(), requested(target, fake, 101)); err == nil {
			t.Error("two values took one place")
		}
		last.Wait()
	})
}

// A build is told of from the moment that it is wanted, though it may have to wait.
func TestWaitingBuildsAreToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Memory: 1000})
		b := overviewbuild.New(overviewbuild.Config{Gate: gate, Timeout: overviewbuild.DefaultTimeout})
		t.Cleanup(b.Close)
		_, leave, err := gate.Enter(t.Context(), admission.Work{Purpose: admission.StyleStatistics, Bytes: 1000})
		if err != nil {
			t.Fatal(err)
		}
		fake := &fakeOverviews{do: func(_ context.Context, progress func(float64)) error { progress(0.5); return nil }}
		yes := func() bool { return true }
		target := overviewbuild.Target{
			Group: overviewbuild.NewGroup("l"), DatasetKey: "file@1", Overviews: fake, Missing: new(overview.TooExpensiveError), IsCurrent: yes, IsServed: yes,
		}
		var busy *overviewbuild.BusyError
		over := make(chan time.Time)
		close(over)
		if _, err := b.AwaitUntil(t.Context(), target, over); !errors.As(err, &busy) || !strings.HasSuffix(busy.Message, "0 %") {
			t.Errorf("the first request got the error %v", err)
		}
		if fraction, ok := b.Stats().Building["l"]; !ok || fraction != 0 || len(fake.levels) != 0 {
			t.Errorf("a build that waits has done %v, and is told of: %v", fraction, ok)
		}
		leave()
		mustAwait(t, b, target)
	})
}

// A build of a request stops while there is one for a style, of whichever layer.
func TestBuildsOfRequestsStopForThoseOfStyles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fake, target := newBuilder(t, func(ctx context.Context, _ func(float64)) error { return sleeps(ctx, 10*time.Second) })
		began := time.Now()
		pieces := &fakeOverviews{do: func(ctx context.Context, progress func(float64)) error {
			for range 10 {
				progress(0.5)
				if err := sleeps(ctx, 100*time.Millisecond); err != nil {
					return err
				}
			}
			return nil
		}}
		var all sync.WaitGroup
		all.Go(func() { mustAwait(t, b, requested(target, pieces, 1)) })
		time.Sleep(500 * time.Millisecond)
		other := target
		other.Group = overviewbuild.NewGroup("other")
		mustAwait(t, b, other)
		if s := b.Stats(); len(s.Building) != 1 || len(fake.levels) != 1 {
			t.Errorf("when the style is built, the builder is %+v", s)
		}
		all.Wait()
		if took := time.Since(began); took < 10500*time.Millisecond || took > 12*time.Second {
			t.Errorf("the build of the request took %v", took)
		}
	})
}

// Builds of requests pause while pictures are rendered, from their beginning.
func TestBuildsOfRequestsYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Memory: 1 << 20})
		b := overviewbuild.New(overviewbuild.Config{Gate: gate, Timeout: overviewbuild.DefaultTimeout})
		t.Cleanup(b.Close)
		pieces := func(_ context.Context, progress func(float64)) error {
			for range 100 {
				progress(0.5)
			}
			return nil
		}
		yes := func() bool { return true }
		target := overviewbuild.Target{
			Group: overviewbuild.NewGroup("l"), DatasetKey: "file@1", Overviews: &fakeOverviews{do: pieces}, Missing: new(overview.TooExpensiveError), IsCurrent: yes, IsServed: yes,
		}
		_, leave, err := gate.Enter(t.Context(), admission.Work{}) // a picture
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		mustAwait(t, b, target)
		if took := time.Since(began); took != 0 {
			t.Errorf("the build for the styles paused for %v", took)
		}
		mustAwait(t, b, requested(target, &fakeOverviews{do: pieces}, 1))
		if took := time.Since(began); took < time.Second {
			t.Errorf("the build for requests paused for %v only", took)
		}
		leave()
		began = time.Now()
		mustAwait(t, b, requested(target, &fakeOverviews{do: pieces}, 2))
		if took := time.Since(began); took != 0 {
			t.Errorf("without pictures, it paused for %v", took)
		}
	})
}
