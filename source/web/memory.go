package web

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tileserver/source"
)

const (
	// DefaultMemoryBytes bounds what stores keep, if nobody says anything else.
	DefaultMemoryBytes = 64 << 20

	// wholeShare divides the memory into the largest object that is read whole.
	wholeShare = 4

	// maxRoomTime is how long a read waits for memory. Then others may read, and this one later.
	maxRoomTime = 5 * time.Second
)

// Memory has what stores know of objects: their beginnings, those whole ones whose servers answer no ranges, and lists
// of folders. Bytes are reserved before they are read. What was not used for the longest is forgotten for them. Stores
// share it.
type Memory struct {
	maxBytes int64

	mu        sync.Mutex // guards the fields below
	kept      *simplelru.LRU[keptKey, kept]
	keptBytes int64
	readBytes int64         // reserved for what is being read
	freed     chan struct{} // closed when some of these are free, or may be freed
}

// keptKey is a path on a shelf.
type keptKey struct {
	shelf any
	path  string
}

// kept is a value with the bytes that it takes.
type kept struct {
	value any
	bytes int64
}

// NewMemory returns a Memory that bounds the bytes of what is kept and read.
func NewMemory(maxBytes int64) *Memory {
	m := &Memory{maxBytes: maxBytes, freed: make(chan struct{})}
	m.kept, _ = simplelru.NewLRU(maxEntries, func(_ keptKey, gone kept) { m.keptBytes -= gone.bytes }) // fails for no size only
	return m
}

// maxEntries exceeds the entries of any bound.
const maxEntries = 1 << 20

// maxWholeBytes bounds the objects that are read whole because their server answers no ranges.
func (m *Memory) maxWholeBytes() int64 { return m.maxBytes / wholeShare }

// Bytes returns how many bytes are kept or being read.
func (m *Memory) Bytes() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.keptBytes + m.readBytes
}

// room is memory that is reserved for a read. Its zero size is none.
type room struct {
	in    *Memory
	bytes int64
}

// reserve makes the room as large as asked for, from nothing: who waits for more holds none. What is in it must not be
// used any more.
func (r *room) reserve(ctx context.Context, bytes int64) error {
	r.free()
	ctx, cancel := context.WithTimeoutCause(ctx, maxRoomTime, &source.HeldError{
		Reason: fmt.Sprintf("the memory for remote files is in use, and %d bytes more do not fit; remote_memory allows more", bytes), Wait: time.Second,
	})
	defer cancel()
	for {
		freed := r.in.take(bytes)
		if freed == nil {
			r.bytes = bytes
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// take reserves bytes, for which it forgets what was not used for the longest. If what others read leaves no room, it
// returns what is closed once there may be some.
func (m *Memory) take(bytes int64) (freed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.readBytes+bytes > m.maxBytes {
		return m.freed
	}
	m.readBytes += bytes
	for m.keptBytes+m.readBytes > m.maxBytes {
		m.kept.RemoveOldest()
	}
	return nil
}

// grow makes the room larger without waiting, and reports whether it could.
func (r *room) grow(bytes int64) bool {
	if r.in.take(bytes) != nil {
		return false
	}
	r.bytes += bytes
	return true
}

// whyNoMore returns why the room cannot grow for what so many objects are: it would be larger than the memory, or others
// read now.
func (r *room) whyNoMore(bytes int64, objects int) error {
	if r.bytes+bytes > r.in.maxBytes {
		return fmt.Errorf("what %d objects are takes more memory than remote files may take; remote_memory allows more", objects)
	}
	return &source.HeldError{Reason: "the memory for remote files is in use; remote_memory allows more", Wait: time.Second}
}

// shrink gives back what exceeds some bytes.
func (r *room) shrink(bytes int64) {
	if bytes >= r.bytes {
		return
	}
	r.in.mu.Lock()
	defer r.in.mu.Unlock()
	r.in.giveBack(r.bytes - bytes)
	r.bytes = bytes
}

// free gives back all.
func (r *room) free() { r.shrink(0) }

// giveBack ends the reservation of bytes. The caller holds the lock.
func (m *Memory) giveBack(bytes int64) {
	m.readBytes -= bytes
	close(m.freed)
	m.freed = make(chan struct{})
}

// shelf has the values of one kind of a store, by their paths.
type shelf[V any] struct{ in *Memory }

// put keeps the value of a path in the room that was reserved for it.
func (s *shelf[V]) put(path string, value V, in *room) {
	m := s.in
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept.Remove(keptKey{s, path})
	m.kept.Add(keptKey{s, path}, kept{value, in.bytes})
	m.keptBytes += in.bytes
	m.giveBack(in.bytes)
	in.bytes = 0
}

// get returns the value of a path, which is a use.
func (s *shelf[V]) get(path string) (value V, ok bool) {
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	found, ok := s.in.kept.Get(keptKey{s, path})
	if ok {
		value = found.value.(V)
	}
	return value, ok
}

// drop forgets the value of a path.
func (s *shelf[V]) drop(path string) {
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	s.in.kept.Remove(keptKey{s, path})
}
