package layer

import "context"

// Gate is what work passes, such as a picture that must be made: a bounded queue
// in front of a bounded number of places. What is kept does not come here.
type Gate struct {
	queue chan struct{} // held from the queue to the end of the work
	slots chan struct{}
}

// NewGate lets places pictures be made at a time, and queued more wait.
func NewGate(slots, queued int) *Gate {
	slots = max(slots, 1)
	return &Gate{make(chan struct{}, slots+max(queued, 0)), make(chan struct{}, slots)}
}

// Enter waits for a place; a full queue is Busy at once. Call leave when done.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	if ctx.Err() != nil { // or select might choose a free place all the same
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

// within does work in a place of the gate.
func (g *Gate) run(ctx context.Context, work func() error) error {
	leave, err := g.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return work()
}

// Load is how many are being made and how many wait.
func (g *Gate) Load() (working, waiting int) {
	working = len(g.slots)
	return working, max(len(g.queue)-working, 0)
}
