package transport

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// origin is what is known of a server.
type origin struct {
	name  string
	turns *turns
	pace  pace
	hold  hold

	retries, hedges allowance
	counts          counts
}

// counts counts what was asked of an origin.
type counts struct {
	requests, retries, hedges, refusals, slowdowns, bytes atomic.Int64
}

func newOrigin(name string, maxParallel int) *origin {
	return &origin{
		name: name, turns: newTurns(maxParallel),
		retries: allowance{share: retryShare, every: retryEvery, max: maxRetries, saved: maxRetries},
		hedges:  allowance{share: hedgeShare, max: maxHedges},
	}
}

// Stats is what was asked of an origin so far.
type Stats struct {
	Origin    string
	Requests  int64 // tries, with those below
	Retries   int64
	Hedges    int64
	Refusals  int64 // answers that said no
	Slowdowns int64 // answers that asked for fewer requests
	Bytes     int64 // of bodies
	Running   int   // turns that were taken
	Limit     int   // turns at a time
}

// Stats returns what was asked of each origin, those first that were asked the most.
func (c *Client) Stats() []Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]Stats, 0, len(c.origins))
	for _, o := range c.origins {
		running, limit := o.turns.state()
		all = append(all, Stats{
			Origin: o.name, Requests: o.counts.requests.Load(), Retries: o.counts.retries.Load(), Hedges: o.counts.hedges.Load(),
			Refusals: o.counts.refusals.Load(), Slowdowns: o.counts.slowdowns.Load(), Bytes: o.counts.bytes.Load(), Running: running, Limit: limit,
		})
	}
	slices.SortFunc(all, func(a, b Stats) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Origin, b.Origin))
	})
	return all
}
