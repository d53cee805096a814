package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var errBadBlock = errors.New("bad block")

func failAfterASecond(context.Context, []int) ([]text, error) {
	time.Sleep(time.Second)
	return nil, errBadBlock
}

func TestJoinerDoesNotInheritAnothersError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, text](New(1<<20), "texts")
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := s.Fetch(t.Context(), []int{1, 2}, failAfterASecond); !errors.Is(err, errBadBlock) {
				t.Errorf("the caller whose load failed: got error %v, want %v", err, errBadBlock)
			}
		})
		synctest.Wait()
		var l loader
		for range 5 {
			wg.Go(func() { wantTexts(t, s, []int{2, 3}, l.load) })
			synctest.Wait()
		}
		wg.Wait()
		// One of the five loads key 2 again, and the others join it.
		if got, want := l.asked(), "[[3] [2]]"; got != want {
			t.Errorf("loads = %s, want %s", got, want)
		}
		wantNothingLoading(t, s)
	})
}

// If every load fails, each caller gets the error of its own load. The last one fails after three
// loads, not after all of them.
func TestJoinersOfFailingLoadsDoNotQueueUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, text](New(1<<20), "texts")
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				own := fmt.Errorf("caller %d", i)
				_, err := s.Fetch(t.Context(), []int{1}, func(context.Context, []int) ([]text, error) {
					time.Sleep(time.Second)
					return nil, own
				})
				if err != own {
					t.Errorf("got error %v, want %v", err, own)
				}
			})
		}
		wg.Wait()
		if got := time.Since(began); got > 3*time.Second {
			t.Errorf("the last caller failed after %v, want 3s at most", got)
		}
		wantNothingLoading(t, s)
	})
}

func TestJoinerDoesNotInheritAnothersCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, text](New(1<<20), "texts")
		ctx, leave := context.WithCancel(t.Context())
		var l loader
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := s.Fetch(ctx, []int{1, 2}, l.load); !errors.Is(err, context.Canceled) {
				t.Errorf("the caller that left: got error %v, want %v", err, context.Canceled)
			}
		})
		synctest.Wait()
		wg.Go(func() { wantTexts(t, s, []int{2}, l.load) })
		synctest.Wait()
		leave()
		wg.Wait()
		if got, want := l.asked(), "[[1 2]]"; got != want {
			t.Errorf("loads = %s, want %s: the load goes on for the one who stayed", got, want)
		}
	})
}

func TestPanickingLoaderIsAnError(t *testing.T) {
	for name, c := range map[string]*Cache{"cache": New(1 << 20), "no cache": nil} {
		t.Run(name, func(t *testing.T) {
			s := NewSpace[int, text](c, "texts")
			_, err := s.Fetch(t.Context(), []int{1}, func(context.Context, []int) ([]text, error) { panic(errBadBlock) })
			panicked, ok := errors.AsType[*PanicError](err)
			if !ok || !errors.Is(err, errBadBlock) {
				t.Fatalf("got error %v, want a PanicError of %v", err, errBadBlock)
			}
			if !strings.Contains(string(panicked.Stack), "TestPanickingLoaderIsAnError") {
				t.Errorf("the stack does not show who panicked:\n%s", panicked.Stack)
			}
			wantTexts(t, s, []int{1}, func(_ context.Context, keys []int) ([]text, error) { return textsOf(keys), nil })
		})
	}
}

type panickingSize struct{}

func (panickingSize) Size() int64 { panic("no size") }

func TestPanickingSizeIsAnError(t *testing.T) {
	s := NewSpace[int, panickingSize](New(1<<20), "values")
	_, err := s.FetchOne(t.Context(), 1, func(context.Context) (panickingSize, error) { return panickingSize{}, nil })
	if _, ok := errors.AsType[*PanicError](err); !ok {
		t.Errorf("got error %v, want a PanicError", err)
	}
}

func TestLoaderThatEndsItsGoroutineIsAnError(t *testing.T) {
	s := NewSpace[int, text](New(1<<20), "texts")
	_, err := s.Fetch(t.Context(), []int{1}, func(context.Context, []int) ([]text, error) { runtime.Goexit(); return nil, nil })
	if !errors.Is(err, errLoadExited) {
		t.Errorf("got error %v, want %v", err, errLoadExited)
	}
	wantNothingLoading(t, s)
}

func TestWrongCountIsAnError(t *testing.T) {
	for name, c := range map[string]*Cache{"cache": New(1 << 20), "no cache": nil} {
		for _, count := range []int{0, 1, 3} {
			t.Run(fmt.Sprintf("%s/%d for 2", name, count), func(t *testing.T) {
				s := NewSpace[int, text](c, "texts")
				got, err := s.Fetch(t.Context(), []int{1, 2}, func(context.Context, []int) ([]text, error) {
					return make([]text, count), nil
				})
				if !errors.Is(err, ErrWrongCount) || got != nil {
					t.Errorf("got %q, error %v; want none, %v", got, err, ErrWrongCount)
				}
			})
		}
	}
}

func failLoad(context.Context, []int) ([]text, error) { return nil, errBadBlock }
