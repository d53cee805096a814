package gather

import (
	"maps"

	"tileserver/gpu/route"
)

// Outcome is where an offer went, and why.
type Outcome struct {
	Place route.Place
	Why   route.Reason
}

// Stats counts what became of offers, and what the device has done.
type Stats struct {
	Offers map[Outcome]int64
	Work   map[string]Work // by the name of the kernel
}

// Work counts what the device has done with a kernel.
type Work struct {
	Batches int64 // that the device ran
	Failed  int64 // that it did not
	Jobs    int64 // of the batches that it ran
}

// count counts an offer, here and for its work.
func (s *Stats) count(of *Trace, place route.Place, why route.Reason) {
	s.Offers[Outcome{place, why}]++
	of.count(Outcome{place, why})
}

// countOnce counts an offer, unless that was done before.
func (s *Stats) countOnce(o *Offer, place route.Place, why route.Reason) {
	if !o.isCounted {
		o.isCounted = true
		s.count(o.trace, place, why)
	}
}

func (s *Stats) countBatch(b *batch, err error) {
	for _, share := range b.shares {
		if err != nil {
			s.countOnce(share.offer, route.Cores, route.Failed)
		} else {
			s.countOnce(share.offer, route.Device, share.offer.why)
		}
	}
	work := s.Work[b.kernel.Name]
	if err != nil {
		work.Failed++
	} else {
		work.Batches++
		work.Jobs += int64(len(b.jobs))
	}
	s.Work[b.kernel.Name] = work
}

// Stats returns a snapshot.
func (g *Gatherer) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	snapshot := g.stats
	snapshot.Offers, snapshot.Work = maps.Clone(snapshot.Offers), maps.Clone(snapshot.Work)
	return snapshot
}
