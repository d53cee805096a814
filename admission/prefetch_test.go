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
)

// prefetching runs prefetches of a gate, each for a second.
type prefetching struct {
	mu                     sync.Mutex
	begun, done, outranked []string
	inside, most           int
}

func (p *prefetching) start(ctx context.Context, gate *admission.Gate, name string, w admission.Work) {
	go func() {
		err := gate.RunPrefetch(ctx, w, func(ctx context.Context) error {
			p.enter(name)
			defer p.leave()
			select {
			case <-time.After(time.Second):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case err == nil:
			p.done = append(p.done, name)
		case errors.Is(err, admission.ErrOutranked):
			p.outranked = append(p.outranked, name)
		}
	}()
	synctest.Wait()
}

func (p *prefetching) enter(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = append(p.begun, name)
	p.inside++
	p.most = max(p.most, p.inside)
}

func (p *prefetching) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inside--
}

// now returns how many are inside.
func (p *prefetching) now() int {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inside
}

func (p *prefetching) want(t *testing.T, when string, done, outranked []string) {
	t.Helper()
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.Sort(p.done)
	if !slices.Equal(p.done, done) || !slices.Equal(p.outranked, outranked) {
		t.Errorf("%s, %v are done and %v were outranked; want %v and %v", when, p.done, p.outranked, done, outranked)
	}
}

func TestPrefetchesTakeTheSlotsThatAnswersLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newCrowd(t, admission.Config{Cheap: 3, Queue: 9}), new(prefetching)
		busy := cheap("a")
		busy.Cost = 100 * time.Millisecond
		c.start(t.Context(), "answer", busy)
		for _, name := range []string{"1", "2", "3"} {
			p.start(t.Context(), c.gate, name, admission.Work{Group: "a"})
		}
		if n := p.now(); n != 2 {
			t.Errorf("%d prefetches are inside beside an answer, want 2", n)
		}
		time.Sleep(100 * time.Millisecond)
		if n := p.now(); n != 3 {
			t.Errorf("%d prefetches are inside once the answer has left, want 3", n)
		}
		if working, waiting := c.gate.Load(); working+waiting != 0 {
			t.Errorf("%d answers are inside and %d wait, but there are prefetches only", working, waiting)
		}
		time.Sleep(2 * time.Second)
		p.want(t, "in the end", []string{"1", "2", "3"}, nil)
		c.end()
	})
}

func TestPrefetchesAreFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, p := admission.New(admission.Config{Cheap: 100}), new(prefetching)
		for range 20 {
			p.start(t.Context(), gate, "one", admission.Work{})
		}
		time.Sleep(time.Minute)
		p.now()
		if p.most != 4 || len(p.done) != 20 {
			t.Errorf("%d are inside at a time and %d done, want 4 and 20", p.most, len(p.done))
		}
	})
}

// Those that came last have loaded least. They are canceled first.
func TestPrefetchesGiveWayToAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newCrowd(t, admission.Config{Cheap: 3, Queue: 9}), new(prefetching)
		for _, name := range []string{"1", "2", "3"} {
			p.start(t.Context(), c.gate, name, admission.Work{})
		}
		c.start(t.Context(), "answer 1", cheap("a"))
		p.want(t, "beside an answer", nil, []string{"3"})
		c.start(t.Context(), "answer 2", cheap("a"))
		p.want(t, "beside two answers", nil, []string{"3", "2"})
		c.wantEntered("answer 1", "answer 2")
		time.Sleep(2 * time.Second)
		p.want(t, "in the end", []string{"1"}, []string{"3", "2"})
		c.end()
	})
}

func TestNothingIsPrefetchedBesideDearWork(t *testing.T) {
	for name, w := range map[string]admission.Work{
		"answer": dear("a"), "statistics": {Purpose: admission.StyleStatistics, Cost: dearCost}, "overviews": {Purpose: admission.OverviewBuild, Cost: dearCost},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, p := newCrowd(t, admission.Config{Cheap: 4, Queue: 9}), new(prefetching)
			p.start(t.Context(), c.gate, "before", admission.Work{})
			c.start(t.Context(), name, w)
			p.start(t.Context(), c.gate, "beside", admission.Work{})
			p.want(t, name, nil, []string{"before"})
			time.Sleep(dearCost)
			c.wantEntered(name)
			time.Sleep(dearCost)
			p.want(t, name, []string{"beside"}, []string{"before"})
			c.end()
		})
	}
}

// Answers that wait for a network leave their slots. A prefetch that has one gives it back.
func TestPrefetchesGiveBackSlotsThatWereLent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, p := admission.New(admission.Config{Cheap: 2, Queue: 9}), new(prefetching)
		_, goOn := await(t, gate, 2, far("a"))
		p.start(t.Context(), gate, "1", admission.Work{})
		if n := p.now(); n != 1 {
			t.Errorf("%d prefetches are inside beside answers that wait", n)
		}
		close(goOn)
		p.want(t, "once the answers go on", nil, []string{"1"})
		time.Sleep(time.Second)
	})
}

func TestNothingIsPrefetchedForACrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, p := admission.New(admission.Config{Cheap: 2}), new(prefetching)
		gate.RunPrefetch(t.Context(), admission.Work{}, func(context.Context) error { return nil })
		for range 100 {
			gate.CountCached()
		}
		time.Sleep(300 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		p.start(ctx, gate, "1", admission.Work{})
		time.Sleep(6 * time.Second)
		p.now()
		if len(p.begun) != 0 {
			t.Error("a prefetch entered although cached answers come in a crowd")
		}
	})
}

func TestAPrefetchThatIsCanceledWhileItWaitsLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newCrowd(t, admission.Config{Cheap: 1, Queue: 9}), new(prefetching)
		c.start(t.Context(), "answer", cheap("a"))
		ctx, cancel := context.WithCancel(t.Context())
		p.start(ctx, c.gate, "1", admission.Work{Bytes: 10})
		cancel()
		synctest.Wait()
		c.end()
		p.want(t, "in the end", nil, nil)
		if len(p.begun) != 0 {
			t.Error("it entered")
		}
	})
}
