package admission

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tileserver/cache"
)

// A Gate lets work in.
//
// It gives a visit its memory and its slot together: a visit that holds a slot never waits for
// memory, and one that waits holds nothing. Dear work never gets the memory and the slots of cheap
// work.
type Gate struct {
	shadow func(*Refusal)
	yield  func()
	cached crowd

	mu       sync.Mutex // guards the fields below
	lanes    [laneCount]lane
	memory   memory
	sources  map[Source]*source
	usuals   usuals
	arrivals int64 // visits so far

	// overtaken is the visit that others overtake, since builds or excused visits have its memory, or
	// nil. Builds that came later wait, or it would wait for one after the other.
	overtaken *visit

	prefetches []*visit // inside and not canceled, the last one to enter last
}

// Config configures a Gate.
type Config struct {
	Cheap, Dear int   // slots for cheap and for dear answers; at least 1
	Queue       int   // answers that may wait, in each of these lanes
	Memory      int64 // bytes of all work; 0 is unbounded

	// Shadow, if not nil, is called instead of refusing an answer that would come too late. It must
	// return soon.
	Shadow func(*Refusal)

	// Yield lets what waits for the core of the caller run first. nil asks the kernel.
	Yield func()
}

// ForWorkers returns the slots for a number of workers. While one cheap answer waits for its blocks,
// another can be encoded. A dear one that is encoded takes a whole core for seconds, so these get at
// most half of the cores.
func ForWorkers(workers int) Config { return Config{Cheap: 2 * workers, Dear: (workers + 1) / 2} }

// New returns a gate without visits.
func New(c Config) *Gate {
	g := &Gate{shadow: c.Shadow, yield: c.Yield, memory: memory{maxBytes: c.Memory}, sources: make(map[Source]*source), usuals: make(usuals)}
	if g.yield == nil {
		g.yield = yieldThread
	}
	for i, bound := range boundsOf(c) {
		g.lanes[i] = newLane(Lane(i), bound)
	}
	return g
}

// AddCheapSlots adds slots for cheap answers. Some wait for something else than a core, such as a device that
// takes many together.
func (g *Gate) AddCheapSlots(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lanes[Cheap].slots += n
	g.admit()
}

// CountCached counts an answer that needs no visit, since its picture is cached by the server or by
// the client. While there are many, dear work leaves them a core.
func (g *Gate) CountCached() { g.cached.passed.Add(1) }

// A Work describes what a caller wants to do.
type Work struct {
	Purpose Purpose
	Cost    time.Duration // estimated time on one core
	Bytes   int64         // of memory
	Group   string        // takes turns with the others
	Sources []Source      // that are read

	// ReadsFirst says that the work waits for a source before it computes. It needs no slot for that if one is far.
	ReadsFirst bool
}

// Enter waits for a slot and memory. The work must use the returned context, and the caller must call
// leave at its end. Enter fails with a Refusal if too many wait or the deadline of ctx would be
// missed, and with cache.ErrOverBudget if the work needs more than all of the memory.
func (g *Gate) Enter(ctx context.Context, w Work) (inside context.Context, leave func(), err error) {
	v, err := g.enter(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	return v.context(ctx), func() { g.leave(ctx, v) }, nil
}

// Run calls do while it holds a slot. Unlike Enter, it learns from the work only if that succeeds.
func (g *Gate) Run(ctx context.Context, w Work, do func(ctx context.Context) error) error {
	v, err := g.enter(ctx, w)
	if err != nil {
		return err
	}
	defer g.leave(ctx, v)
	v.hasFailed = true // if do panics
	err = do(v.context(ctx))
	v.hasFailed = err != nil
	return err
}

// enter returns a visit that has a slot and memory.
func (g *Gate) enter(ctx context.Context, w Work) (*visit, error) {
	v := g.newVisit(w)
	if err := g.await(ctx, v); err != nil {
		return nil, err
	}
	return v, nil
}

// await returns when a visit has a slot and memory.
func (g *Gate) await(ctx context.Context, v *visit) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !g.memory.canHold(v.Bytes) {
		return fmt.Errorf("%w: %d bytes wanted, %d in all", cache.ErrOverBudget, v.Bytes, g.memory.maxBytes)
	}
	if late := g.arrive(v, deadlineOf(ctx)); late != nil {
		g.shadow(late)
	}
	select {
	case <-v.decided:
	case <-ctx.Done():
		g.withdraw(v)
		return context.Cause(ctx)
	}
	if v.refusal != nil {
		return v.refusal
	}
	cache.Waited(ctx, time.Since(v.arrived))
	return nil
}

