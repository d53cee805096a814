package admission_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
)

// train lets dear work end, so that the gate knows the pace.
func (c *crowd) train() {
	for range 10 {
		c.start(c.t.Context(), "training", dear("a"))
	}
	c.work.Wait()
	c.entered = nil
}

// A work that would wait beyond its deadline is refused at once. One that need not wait is not, however
// long it takes by the estimate.
func TestWhatWouldBeLateIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Queue: 100})
		c.train()
		soon, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		detached := context.WithoutCancel(admission.KeepDeadline(soon))
		c.start(detached, "1", admission.Work{Cost: 3 * time.Second})
		c.start(t.Context(), "2", dear("a"))
		c.start(detached, "3", dear("b"))
		c.start(t.Context(), "4", dear("a"))
		c.wantEntered("1")
		got := c.refused["3"]
		if got == nil || got.Reason != admission.Late || got.RetryAfter != 2500*time.Millisecond {
			t.Errorf("got %v", got)
		}
		c.end()
		c.wantEntered("1", "2", "4")
		if late := c.gate.Stats().Lanes[admission.Dear].Late; late != 1 {
			t.Errorf("%d were counted as late, want 1", late)
		}
	})
}

func TestShadowLetsLateWorkWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []*admission.Refusal
		c := newCrowd(t, admission.Config{Queue: 100, Shadow: func(r *admission.Refusal) { told = append(told, r) }})
		c.train()
		soon, cancel := context.WithTimeout(t.Context(), 1100*time.Millisecond)
		defer cancel()
		c.start(t.Context(), "1", dear("a"))
		c.start(soon, "2", dear("b"))
		c.end()
		c.wantEntered("1", "2")
		if len(told) != 1 || told[0].Work.Group != "b" {
			t.Errorf("told of %v", told)
		}
	})
}

// Works that fail at once, that find everything done, or that wait for a file that stalls say nothing
// about how long others take, and the forecast for these remains.
func TestForecastsSurviveUnusualWork(t *testing.T) {
	failing := func(context.Context) error { return errors.New("the file is damaged") }
	tiny := admission.Work{Cost: 201 * time.Millisecond}
	for name, spoil := range map[string]func(c *crowd){
		"fails": func(c *crowd) { c.gate.Run(c.t.Context(), dear("a"), failing) },
		"finds everything done": func(c *crowd) {
			c.gate.Run(c.t.Context(), tiny, func(context.Context) error { time.Sleep(time.Millisecond); return nil })
		},
		"stalls": func(c *crowd) {
			stalled := dear("a")
			stalled.Sources = []admission.Source{{Name: "file"}}
			c.gate.Run(c.t.Context(), stalled, func(ctx context.Context) error {
				defer admission.Wait(ctx)()
				time.Sleep(time.Hour)
				return nil
			})
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newCrowd(t, admission.Config{Queue: 100})
			c.train()
			spoil(c)
			soon, cancel := context.WithTimeout(t.Context(), 1400*time.Millisecond)
			defer cancel()
			c.start(t.Context(), "inside", dear("a"))
			c.start(soon, "late", dear("b"))
			got := c.refused["late"]
			if got == nil || got.RetryAfter < 400*time.Millisecond || got.RetryAfter > 500*time.Millisecond {
				t.Errorf("after a work that %s, one that would be late got %v", name, got)
			}
			c.end()
		})
	}
}
