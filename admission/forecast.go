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

// A pace is how fast the visits of a lane end: seconds of cost for each second in a slot, on average.
// Wrong estimates of cost do not spoil forecasts, since those divide the cost of the queue by it.
type pace struct {
	speed    float64
	measured int
}

// The weight of a new measurement, and the number of them below which nothing is forecast.
const (
	paceWeight  = 1. / 16
	minMeasured = 8
)

func (p *pace) measure(cost, took time.Duration) {
	if cost <= 0 || took <= 0 {
		return
	}
	speed := cost.Seconds() / took.Seconds()
	p.measured++
	p.speed += (speed - p.speed) * max(paceWeight, 1/float64(p.measured))
}

// time returns how long work of a cost takes in a slot; 0 if that is unknown.
func (p *pace) time(cost time.Duration) time.Duration {
	if p.measured < minMeasured {
		return 0
	}
	return time.Duration(float64(cost) / p.speed)
}

// measure learns from a visit that ends.
func (l *lane) measure(v *visit) {
	l.pace.measure(v.Cost, time.Since(v.entered))
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
	return l.pace.time(ahead) / time.Duration(l.slots)
}

// isLate reports whether a visit that must wait cannot end before its deadline.
func (l *lane) isLate(v *visit, wait time.Duration, deadline time.Time) bool {
	return wait > 0 && !deadline.IsZero() && wait+l.pace.time(v.Cost) > time.Until(deadline)
}
