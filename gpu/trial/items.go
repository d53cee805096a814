package trial

import (
	"errors"
	"slices"

	"tileserver/gpu"
)

// Items are a few typical items for a kernel, such as code-blocks, and how a core and a device make values of
// one, such as coefficients.
type Items[I any, V comparable] struct {
	Kernel *gpu.Kernel
	Few    []I
	Order  func(a, b I) int // in which a batch has them; nil if that does not matter

	Job   func(item I) gpu.Job
	Size  func(item I) int // the number of values
	Write func(item I, input []byte)
	Do    func(item I, values []V) // on a core
	Read  func(item I, status uint32, output []byte, values []V) error
}

// Work returns the work of some jobs. All items make about as many of them. What a core makes is kept once for
// each item: many jobs take little memory.
func (i Items[I, V]) Work(jobs int) Work {
	w := &itemWork[I, V]{items: i, numbers: make([]int, jobs), jobs: make([]gpu.Job, jobs)}
	for job := range w.numbers {
		w.numbers[job] = job % len(i.Few)
	}
	if i.Order != nil {
		slices.SortStableFunc(w.numbers, func(a, b int) int { return i.Order(i.Few[a], i.Few[b]) })
	}
	for job := range w.jobs {
		w.jobs[job] = i.Job(w.item(job))
	}
	for _, item := range i.Few {
		w.onCore = append(w.onCore, make([]V, i.Size(item)))
	}
	return w
}

// itemWork is jobs that are made of items.
type itemWork[I any, V comparable] struct {
	items   Items[I, V]
	numbers []int // of the items, by job
	jobs    []gpu.Job
	onCore  [][]V // what a core made of each item
	read    []V   // what the device made of one
}

func (w *itemWork[I, V]) item(job int) I { return w.items.Few[w.numbers[job]] }

func (w *itemWork[I, V]) Kernel() *gpu.Kernel { return w.items.Kernel }

func (w *itemWork[I, V]) Jobs() []gpu.Job { return w.jobs }

func (w *itemWork[I, V]) Write(job int, input []byte) { w.items.Write(w.item(job), input) }

func (w *itemWork[I, V]) Do(job int) { w.items.Do(w.item(job), w.onCore[w.numbers[job]]) }

func (w *itemWork[I, V]) Read(job int, status uint32, output []byte) error {
	n := len(w.onCore[w.numbers[job]])
	w.read = slices.Grow(w.read[:0], n)[:n]
	return w.items.Read(w.item(job), status, output, w.read)
}

var errOtherValues = errors.New("other values than a core")

func (w *itemWork[I, V]) Check(job int) error {
	if !slices.Equal(w.read, w.onCore[w.numbers[job]]) {
		return errOtherValues
	}
	return nil
}
