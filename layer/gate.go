package layer

import "context"

// Gate is what a picture that must be made passes: a bounded queue in front of a
// bounded number of places. Pictures that are kept do not come here.
type Gate struct {
	queue  chan struct{} // held from the queue to the end of the work
	places chan struct{}
}

// NewGate lets places pictures be made at a time, and queued more wait.
func NewGate(places, queued int) *Gate {
	places = max(places, 1)
	return &Gate{make(chan struct{}, places+max(queued, 0)), make(chan struct{}, places)}
}

// Enter waits for a place; a full queue is Busy at once. Call leave when done.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.queue <- struct{}{}:
	default:
		return nil, &Error{Code: Busy, Message: "too many pictures are being made; try again"}
	}
	select {
	case g.places <- struct{}{}:
		return func() { <-g.places; <-g.queue }, nil
	case <-ctx.Done():
		<-g.queue
		return nil, context.Cause(ctx)
	}
}

// Load is how many are being made and how many wait.
func (g *Gate) Load() (working, waiting int) {
	working = len(g.places)
	return working, max(len(g.queue)-working, 0)
}
