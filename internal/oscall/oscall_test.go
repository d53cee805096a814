package oscall

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// seven is a call that ends at once.
func seven() (int, error) { return 7, nil }

// Callers leave calls that hang. As many calls hang as there are threads; a further one waits for a
// thread, and fails at once when nobody waits for the calls any more.
func TestCallsThatHangAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const count = 3
		threads, hanging := NewThreads(count), make(chan struct{})
		var begun atomic.Int64
		hang := func() (int, error) { begun.Add(1); <-hanging; return 0, nil }
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var callers sync.WaitGroup
		for range count + 2 {
			callers.Go(func() {
				if _, err := Make(ctx, threads, hang); !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		if begun.Load() != count || threads.Hanging() != count {
			t.Errorf("%d calls were made and %d hang, want %d", begun.Load(), threads.Hanging(), count)
		}
		began, full := time.Now(), new(HangingError)
		if _, err := Make(t.Context(), threads, hang); !errors.As(err, &full) || full.Calls != count || time.Since(began) > 0 {
			t.Errorf("a further call: %v after %v", err, time.Since(began))
		}
		close(hanging)
		synctest.Wait()
		if got, err := Make(t.Context(), threads, seven); got != 7 || err != nil || threads.Hanging() != 0 {
			t.Errorf("when calls end again: %d, %v, %d hang", got, err, threads.Hanging())
		}
	})
}

// Calls that wait for each other are no fault of a device that answers. Those that wait for too long are
// not made.
func TestTheLimitOfACallBeginsWhenItHasAThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit, takes = 2 * time.Second, 1500 * time.Millisecond
		threads := NewThreads(1)
		var answered, busy atomic.Int64
		ask := func() {
			_, err := MakeWithin(t.Context(), threads, limit, func() (int, error) { time.Sleep(takes); return seven() })
			switch {
			case err == nil:
				answered.Add(1)
			case errors.Is(err, ErrBusy):
				busy.Add(1)
			default:
				t.Error(err)
			}
		}
		var callers sync.WaitGroup
		for range 5 {
			callers.Go(ask)
		}
		callers.Wait()
		if answered.Load() != 2 || busy.Load() != 3 || threads.Hanging() != 0 {
			t.Errorf("%d calls were answered, %d not made, and %d hang", answered.Load(), busy.Load(), threads.Hanging())
		}
	})
}

// A call that takes longer than it may is left.
func TestACallThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		threads, began, slow := NewThreads(1), time.Now(), new(TimeoutError)
		_, err := MakeWithin(t.Context(), threads, time.Second, func() (int, error) { time.Sleep(time.Minute); return seven() })
		if !errors.As(err, &slow) || slow.Limit != time.Second || time.Since(began) != time.Second || threads.Hanging() != 1 {
			t.Errorf("after %v, %v, and %d calls hang", time.Since(began), err, threads.Hanging())
		}
		time.Sleep(time.Minute)
	})
}

// A caller that leaves when its call ends counts no call as hanging.
func TestLeavingAtTheEndOfACall(t *testing.T) {
	threads := NewThreads(2)
	for range 1000 {
		ctx, cancel := context.WithCancel(t.Context())
		_, _ = Make(ctx, threads, func() (int, error) { go cancel(); return seven() })
		cancel()
	}
	for len(threads.slots) > 0 { // the last call is about to end
		if got, err := Make(t.Context(), threads, seven); got != 7 || err != nil {
			t.Fatal(got, err)
		}
	}
	if threads.Hanging() != 0 {
		t.Errorf("%d calls hang", threads.Hanging())
	}
}

func TestNoCallIsMadeForACallerThatHasLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, threads := range []*Threads{nil, NewThreads(1)} {
		if got, err := Make(ctx, threads, seven); got != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d, %v", got, err)
		}
		if got, err := Make(t.Context(), threads, seven); got != 7 || err != nil {
			t.Errorf("for another caller: %d, %v", got, err)
		}
	}
}
