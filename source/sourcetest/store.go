package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"
	"sync"
	"time"

	"tileserver/source"
)

// Store is a store in memory. Its paths are separated by slashes, and may be addresses. It hangs, slows down
// and fails on demand. The first element of a path is its storage, and of an address the scheme and the host.
type Store struct {
	mu       sync.Mutex // guards the fields below
	objects  map[string]stored
	failures map[string]error
	storages map[string]*behavior
	puts     int
}

// behavior is how a storage answers.
type behavior struct {
	calls     int           // that reached it
	hanging   chan struct{} // if not nil, calls wait until it is closed
	readsHang bool          // only reads wait, as if names and states were in memory
	isCached  bool          // reads find their bytes in memory
	rate      int64         // bytes in a second; 0 is no limit
	failEvery int           // each call whose number is a multiple fails; 0 is none
}

var _ source.Store = (*Store)(nil)

// stored is an object in a Store. It is never changed, but replaced.
type stored struct {
	data  []byte
	state source.State
}

// NewStore returns an empty Store.
func NewStore() *Store {
	return &Store{objects: make(map[string]stored), failures: make(map[string]error), storages: make(map[string]*behavior)}
}

// Put writes an object, which was modified some time ago.
func (s *Store) Put(name string, data []byte, ago time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts++
	s.objects[name] = stored{data, source.State{
		Stamp: source.Stamp{Size: int64(len(data)), Modified: time.Now().Add(-ago).UnixNano(), Tag: fmt.Sprint(s.puts)}, Mode: 0o644,
	}}
}

// MakeFolder makes a folder, which exists without objects.
func (s *Store) MakeFolder(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[name] = stored{state: source.State{Mode: fs.ModeDir}}
}

// Remove removes an object, or a folder with all that lies in it.
func (s *Store) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other := range s.objects {
		if other == name || strings.HasPrefix(other, name+"/") {
			delete(s.objects, other)
		}
	}
}

// Fail makes calls for a path fail with err, until err is nil.
func (s *Store) Fail(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[name] = err
}

// behaviorOf returns the behavior of a storage. The caller holds the lock.
func (s *Store) behaviorOf(storage string) *behavior {
	if s.storages[storage] == nil {
		s.storages[storage] = new(behavior)
	}
	return s.storages[storage]
}

// Hang makes the calls of a storage wait until resume is called or their contexts end.
func (s *Store) Hang(storage string) (resume func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hanging := make(chan struct{})
	s.behaviorOf(storage).hanging = hanging
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		b := s.behaviorOf(storage)
		b.hanging, b.readsHang = nil, false
		close(hanging)
	}
}

// HangReads does what Hang does, but for reads only.
func (s *Store) HangReads(storage string) (resume func()) {
	resume = s.Hang(storage)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviorOf(storage).readsHang = true
	return resume
}

// Cache lets reads of a storage find their bytes in memory or not.
func (s *Store) Cache(storage string, isCached bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviorOf(storage).isCached = isCached
}

// Slow makes reads of a storage take as long as the rate says, in bytes of a second; 0 is no limit.
func (s *Store) Slow(storage string, rate int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviorOf(storage).rate = rate
}

// FailEvery makes each n-th call of a storage fail as stalled; 0 makes none fail.
func (s *Store) FailEvery(storage string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviorOf(storage).failEvery = n
}

// Calls returns the number of calls that have reached a storage so far.
func (s *Store) Calls(storage string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behaviorOf(storage).calls
}

// read counts a read of an object, unless its bytes are in memory, and waits and fails as its storage
// does.
func (s *Store) read(ctx context.Context, name string, ranges []source.Range) error {
	s.mu.Lock()
	isCached := s.behaviorOf(s.Storage(name)).isCached
	s.mu.Unlock()
	if isCached {
		return ctx.Err()
	}
	if err := source.Reach(ctx); err != nil {
		return err
	}
	return s.enter(ctx, name, ranges)
}

// enter counts a call for a path, and waits and fails as its storage does. The ranges are those of a
// read.
func (s *Store) enter(ctx context.Context, name string, ranges []source.Range) error {
	storage := s.Storage(name)
	s.mu.Lock()
	b := s.behaviorOf(storage)
	b.calls++
	now, failure := *b, s.failures[name]
	s.mu.Unlock()
	if now.readsHang && ranges == nil {
		now.hanging = nil
	}
	var delay time.Duration
	for _, r := range ranges {
		if now.rate > 0 {
			delay += time.Duration(float64(r.Length) / float64(now.rate) * float64(time.Second))
		}
	}
	if err := pause(ctx, delay, now.hanging); err != nil {
		return err
	}
	if now.failEvery > 0 && now.calls%now.failEvery == 0 {
		failure = source.ErrStalled
	}
	return errors.Join(ctx.Err(), failure)
}

