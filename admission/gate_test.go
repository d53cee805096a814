package admission_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
)

const dearCost = time.Second

// A crowd lets work enter a gate, and remembers in which order.
type crowd struct {
	t    *testing.T
	gate *admission.Gate
	work sync.WaitGroup

	mu      sync.Mutex
	entered []string
	refused map[string]*admission.Refusal
}

func newCrowd(t *testing.T, c admission.Config) *crowd {
	return &crowd{t: t, gate: admission.New(c), refused: make(map[string]*admission.Refusal)}
}

// start lets a work enter, which then takes as long as the context says, or else its cost. It returns
// once the work is inside, refused, or waits.
func (c *crowd) start(ctx context.Context, name string, w admission.Work) {
	c.work.Go(func() {
		err := c.gate.Run(ctx, w, func(context.Context) error {
			c.mu.Lock()
			c.entered = append(c.entered, name)
			c.mu.Unlock()
			time.Sleep(w.Cost)
			return nil
		})
		c.mu.Lock()
		defer c.mu.Unlock()
		if refused := new(admission.Refusal); errors.As(err, &refused) {
			c.refused[name] = refused
		}
	})
	synctest.Wait()
}

func (c *crowd) wantEntered(want ...string) {
	c.t.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.entered, want) {
		c.t.Errorf("%v have entered, want %v", c.entered, want)
	}
}

// end waits until nobody is left, and checks that nothing remains.
func (c *crowd) end() {
	c.t.Helper()
	c.work.Wait()
	s := c.gate.Stats()
	for _, l := range s.Lanes {
		if s.Bytes != 0 || l.Working != 0 || l.Waiting != 0 {
			c.t.Errorf("afterwards lane %v is %+v, with %d bytes", l.Lane, l, s.Bytes)
		}
	}
}

func cheap(group string) admission.Work {
	return admission.Work{Group: group, Cost: 10 * time.Millisecond}
}

func dear(group string) admission.Work { return admission.Work{Group: group, Cost: dearCost} }

func TestCheapWorkPassesDear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 2, Dear: 1, Queue: 10})
		for _, name := range []string{"dear 1", "dear 2"} {
			c.start(t.Context(), name, dear("a"))
		}
		for _, name := range []string{"cheap 1", "cheap 2", "cheap 3"} {
			c.start(t.Context(), name, cheap("b"))
		}
		c.wantEntered("dear 1", "cheap 1", "cheap 2")
		time.Sleep(20 * time.Millisecond)
		c.wantEntered("dear 1", "cheap 1", "cheap 2", "cheap 3")
		c.end()
	})
}

func TestLayersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Queue: 10})
		for _, group := range []string{"a", "a", "a", "b", "c", "b"} {
			c.start(t.Context(), group, dear(group))
		}
		c.end()
		c.wantEntered("a", "a", "b", "c", "a", "b")
	})
}

// A visit gets its memory with its slot, and holds neither while it waits for the other.
func TestMemoryComesWithTheSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 2, Dear: 2, Queue: 10, Memory: 100})
		of := func(bytes int64) admission.Work {
			return admission.Work{Group: "a", Cost: dearCost, Bytes: bytes}
		}
		c.start(t.Context(), "60", of(60))
		c.start(t.Context(), "50", of(50)) // over the share of dear work
		c.start(t.Context(), "10", of(10)) // does not overtake
		c.wantEntered("60")
		if used := c.gate.Stats().Bytes; used != 60 {
			t.Errorf("%d bytes are reserved, want 60", used)
		}
		time.Sleep(dearCost)
		synctest.Wait()
		if used := c.gate.Stats().Bytes; used != 60 {
			t.Errorf("then %d bytes are reserved, want 50 and 10", used)
		}
		c.end()
	})
}

func TestDearWorkLeavesMemoryForCheap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 2, Dear: 2, Queue: 10, Memory: 100})
		for _, name := range []string{"dear 1", "dear 2"} {
			c.start(t.Context(), name, admission.Work{Cost: dearCost, Bytes: 40})
		}
		c.start(t.Context(), "cheap", admission.Work{Cost: time.Millisecond, Bytes: 25})
		c.wantEntered("dear 1", "cheap")
		c.end()
	})
}

// A picture that needs all of the memory gets it, though cheap ones come all the time.
func TestTheLargestWorkIsNotStarved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 2, Dear: 2, Queue: 100, Memory: 100})
		for range 3 {
			c.start(t.Context(), "cheap", admission.Work{Cost: 10 * time.Millisecond, Bytes: 20})
		}
		c.start(t.Context(), "whole", admission.Work{Cost: dearCost, Bytes: 100})
		for range 3 {
			c.start(t.Context(), "cheap", admission.Work{Cost: 10 * time.Millisecond, Bytes: 20})
		}
		c.end()
		c.wantEntered("cheap", "cheap", "whole", "cheap", "cheap", "cheap", "cheap")
		_, _, err := c.gate.Enter(t.Context(), admission.Work{Bytes: 101})
		if !errors.Is(err, cache.ErrOverBudget) {
			t.Errorf("more than all of the memory: got %v", err)
		}
	})
}

func TestAFullQueueRefusesTheLongestGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Queue: 3})
		for _, name := range []string{"a1", "a2", "a3", "a4", "a5", "b1", "b2"} {
			c.start(t.Context(), name, dear(name[:1]))
		}
		c.end()
		c.wantEntered("a1", "a2", "b1", "a3")
		for _, name := range []string{"a4", "a5", "b2"} {
			if got := c.refused[name]; got == nil || got.Reason != admission.Full || got.Lane != admission.Dear {
				t.Errorf("%s: got %v", name, got)
			}
		}
	})
}

func TestCanceledWorkLeavesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Queue: 10, Memory: 100})
		ctx, cancel := context.WithCancel(t.Context())
		c.start(t.Context(), "first", admission.Work{Cost: dearCost, Bytes: 60})
		c.start(ctx, "canceled", admission.Work{Cost: dearCost, Bytes: 60})
		c.start(t.Context(), "last", admission.Work{Cost: dearCost, Bytes: 30})
		cancel()
		c.end()
		c.wantEntered("first", "last")
		if _, _, err := c.gate.Enter(ctx, cheap("a")); !errors.Is(err, context.Canceled) {
			t.Errorf("a canceled context: got %v", err)
		}
	})
}

// Everything that no request waits for has a lane of its own.
func TestPurposesHaveTheirLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Queue: 10})
		for name, purpose := range map[string]admission.Purpose{
			"style": admission.StyleStatistics, "request": admission.RequestStatistics, "overviews": admission.OverviewBuild,
		} {
			c.work.Go(func() {
				c.gate.Run(t.Context(), admission.Work{Purpose: purpose}, func(ctx context.Context) error {
					if !admission.IsDear(ctx) {
						t.Errorf("%s: its tasks are cheap", name)
					}
					time.Sleep(time.Second)
					return nil
				})
			})
		}
		synctest.Wait()
		if working, waiting := c.gate.Load(); working+waiting != 0 {
			t.Errorf("%d answers are at work and %d wait", working, waiting)
		}
		c.start(t.Context(), "cheap", cheap("a"))
		c.start(t.Context(), "dear", dear("a"))
		c.wantEntered("cheap", "dear")
		c.end()
	})
}

func TestSlotsThatAreAddedLetWorkIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 1, Queue: 9})
		for _, name := range []string{"first", "second", "third"} {
			c.start(t.Context(), name, cheap(name))
		}
		c.wantEntered("first")
		c.gate.AddCheapSlots(1)
		c.wantEntered("first", "second")
		c.end()
	})
}
