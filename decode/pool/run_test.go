package pool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"tileserver/gpu"
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

// fakeDeviceBatch runs the even tasks on the device.
type fakeDeviceBatch struct {
	fakeBatch
	onDevice int
	surplus  int // how many results more than tasks the device returns
}

var errOdd = errors.New("odd")

func (b *fakeDeviceBatch) DoOnDevice(context.Context, gpu.Executor) []error {
	errs := make([]error, b.count+b.surplus)
	for i := range errs {
		if i%2 == 1 {
			errs[i] = errOdd
			continue
		}
		b.onDevice++
	}
	return errs
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

func TestRunTakesTheDeviceWhereThereIsOne(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name     string
		device   gpu.Executor
		onDevice int
		done     []int
	}{
		{"a device", fakeDevice{}, 3, []int{1, 3}},
		{"none", gpu.None{}, 0, []int{0, 1, 2, 3, 4}},
	} {
		pool := New(Config{Workers: 2, Device: test.device})
		b := &fakeDeviceBatch{fakeBatch: fakeBatch{count: 5}}
		if err := pool.Run(t.Context(), b); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if b.onDevice != test.onDevice || !slices.Equal(b.sorted(), test.done) {
			t.Errorf("%s: %d tasks on the device and %v on the workers, want %d and %v", test.name, b.onDevice, b.done, test.onDevice, test.done)
		}
		b = &fakeDeviceBatch{fakeBatch: fakeBatch{count: 5, fail: map[int]error{3: broken}}}
		failed := new(TaskError)
		if err := pool.Run(t.Context(), b); !errors.As(err, &failed) || failed.Index != 3 || failed.Count != 5 {
			t.Errorf("%s: got %v, want the error of task 3 of 5", test.name, err)
		}
	}
}

// A task without a result must not pass for one that succeeded.
func TestRunRejectsAnotherNumberOfResultsThanTasks(t *testing.T) {
	pool := New(Config{Workers: 2, Device: fakeDevice{}})
	for _, surplus := range []int{-5, -1, 1} {
		b := &fakeDeviceBatch{fakeBatch: fakeBatch{count: 5}, surplus: surplus}
		if err := pool.Run(t.Context(), b); err == nil || len(b.done) != 0 {
			t.Errorf("%d results for 5 tasks: got %v, and %v ran on the workers", 5+surplus, err, b.done)
		}
		if corrupt, err := pool.Decode(t.Context(), b); err == nil {
			t.Errorf("%d results for 5 blocks: got %v and no error", 5+surplus, corrupt)
		}
	}
}
