package gather

import (
	"cmp"
	"slices"

	"tileserver/gpu"
	"tileserver/gpu/route"
)

// A line is the offers that wait, in order of arrival. The lock of the gatherer guards it.
type line []*Offer

// join adds an offer at the end.
func (l *line) join(o *Offer) { *l = append(*l, o) }

// leave removes an offer, if it waits.
func (l *line) leave(o *Offer) {
	if at := slices.Index(*l, o); at >= 0 {
		*l = slices.Delete(*l, at, at+1)
	}
}

// kernels returns the kernels of what waits, the one that has waited longest first.
func (l line) kernels() (found []*gpu.Kernel) {
	for _, o := range l {
		if !slices.Contains(found, o.kernel) {
			found = append(found, o.kernel)
		}
	}
	return found
}

// of returns the offers for a kernel in the order in which a batch takes them: those for which the last one
// had no room, so that nobody starves, then those of cheap work, then those of dear work.
func (l line) of(kernel *gpu.Kernel) (found []*Offer) {
	for _, o := range l {
		if o.kernel == kernel {
			found = append(found, o)
		}
	}
	slices.SortStableFunc(found, func(a, b *Offer) int { return cmp.Compare(a.precedence(), b.precedence()) })
	return found
}

// take makes a batch of what waits for a kernel, as much as the device has memory for. An offer gets half of
// that at most while others wait. What is left of it goes to the end of the line.
func (l *line) take(kernel *gpu.Kernel, limits gpu.Limits, why route.Reason) *batch {
	b := &batch{kernel: kernel, limits: limits, room: gpu.NewRoom(limits)}
	all := l.of(kernel)
	waiting := len(all)
	for _, o := range all {
		if o.wasPassed = !b.take(o, waiting > 1); o.wasPassed {
			continue
		}
		l.leave(o)
		if o.isWhole() {
			waiting--
		} else {
			l.join(o)
		}
		o.insists, o.why = true, why
	}
	return b
}
