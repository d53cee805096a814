package web

import (
	"sync"
	"time"

	"tileserver/source"
)

// lists remembers what lies in folders, so that a known state is not asked for.
type lists struct {
	mu      sync.Mutex // guards the times of lists
	folders *shelf[*list]
}

// list is what lies in a folder. It does not change, except that it becomes outdated.
type list struct {
	stamps stamps
	asked  time.Time
}

// besideListBytes is what a list takes beside its stamps.
const besideListBytes = 512

// remember remembers a list of a folder, in the room that was reserved for it.
func (l *lists) remember(folder string, found *list, in *room) {
	in.shrink(found.stamps.bytes() + besideListBytes)
	l.folders.put(folder, found, in)
}

// stamp returns the stamp of the object at a path, if its folder was listed less than maxAge ago.
func (l *lists) stamp(path string, maxAge time.Duration) (stamp source.Stamp, ok bool) {
	found, ok := l.folders.get(source.Folder(path))
	if !ok || l.age(found) >= maxAge {
		return source.Stamp{}, false
	}
	return found.stamps.of(path)
}

func (l *lists) age(of *list) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(of.asked)
}

// has reports whether the last list of its folder has the object at a path, and whether there is one.
func (l *lists) has(path string) (has, isListed bool) {
	found, isListed := l.folders.get(source.Folder(path))
	if isListed {
		_, has = found.stamps.of(path)
	}
	return has, isListed
}

// forget makes the state of an object unknown that is not as its folder was listed.
func (l *lists) forget(path string) {
	if found, ok := l.folders.get(source.Folder(path)); ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		found.asked = time.Time{}
	}
}