func (g *Gate) newVisit(w Work) *visit {
	v := &visit{Work: w, gate: g, lane: g.laneOf(&w), decided: make(chan struct{}), arrived: time.Now()}
	v.waits.countsLast = v.isBackground()
	return v
}

// MaxBytes returns the most memory that a work may have; 0 is unbounded.
func (g *Gate) MaxBytes() int64 { return g.memory.maxBytes }

// arrive queues a visit, and lets it in if it may enter now. It refuses one that would wait beyond
// its deadline, and one too many. It returns the refusal that Shadow is told of instead, or nil.
func (g *Gate) arrive(v *visit, deadline time.Time) (shadowed *Refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := &g.lanes[v.lane]
	wait := l.forecast(v.Group)
	g.arrivals++
	v.arrival = g.arrivals
	g.queue(v)
	g.admit()
	switch {
	case v.isDecided():
	case l.waiting > l.maxWaiting:
		g.refuse(l.lastOfLongest(v), Full, wait)
	case !l.isLate(v, wait, deadline):
	case g.shadow != nil:
		l.late++
		return newRefusal(v, Late, wait)
	default:
		g.refuse(v, Late, wait)
	}
	return nil
}

// queue adds a visit to the queue of its group.
func (g *Gate) queue(v *visit) {
	g.lanes[v.lane].queue(v)
	v.sources = g.sourcesOf(&v.Work)
	for _, s := range v.sources {
		s.visits++
	}
}

// unqueue removes a waiting visit.
func (g *Gate) unqueue(v *visit) {
	g.lanes[v.lane].unqueue(v)
	if g.overtaken == v {
		g.overtaken = nil
	}
}

// drop removes a waiting visit that will not enter.
func (g *Gate) drop(v *visit) {
	g.unqueue(v)
	g.forget(v)
}

// isHeldUp reports whether a visit must wait, whatever is free.
func (g *Gate) isHeldUp(v *visit) bool {
	return v.waitsForSlow() || v.isBuild() && g.wouldOvertake(v)
}

// wouldOvertake reports whether an earlier visit than this one is overtaken already. One that waits for a
// slow source would gain nothing if builds waited for it.
func (g *Gate) wouldOvertake(v *visit) bool {
	return g.overtaken != nil && g.overtaken.arrival < v.arrival && !g.overtaken.waitsForSlow()
}

// forget removes the sources that no visit has any more.
func (g *Gate) forget(v *visit) {
	for _, s := range v.sources {
		if s.visits--; s.visits == 0 {
			delete(g.sources, s.Source)
		}
	}
}

// refuse ends a visit that waits.
func (g *Gate) refuse(v *visit, why Reason, wait time.Duration) {
	g.drop(v)
	l := &g.lanes[v.lane]
	if why == Full {
		l.full++
	} else {
		l.late++
	}
	v.refusal = newRefusal(v, why, wait)
	close(v.decided)
}

// withdraw removes a visit whose caller has left.
func (g *Gate) withdraw(v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case !v.isDecided():
		g.drop(v)
	case v.refusal == nil: // let in between the end of the context and this lock
		g.remove(v, false)
	}
	g.admit() // those behind a large one may fit now
}

