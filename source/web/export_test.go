package web

import "tileserver/source"

// Waiting returns how many ranges of an object wait for a turn.
func Waiting(o source.Object) int {
	f := &o.(*object).flights
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting)
}

// Callers returns how many callers wait for what is under way.
func Callers(o source.Object) (callers int) {
	f := &o.(*object).flights
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, on := range f.flying {
		callers += on.callers
	}
	return callers
}

// Checking returns how many callers wait for another one that asks whether an object is current.
func Checking(o source.Object) int {
	c := &o.(*object).checks
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting
}
