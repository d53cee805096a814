package pool

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
)

// dearContext returns a context of dear work.
func dearContext(t *testing.T) context.Context {
	t.Helper()
	ctx, leave, err := admission.New(admission.Config{}).Enter(t.Context(), admission.Work{Cost: time.Hour})
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

// Dear work leaves a part of the budget to cheap work, also where one call needs more than its part.
func TestDearWorkLeavesBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := New(Config{Budget: cache.NewBudget(100)})
		dear := dearContext(t)
		release, err := pool.Reserve(dear, 70)
		if err != nil {
			t.Fatal(err)
		}
		var second sync.WaitGroup
		second.Go(func() {
			free, err := pool.Reserve(dear, 100)
			if err != nil {
				t.Error(err)
				return
			}
			free()
		})
		synctest.Wait()
		if free, err := pool.Reserve(t.Context(), 25); err != nil {
			t.Error(err)
		} else {
			free()
		}
		release()
		second.Wait()
	})
}
