package web

import (
	"sync"
	"time"

	"tileserver/source"
)

// maxListedNames bounds the names that a store remembers, of all folders together.
const maxListedNames = 1 << 20

// lists remembers what lies in folders, so that a known state is not asked for.
type lists struct {
	mu      sync.Mutex // guards the fields below
	folders *recent[*list]
}

// list is what lies in a folder. It does not change.
type list struct {
	stamps map[string]source.Stamp // of objects, by path
	asked  time.Time
}

func newLists() *lists { return &lists{folders: newRecent(maxListedNames, (*list).size)} }

func (l *list) size() int64 { return int64(len(l.stamps)) + 1 }

// remember remembers a list of a folder.
func (l *lists) remember(folder string, found *list) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.folders.put(folder, found)
}

// stamp returns the stamp of the object at a path, if its folder was listed less than maxAge ago.
func (l *lists) stamp(path string, maxAge time.Duration) (stamp source.Stamp, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.folders.get(source.Folder(path))
	if !ok || time.Since(found.asked) >= maxAge {
		return source.Stamp{}, false
	}
	stamp, ok = found.stamps[path]
	return stamp, ok
}

// has reports whether the last list of its folder has the object at a path, and whether there is one.
func (l *lists) has(path string) (has, isListed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, isListed := l.folders.get(source.Folder(path))
	if isListed {
		_, has = found.stamps[path]
	}
	return has, isListed
}

// forget makes the state of an object unknown that is not as its folder was listed.
func (l *lists) forget(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found, ok := l.folders.get(source.Folder(path)); ok {
		outdated := *found
		outdated.asked = time.Time{}
		l.folders.put(source.Folder(path), &outdated)
	}
}
