package admission

import (
	"fmt"
	"time"
)

// A Reason says why a work was refused.
type Reason string

// The reasons of refusals.
const (
	Full Reason = "full" // too many wait
	Late Reason = "late" // the answer would come after its deadline
)

// A Refusal is the error of work that is not let in.
type Refusal struct {
	Lane       Lane
	Reason     Reason
	RetryAfter time.Duration // until those that wait now are done; 0 if that is unknown
	Work       Work
}

// maxRetryAfter is a minute, since hardly a client waits longer for an answer: by then others wait.
const maxRetryAfter = time.Minute

func newRefusal(v *visit, why Reason, wait time.Duration) *Refusal {
	return &Refusal{v.lane, why, min(wait, maxRetryAfter), v.Work}
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("refused in lane %v: %s, about %v of work waits", r.Lane, r.Reason, r.RetryAfter.Round(time.Millisecond))
}

// A calibration corrects the costs of a lane by how long such work had its slots. It adds up estimates
// and times, so that a large work says more than a small one, and no ratio of a single one can spoil it.
// Each work counts for less the more have ended since.
type calibration struct {
	estimated, took float64 // sums of nanoseconds
	measured        int     // works
}

const (
	fading      = 15. / 16 // of the sums, for each work
	minMeasured = 8        // works, below which nothing is forecast
)

func (c *calibration) measure(estimated, took time.Duration) {
	if estimated <= 0 || took <= 0 {
		return
	}
	c.estimated = fading*c.estimated + float64(estimated)
	c.took = fading*c.took + float64(took)
	c.measured++
}

// time returns how long work of a cost takes in a slot; 0 if that is unknown.
func (c *calibration) time(cost time.Duration) time.Duration {
	if c.measured < minMeasured {
		return 0
	}
	return time.Duration(float64(cost) * (c.took / c.estimated))
}

// measure learns from a visit that ends. One that failed may have done nothing, and one that was overdue
// tells more about its sources than about its cost.
func (l *lane) measure(v *visit) {
	if v.hasFailed || v.isOverdue {
		return
	}
	l.calibration.measure(v.Cost, time.Since(v.entered))
	if spent := v.spent.Load(); spent > 0 && v.Cost > 0 {
		l.ratios.observe(float64(v.Cost) / float64(spent))
	}
}

// forecast returns how long a new visit of a group would wait. Before it, each group has as many turns
// as its own has. Those inside are half done on average.
func (l *lane) forecast(newcomer string) time.Duration {
	own := 0
	if g := l.groups[newcomer]; g != nil {
		own = g.queue.Len()
	}
	ahead := l.insideCost / 2
	for _, g := range l.groups {
		waiting := g.queue.Len()
		turns := min(waiting, own+1)
		if g.name == newcomer {
			turns = own
		}
		ahead += g.cost * time.Duration(turns) / time.Duration(waiting)
	}
	return l.calibration.time(ahead) / time.Duration(l.slots)
}

// isLate reports whether a visit that must wait cannot end before its deadline.
func (l *lane) isLate(v *visit, wait time.Duration, deadline time.Time) bool {
	return wait > 0 && !deadline.IsZero() && wait+l.calibration.time(v.Cost) > time.Until(deadline)
}
