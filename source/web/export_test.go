package web

import "tileserver/source"

// Waiting returns how many ranges of an object wait for a turn.
func Waiting(o source.Object) int {
	f := &o.(*object).flights
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting)
}
