package admission

import "time"

const (
	// maxUsual bounds what counts as usual: a far storage whose answers take longer is slow for anybody.
	maxUsual = 5 * time.Second

	// patienceShare is how many times the usual wait a visit may wait for a far storage before it is overdue. A
	// visit asks a few times, one after the other, some more often than others.
	patienceShare = 3

	// maxUsuals bounds the storages of which the usual wait is known.
	maxUsuals = 256
)

// usuals is how long visits wait for far storages in all, by the names of these. A server at the other end of the
// world is not slow because it is there.
type usuals map[string]time.Duration

// learn notes how long a visit has waited that ended well. A wait that is longer than usual counts for more, so that
// few visits are overdue when a network becomes slower.
func (u usuals) learn(v *visit) {
	name, ok := v.farStorage()
	waited := v.waits.inAll()
	if !ok || waited == 0 { // what it read was in memory
		return
	}
	usual, isKnown := u[name]
	switch {
	case !isKnown && len(u) >= maxUsuals:
		clear(u)
		fallthrough
	case !isKnown:
		usual = waited
	case waited > usual:
		usual += (waited - usual) / 4
	default:
		usual -= (usual - waited) / 16
	}
	u[name] = min(usual, maxUsual)
}

// patience returns how long a visit may wait for its sources before it is overdue.
func (u usuals) patience(v *visit) time.Duration {
	if v.isBackground() {
		return backgroundPatience
	}
	patience := time.Second + 10*v.Cost
	if name, ok := v.farStorage(); ok {
		patience = max(patience, patienceShare*u[name])
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