// Canonical returns the path without needless elements, and an address as it is.
func (s *Store) Canonical(name string) string {
	if source.IsRemote(name) {
		return name
	}
	return path.Clean(name)
}

// Storage returns the first element of a path, or the scheme and the host of an address.
func (s *Store) Storage(name string) string {
	if scheme, rest, isAddress := strings.Cut(source.Redacted(name), "://"); isAddress {
		host, _, _ := strings.Cut(rest, "/")
		return scheme + "://" + host
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	return first
}

// join returns the path of a name in a folder, on any system.
func join(folder, name string) string {
	if source.IsRemote(folder) {
		return source.Join(folder, name)
	}
	return path.Join(folder, name)
}

// Stat returns the state of an object or a folder.
func (s *Store) Stat(ctx context.Context, name string) (source.State, error) {
	found, err := s.find(ctx, name)
	return found.state, err
}

func (s *Store) find(ctx context.Context, name string) (stored, error) {
	if err := s.enter(ctx, name, nil); err != nil {
		return stored{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.objects[name]; ok {
		return found, nil
	}
	for other := range s.objects {
		if strings.HasPrefix(other, name+"/") {
			return stored{state: source.State{Mode: fs.ModeDir}}, nil
		}
	}
	return stored{}, &fs.PathError{Op: "find", Path: source.Redacted(name), Err: fs.ErrNotExist}
}

// List returns what lies in a folder.
func (s *Store) List(ctx context.Context, folder string) ([]source.Entry, error) {
	if _, err := s.find(ctx, folder); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var entries []source.Entry
	listed := make(map[string]bool)
	for other := range s.objects {
		rest, isWithin := strings.CutPrefix(other, folder+"/")
		name, _, isFolder := strings.Cut(rest, "/")
		if isWithin && !listed[name] {
			listed[name] = true
			entries = append(entries, source.Entry{Name: name, Path: join(folder, name), IsFolder: isFolder || s.objects[other].state.Mode.IsDir()})
		}
	}
	return entries, nil
}

// Open opens an object.
func (s *Store) Open(ctx context.Context, name string) (source.Object, error) {
	found, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	if found.state.Mode.IsDir() {
		return nil, source.NotObjectError{Path: source.Redacted(name), Mode: found.state.Mode}
	}
	return &fakeObject{Bytes: source.NewBytes(source.Redacted(name), found.data), path: name, store: s, state: found.state, siblings: make(map[string]source.State)}, nil
}

// fakeObject is an open version of an object in a Store.
type fakeObject struct {
	*source.Bytes
	path  string
	store *Store
	state source.State

	mu       sync.Mutex // guards the field below
	siblings map[string]source.State
}

// ReadRanges waits and fails as the storage does, and then returns the bytes.
func (o *fakeObject) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	if err := source.CheckBounds(ranges, o.Size()); err != nil {
		return nil, err
	}
	if err := o.store.read(ctx, o.path, ranges); err != nil {
		return nil, err
	}
	return o.Bytes.ReadRanges(ctx, ranges)
}

// Sibling opens an object in the same folder.
func (o *fakeObject) Sibling(ctx context.Context, name string) (source.Source, error) {
	if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
		return nil, fmt.Errorf("%q is no name", name)
	}
	at := join(source.Folder(o.path), name)
	sibling, err := o.store.Open(ctx, at)
	if source.IsNotObject(err) {
		err = fs.ErrNotExist
	}
	state := source.State{}
	if err == nil {
		state = sibling.(*fakeObject).state
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.siblings[at] = state
	if err != nil {
		return nil, err
	}
	return sibling, nil
}

// IsCurrent compares the states of the object and its siblings.
func (o *fakeObject) IsCurrent(ctx context.Context) (bool, error) {
	o.mu.Lock()
	states := maps.Clone(o.siblings)
	o.mu.Unlock()
	states[o.path] = o.state
	for at, then := range states {
		now, err := o.store.Stat(ctx, at)
		if errors.Is(err, source.ErrStalled) || ctx.Err() != nil {
			return false, err
		}
		if now.Stamp != then.Stamp {
			return false, nil
		}
	}
	return true, nil
}

// ChangedAt returns the time of the last Put of the object or of a sibling.
func (o *fakeObject) ChangedAt() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	latest := o.state.Modified
	for _, sibling := range o.siblings {
		latest = max(latest, sibling.Modified)
	}
	return time.Unix(0, latest)
}

// Settle fails if the object is gone. Objects are complete at once.
func (o *fakeObject) Settle(ctx context.Context) error {
	_, err := o.store.Stat(ctx, o.path)
	return err
}

// Identity returns the path and the version, after it has read a sample of the bytes.
func (o *fakeObject) Identity(ctx context.Context) (string, error) {
	if _, err := o.ReadRanges(ctx, []source.Range{{Length: min(o.Size(), 1)}}); err != nil {
		return "", err
	}
	return o.Name() + "@" + o.Version(), nil
}
