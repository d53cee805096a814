package pool

import (
	"errors"
	"slices"
	"sync"
	"testing"
)

// fakeBatch records which of its tasks ran.
type fakeBatch struct {
	count int
	fail  map[int]error

	mu   sync.Mutex
	done []int
}

func (b *fakeBatch) Len() int { return b.count }

func (b *fakeBatch) Do(i int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = append(b.done, i)
	return b.fail[i]
}

// sorted returns the tasks that ran, in order.
func (b *fakeBatch) sorted() []int {
	slices.Sort(b.done)
	return b.done
}

func TestRunDoesEachPieceOnce(t *testing.T) {
	for _, count := range []int{0, 1, 2, 100} {
		b := &fakeBatch{count: count}
		if err := poolOf(3).Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for i, piece := range b.sorted() {
			if i != piece {
				t.Fatalf("of %d tasks, %v ran", count, b.done)
			}
		}
		if len(b.done) != count {
			t.Errorf("%d of %d tasks ran", len(b.done), count)
		}
	}
}

func TestRunNamesThePieceThatFails(t *testing.T) {
	broken := errors.New("broken")
	err := poolOf(1).Run(t.Context(), &fakeBatch{count: 9, fail: map[int]error{4: broken}})
	failed := new(TaskError)
	if !errors.As(err, &failed) || failed.Index != 4 || failed.Count != 9 || !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of task 4", err)
	}
}
