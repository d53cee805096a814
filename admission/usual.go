package admission

import "time"

const (
	// maxUsual bounds what counts as usual: a far storage whose answers take longer is slow for anybody.
	maxUsual = 5 * time.Second

	// patienceShare is how many times the usual wait a visit may wait for a far storage before it is overdue. A
	// visit asks a few times, one after the other, some more often than others.
	patienceShare = 3

	// enoughUnwaited is how many visits of a storage, one after the other, show that none waits there.
	enoughUnwaited = 4

	// maxUsuals bounds the storages that are remembered.
	maxUsuals = 256
)

// usuals is what visits that read far storages usually do, by the names of these. A server at the other end of the
// world is not slow because it is there.
type usuals map[string]usual

type usual struct {
	wait     time.Duration // of a visit in all, of those that wait
	unwaited int           // visits that should have begun with a wait and did not wait, since the last that did
}

// learn notes how long a visit has waited that ended well. A wait that is longer than usual counts for more, so that
// few visits are overdue when a network becomes slower.
func (u usuals) learn(v *visit) {
	name, ok := v.farStorage()
	if !ok {
		return
	}
	known, waited := u[name], v.waits.inAll()
	switch {
	case waited > 0:
		known = usual{wait: known.waitAfter(waited)}
	case v.ReadsFirst: // what it read was near after all
		known.unwaited++
	default:
		return
	}
	if _, isKnown := u[name]; !isKnown && len(u) >= maxUsuals {
		clear(u)
	}
	u[name] = known
}

// waitAfter returns the usual wait after one more.
func (u usual) waitAfter(waited time.Duration) time.Duration {
	next := u.wait - (u.wait-waited)/16
	switch {
	case u.wait == 0:
		next = waited
	case waited > u.wait:
		next = u.wait + (waited-u.wait)/4
	}
	return min(next, maxUsual)
}

// waits reports whether work for a far storage begins with a wait, as it should. It does not where what is read lies on
// a local disk by now. Work that would compute at once must have a slot of its own.
func (u usuals) waits(v *visit) bool {
	name, ok := v.farStorage()
	return !ok || u[name].unwaited < enoughUnwaited
}

// patience returns how long a visit may wait for its sources before it is overdue.
func (u usuals) patience(v *visit) time.Duration {
	if v.isBackground() {
		return backgroundPatience
	}
	patience := time.Second + 10*v.Cost
	if name, ok := v.farStorage(); ok {
		patience = max(patience, patienceShare*u[name].wait)
	}
	return patience
}

// farStorage returns the storage of a visit that lends its slot while it waits for it, if it is the only one.
func (v *visit) farStorage() (name string, ok bool) {
	for i, s := range v.Sources {
		if i > 0 && s.Storage != name {
			return "", false
		}
		name = s.Storage
	}
	return name, name != "" && v.mayLend()
}
