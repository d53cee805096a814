package gather

import (
	"context"
	"slices"
	"sync"
	"time"

	"tileserver/gpu"
	"tileserver/gpu/route"
)

// An Offer is jobs that a device may take.
type Offer struct {
	gatherer *Gatherer
	kernel   *gpu.Kernel
	work     int64
	largest  gpu.Job       // has as much memory of each kind as any job
	isDear   bool          // others come first
	trace    *Trace        // of the work, or nil
	taken    chan struct{} // closed once the device has taken jobs

	// The lock of the gatherer guards these.
	jobs      []gpu.Job    // nil once the caller has left
	why       route.Reason // for the place that was chosen for the offer alone
	insists   bool         // it waits for the device even if a worker is free
	next      int          // the first job that was not taken
	left      int64        // the work of the jobs that were not taken
	wasPassed bool         // the last batch had no room for it

	isCounted bool          // in the stats
	patience  time.Duration // for which it insists; fixed

	mu    sync.Mutex    // held while inputs are written; guards the fields below
	part  Part          // nil once the caller has left
	ready []Share       // delivered, and not yet received
	some  chan struct{} // holds a token when ready may have grown
}

func newOffer(ctx context.Context, g *Gatherer, part Part, isDear bool) *Offer {
	o := &Offer{
		gatherer: g, part: part, kernel: part.Kernel(), jobs: part.Jobs(), isDear: isDear, trace: traceOf(ctx),
		taken: make(chan struct{}), some: make(chan struct{}, 1),
	}
	for i := range o.jobs {
		job, largest := &o.jobs[i], &o.largest
		o.work += job.Work
		largest.Input, largest.Output = max(largest.Input, job.Input), max(largest.Output, job.Output)
		largest.Scratch = max(largest.Scratch, job.Scratch)
	}
	o.left = o.work
	return o
}

// precedence orders offers that wait: the lowest comes first.
func (o *Offer) precedence() int {
	switch {
	case o.wasPassed:
		return 0
	case !o.isDear:
		return 1
	}
	return 2
}

// take notes that the next jobs are taken, and returns their work.
func (o *Offer) take(jobs int) (work int64) {
	for _, job := range o.jobs[o.next:][:jobs] {
		work += job.Work
	}
	o.next, o.left = o.next+jobs, o.left-work
	if !o.isTaken() {
		close(o.taken)
	}
	return work
}

// isWhole reports whether all jobs are taken.
func (o *Offer) isWhole() bool { return o.next == len(o.jobs) }

// fits reports whether each job fits into a batch. Mostly one look tells it of all, however many they are.
func (o *Offer) fits(limits gpu.Limits) bool {
	return gpu.NewRoom(limits).Take(&o.largest) || !slices.ContainsFunc(o.jobs, func(j gpu.Job) bool { return !gpu.NewRoom(limits).Take(&j) })
}

// Taken is closed once the device has taken jobs of the offer. It will take the others, too.
func (o *Offer) Taken() <-chan struct{} { return o.taken }

func (o *Offer) isTaken() bool {
	select {
	case <-o.taken:
		return true
	default:
		return false
	}
}

// Insists returns how long the caller should leave free workers to others, and wait for the device: 0 if it
// should not.
func (o *Offer) Insists() time.Duration {
	o.gatherer.mu.Lock()
	defer o.gatherer.mu.Unlock()
	if !o.insists {
		return 0
	}
	return o.patience
}

// RanOnCores corrects what the work of the offer costs on cores, which computed for some time.
func (o *Offer) RanOnCores(took time.Duration) {
	o.gatherer.router.RanOnCores(o.kernel.Name, o.work, took)
}

// Withdraw takes the offer back for the workers, unless the device has taken it.
func (o *Offer) Withdraw() bool {
	o.gatherer.mu.Lock()
	defer o.gatherer.mu.Unlock()
	if o.isTaken() {
		return false
	}
	o.gatherer.waiting.leave(o)
	why := o.why
	if o.insists {
		why = route.Busy
	}
	o.gatherer.stats.count(o.trace, route.Cores, why)
	return true
}

// Receive waits for the shares of an offer that was taken, and calls use with each. It returns the first
// error of use, or the cause of the end of ctx. After that nothing of the offer is used any more.
func (o *Offer) Receive(ctx context.Context, use func(Share) error) error {
	defer o.Leave()
	for left := len(o.jobs); left > 0; {
		share, err := o.receive(ctx)
		if err != nil {
			return err
		}
		err = use(share)
		share.end()
		if err != nil {
			return err
		}
		left -= share.Len()
	}
	return nil
}

// receive waits for one share.
func (o *Offer) receive(ctx context.Context) (Share, error) {
	for {
		o.mu.Lock()
		if len(o.ready) > 0 {
			defer o.mu.Unlock()
			share := o.ready[0]
			o.ready = o.ready[1:]
			return share, nil
		}
		o.mu.Unlock()
		select {
		case <-o.some:
		case <-ctx.Done():
			return Share{}, context.Cause(ctx)
		}
	}
}

// deliver hands a share over, or ends it if nobody waits for it.
func (o *Offer) deliver(s Share) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.part == nil {
		s.end()
		return
	}
	o.ready = append(o.ready, s)
	select {
	case o.some <- struct{}{}:
	default:
	}
}

// Leave ends an offer: jobs that wait are removed, shares that nobody received are ended, and inputs are no
// longer written. A batch that goes on keeps nothing of the caller's.
func (o *Offer) Leave() {
	o.gatherer.mu.Lock()
	o.gatherer.waiting.leave(o)
	o.jobs = nil
	o.gatherer.mu.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.part = nil
	for _, s := range o.ready {
		s.end()
	}
	o.ready = nil
}

// A Share is the part of an offer that was in one batch.
type Share struct {
	Err error // of the whole batch; then there are no outputs

	offer    *Offer
	batch    *batch
	at       int // its first job among those of the batch
	from, to int // jobs of the offer
	work     int64
	end      func()
}

// Len returns the number of jobs.
func (s Share) Len() int { return s.to - s.from }

// Output returns the number that the offer has for the job i of the share, what the kernel said of it, and
// its output, which can be read until the function that received the share returns.
func (s Share) Output(i int) (job int, status uint32, output []byte) {
	memory, number := s.batch.memory, s.number(i)
	return s.from + i, memory.Status(number), memory.OutputOf(number)
}

// number returns the number that a job of the share has in the memory of the batch.
func (s Share) number(i int) int { return s.batch.numbers[s.at+i] }

// ReadOnCores corrects what it costs to read the outputs of the share, for which cores computed some time.
func (s Share) ReadOnCores(took time.Duration) {
	s.offer.gatherer.router.ReadOnCores(s.batch.kernel.Name, s.work, took)
}

// write writes the inputs of jobs, unless the call has ended.
func (s Share) write() {
	s.offer.mu.Lock()
	defer s.offer.mu.Unlock()
	if s.offer.part == nil {
		return
	}
	for i := range s.Len() {
		s.offer.part.Write(s.from+i, s.batch.memory.InputOf(s.number(i)))
	}
}