// leave ends a visit that has a slot, and learns from it unless its work was canceled.
func (g *Gate) leave(ctx context.Context, v *visit) {
	isDone := ctx.Err() == nil
	g.mu.Lock()
	defer g.mu.Unlock()
	if isDone {
		g.lanes[v.lane].measure(v)
	}
	if isDone && !v.hasFailed {
		g.usuals.learn(v)
		v.isOverdue = v.isOverdue && v.waits.inAll() >= g.usuals.patience(v)
	}
	g.remove(v, isDone)
	g.admit()
}

// remove gives back what a visit has.
func (g *Gate) remove(v *visit, isDone bool) {
	v.hasLeft = true
	g.setLent(v, false)
	if v.timer != nil {
		v.timer.Stop()
	}
	g.forgetPrefetch(v)
	g.vacate(v)
	for _, s := range v.sources {
		s.isSlow = s.isSlow && (v.isOverdue || !isDone)
	}
	g.forget(v)
}

// occupy counts what a visit inside has, and vacate ends that.
func (g *Gate) occupy(v *visit) {
	for _, s := range v.sources {
		s.add(v, 1)
	}
	g.memory.reserve(v)
	g.lanes[v.lane].occupy(v)
}

func (g *Gate) vacate(v *visit) {
	for _, s := range v.sources {
		s.add(v, -1)
	}
	g.memory.release(v)
	g.lanes[v.lane].vacate(v)
}

// admit lets in all visits that may enter now. Dear ones come first, since they never take what
// belongs to cheap ones, and prefetches last.
func (g *Gate) admit() {
	g.memory.pledgedBytes = 0
	for v := g.nextDear(); v != nil; v = g.nextDear() {
		g.letIn(v)
	}
	cheap := &g.lanes[Cheap]
	for v := cheap.next(g.isHeldUp); v != nil && g.memory.fitsCheap(v.Bytes); v = cheap.next(g.isHeldUp) {
		g.letIn(v)
	}
	g.admitPrefetches()
}

// nextDear returns the visit to let in next of all lanes but the cheap one, or nil. If its memory is
// not free, it is not overtaken, or large ones would starve. If builds or excused visits have that
// memory, this may take hours, so it is overtaken by what ends soon.
func (g *Gate) nextDear() *visit {
	first := g.firstDear(g.isHeldUp)
	if first != nil && g.memory.isTakenForLong(first.Bytes) {
		g.overtake(first)
		first = g.firstDear(func(v *visit) bool { return g.memory.isTakenForLong(v.Bytes) || g.isHeldUp(v) })
	}
	if first == nil || g.memory.fitsDear(first.Bytes) {
		return first
	}
	g.memory.pledge(first.Bytes)
	return nil
}

// overtake sets the visit that is overtaken, in place of none and of one that waits for a slow source.
func (g *Gate) overtake(v *visit) {
	if g.overtaken == nil || g.overtaken.waitsForSlow() {
		g.overtaken = v
	}
}

// firstDear returns the visit that came first of those whose turn it is in their lanes, or nil.
func (g *Gate) firstDear(isHeldUp func(*visit) bool) (first *visit) {
	for i := range g.lanes[:prefetches] {
		if Lane(i) == Cheap {
			continue
		}
		if v := g.lanes[i].next(isHeldUp); v != nil && (first == nil || v.arrival < first.arrival) {
			first = v
		}
	}
	return first
}

// letIn gives a visit its slot and its memory.
func (g *Gate) letIn(v *visit) {
	l := &g.lanes[v.lane]
	l.passTurn(v.Group)
	g.unqueue(v)
	l.noteEntry(v)
	g.occupy(v)
	if v.waitsFirst() && l.mayLendMore() {
		g.setLent(v, true)
	}
	if len(v.sources) > 0 && v.Purpose != prefetch { // which nobody waits for, so it needs no excuse
		v.timer = time.AfterFunc(g.usuals.patience(v), func() { g.look(v) })
	}
	close(v.decided)
}
