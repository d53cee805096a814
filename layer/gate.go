package layer

import "context"

// A Gate bounds concurrent work, such as rendering pictures: a bounded queue in front of a bounded
// number of slots. Cached results do not pass it.
type Gate struct {
	queue chan struct{} // held while waiting and working
	slots chan struct{}
}

// NewGate returns a gate with a number of slots and a queue of a number of waiting callers.
func NewGate(slots, queued int) *Gate {
	slots = max(slots, 1)
	return &Gate{make(chan struct{}, slots+max(queued, 0)), make(chan struct{}, slots)}
}

// Enter waits for a slot. If the queue is full, it fails as Busy at once. The caller must call
// leave to release the slot.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	if ctx.Err() != nil { // select might choose a free slot
		return nil, context.Cause(ctx)
	}
	select {
	case g.queue <- struct{}{}:
	default:
		return nil, &Error{Code: Busy, Message: "the server is busy; try again"}
	}
	select {
	case g.slots <- struct{}{}:
		return func() { <-g.slots; <-g.queue }, nil
	case <-ctx.Done():
		<-g.queue
		return nil, context.Cause(ctx)
	}
}

// run calls work while it holds a slot.
func (g *Gate) run(ctx context.Context, work func() error) error {
	leave, err := g.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return work()
}

// Load returns the number of occupied slots and of waiting callers.
func (g *Gate) Load() (working, waiting int) {
	working = len(g.slots)
	return working, max(len(g.queue)-working, 0)
}
