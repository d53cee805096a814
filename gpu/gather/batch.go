package gather

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"tileserver/gpu"
)

// A batch is jobs of offers on their way to the device.
type batch struct {
	kernel *gpu.Kernel
	limits gpu.Limits
	room   *gpu.Room
	shares []Share
	jobs   []gpu.Job // of all shares, one after the other until they are arranged
	work   int64

	numbers []int        // that jobs got when they were arranged
	memory  *gpu.Batch   // nil if the device had none
	readers atomic.Int32 // shares that may still be read
}

// take adds the next jobs of an offer: as many as fit, or as fit into half of the room.
func (b *batch) take(o *Offer, isHalf bool) (some bool) {
	n := b.fit(o.jobs[o.next:], isHalf)
	if n == 0 {
		return false
	}
	share := Share{offer: o, batch: b, at: len(b.jobs), from: o.next, to: o.next + n}
	b.jobs = append(b.jobs, o.jobs[share.from:share.to]...)
	share.work = o.take(n)
	b.work += share.work
	b.shares = append(b.shares, share)
	return true
}

// fit takes room for jobs, and returns for how many there is some. A job that needs more than half of all
// room gets it, and comes alone.
func (b *batch) fit(jobs []gpu.Job, isHalf bool) int {
	limits := b.limits
	if isHalf {
		limits.BindingBytes, limits.BatchBytes = limits.BindingBytes/2, limits.BatchBytes/2
	}
	own := gpu.NewRoom(limits)
	for i := range jobs {
		isMore := !own.Take(&jobs[i])
		if isMore && i > 0 || !b.room.Take(&jobs[i]) {
			return i
		}
		if isMore {
			return 1
		}
	}
	return len(jobs)
}

var errPanicked = errors.New("writing a batch for the GPU panicked")

// run runs a batch on a device. It returns how long that took, with transfers, but without the time until the
// outputs of others had been read, whose memory it takes.
func (b *batch) run(device gpu.Executor) (took time.Duration, err error) {
	defer func() {
		if p := recover(); p != nil { // a bug in a codec must not end the process
			err = fmt.Errorf("%w: %v\n%s", errPanicked, p, debug.Stack())
		}
	}()
	arranging := time.Now()
	b.arrange()
	took = time.Since(arranging)
	ctx := context.Background() // callers that leave do not stop what others wait for; the device bounds its time
	if b.memory, err = device.Begin(ctx, b.kernel, b.jobs); err != nil {
		return 0, err
	}
	began := time.Now()
	for _, s := range b.shares {
		s.write()
	}
	err = device.Run(ctx, b.memory)
	return took + time.Since(began), err
}

// arrange sorts the jobs by their work, since those that a device runs side by side wait for each other.
func (b *batch) arrange() {
	order := make([]int, len(b.jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(b.jobs[j].Work, b.jobs[i].Work), i-j) })
	jobs := make([]gpu.Job, len(order))
	b.numbers = make([]int, len(order))
	for number, i := range order {
		jobs[number], b.numbers[i] = b.jobs[i], number
	}
	b.jobs = jobs
}

// deliver hands the shares to those who offered them.
func (b *batch) deliver(device gpu.Executor, err error) {
	b.readers.Store(int32(len(b.shares)))
	for _, s := range b.shares {
		s.Err = err
		s.end = func() {
			if b.readers.Add(-1) == 0 && b.memory != nil {
				device.End(b.memory)
			}
		}
		s.offer.deliver(s)
	}
}
