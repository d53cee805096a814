package web

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tileserver/source"
)

// maxListedNames bounds the names that a store remembers, of all folders together.
const maxListedNames = 1 << 20

// lists remembers what lies in folders, so that a known state is not asked for.
type lists struct {
	mu      sync.Mutex // guards the fields below
	folders *simplelru.LRU[string, *list]
	names   int
}

// list is what lies in a folder. It does not change.
type list struct {
	stamps map[string]source.Stamp // of objects, by path
	asked  time.Time
}

func newLists() *lists {
	l := new(lists)
	l.folders, _ = simplelru.NewLRU(maxListedNames, func(_ string, gone *list) { l.names -= gone.size() }) // fails for no size only
	return l
}

func (l *list) size() int { return len(l.stamps) + 1 }

// remember remembers a list of a folder.
func (l *lists) remember(folder string, found *list) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.folders.Remove(folder)
	l.folders.Add(folder, found)
	for l.names += found.size(); l.names > maxListedNames; {
		l.folders.RemoveOldest()
	}
}

// stamp returns the stamp of the object at a path, if its folder was listed less than maxAge ago.
func (l *lists) stamp(path string, maxAge time.Duration) (stamp source.Stamp, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.folders.Get(source.Folder(path))
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
	found, isListed := l.folders.Get(source.Folder(path))
	if isListed {
		_, has = found.stamps[path]
	}
	return has, isListed
}

// forget makes the state of an object unknown that is not as its folder was listed.
func (l *lists) forget(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found, ok := l.folders.Peek(source.Folder(path)); ok {
		outdated := *found
		outdated.asked = time.Time{}
		l.folders.Add(source.Folder(path), &outdated)
	}
}
