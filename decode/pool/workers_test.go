package pool

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
)

// dearContext returns a context of dear work that reads storages.
func dearContext(t *testing.T, storages ...string) context.Context {
	t.Helper()
	work := admission.Work{Cost: time.Hour}
	for _, name := range storages {
		work.Sources = append(work.Sources, admission.Source{Storage: name})
	}
	ctx, leave, err := admission.New(admission.Config{}).Enter(t.Context(), work)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(leave)
	return ctx
}

// tasks returns a batch whose tasks take a second each and note their name when they begin.
func (n *notes) tasks(name string, count int) *countingBatch {
	return &countingBatch{count: count, do: func(int) error {
		n.mu.Lock()
		n.names = append(n.names, name)
		n.mu.Unlock()
		time.Sleep(time.Second)
		return nil
	}}
}

type notes struct {
	mu    sync.Mutex
	names []string
}

// Cheap tasks overtake dear ones, of which one in four goes on.
func TestCheapTasksComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, begun := poolOf(1), new(notes)
		var calls sync.WaitGroup
		run := func(ctx context.Context, name string, count int) {
			calls.Go(func() {
				if err := pool.Run(ctx, begun.tasks(name, count)); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		run(dearContext(t), "dear", 4)
		for range 6 {
			run(t.Context(), "cheap", 1)
		}
		calls.Wait()
		want := []string{"dear", "cheap", "cheap", "cheap", "dear", "cheap", "cheap", "cheap", "dear", "dear"}
		if !slices.Equal(begun.names, want) {
			t.Errorf("began %v, want %v", begun.names, want)
		}
		if busy := pool.Stats().Busy; busy != 0 {
			t.Errorf("%d workers were never released", busy)
		}
	})
}

// A call that gave its workers to others takes all of them again once they are free.
func TestDearTasksUseAllFreeWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, begun := poolOf(2), new(notes)
		dear := begun.tasks("dear", 20)
		var calls sync.WaitGroup
		calls.Go(func() { pool.Run(dearContext(t), dear) })
		synctest.Wait()
		for range 4 {
			calls.Go(func() { pool.Run(t.Context(), begun.tasks("cheap", 1)) })
		}
		start := time.Now()
		calls.Wait()
		if took := time.Since(start); took > 13*time.Second {
			t.Errorf("24 tasks on two workers took %v", took)
		}
	})
}

// While many cached answers pass, dear tasks give way before each, and cheap ones never do.
func TestDearTasksGiveWayToCachedAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		yields := 0
		gate := admission.New(admission.Config{Yield: func() { yields++ }})
		for _, test := range []struct {
			name  string
			cost  time.Duration
			rate  int
			count int
		}{{"dear, alone", time.Hour, 0, 0}, {"dear", time.Hour, 400, 5}, {"cheap", 0, 400, 0}} {
			ctx, leave, err := gate.Enter(t.Context(), admission.Work{Cost: test.cost})
			if err != nil {
				t.Fatal(err)
			}
			admission.MustLeaveCore(ctx) // a period begins
			for range test.rate {
				gate.CountCached()
			}
			time.Sleep(time.Second)
			yields = 0
			batch := &countingBatch{count: 5, do: func(int) error { return nil }}
			if err := poolOf(1).Run(ctx, batch); err != nil || yields != test.count {
				t.Errorf("%s: five tasks yield %d times, want %d; %v", test.name, yields, test.count, err)
			}
			leave()
		}
	})
}

// While many cached answers pass, dear work leaves them a worker, and takes it again afterwards. Cheap
// work takes all.
func TestDearTasksLeaveACoreToCachedAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Dear: 2})
		enter := func() context.Context {
			ctx, leave, err := gate.Enter(t.Context(), admission.Work{Cost: time.Hour})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(leave)
			return ctx
		}
		one, other := enter(), enter()
		pool, begun := poolOf(3), new(notes)
		var calls sync.WaitGroup
		calls.Go(func() { pool.Run(one, begun.tasks("one", 200)) })
		calls.Go(func() { pool.Run(other, begun.tasks("other", 200)) })
		pass := func(seconds, rate int) {
			for range seconds * rate {
				gate.CountCached()
				time.Sleep(time.Second / time.Duration(rate))
			}
			synctest.Wait()
		}
		for _, step := range []struct {
			name          string
			seconds, rate int
			busy          int
		}{{"alone", 3, 1, 3}, {"beside few", 3, 20, 3}, {"beside many", 3, 400, 2}, {"alone again", 5, 1, 3}} {
			pass(step.seconds, step.rate)
			if busy := pool.Stats().Busy; busy != step.busy {
				t.Errorf("%s: %d workers, want %d", step.name, busy, step.busy)
			}
		}
		pass(3, 400)
		calls.Go(func() { pool.Run(t.Context(), begun.tasks("cheap", 1)) })
		synctest.Wait()
		if busy := pool.Stats().Busy; busy != 3 {
			t.Errorf("with cheap work: %d workers, want 3", busy)
		}
		calls.Wait()
		if busy := pool.Stats().Busy; busy != 0 {
			t.Errorf("%d workers were never released", busy)
		}
	})
}
