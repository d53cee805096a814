package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"tileserver/source"
)

// Store is a store in memory. Its paths are separated by slashes. It fails on demand.
type Store struct {
	mu       sync.Mutex // guards the fields below
	objects  map[string]stored
	failures map[string]error
	puts     int
}

var _ source.Store = (*Store)(nil)

// stored is an object in a Store. It is never changed, but replaced.
type stored struct {
	data  []byte
	state source.State
}

// NewStore returns an empty Store.
func NewStore() *Store {
	return &Store{objects: make(map[string]stored), failures: make(map[string]error)}
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

// Fail makes Stat, List and Open of a path fail with err, until err is nil.
func (s *Store) Fail(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[name] = err
}

// Canonical returns the path without needless elements.
func (s *Store) Canonical(name string) string { return path.Clean(name) }

// Stat returns the state of an object or a folder.
func (s *Store) Stat(ctx context.Context, name string) (source.State, error) {
	found, err := s.find(ctx, name)
	return found.state, err
}

func (s *Store) find(ctx context.Context, name string) (stored, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(ctx.Err(), s.failures[name]); err != nil {
		return stored{}, err
	}
	if found, ok := s.objects[name]; ok {
		return found, nil
	}
	for other := range s.objects {
		if strings.HasPrefix(other, name+"/") {
			return stored{state: source.State{Mode: fs.ModeDir}}, nil
		}
	}
	return stored{}, &fs.PathError{Op: "find", Path: name, Err: fs.ErrNotExist}
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
			entries = append(entries, source.Entry{Name: name, Path: path.Join(folder, name), IsFolder: isFolder || s.objects[other].state.Mode.IsDir()})
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
		return nil, source.NotObjectError{Path: name, Mode: found.state.Mode}
	}
	return &fakeObject{Bytes: source.NewBytes(name, found.data), store: s, state: found.state, siblings: make(map[string]source.State)}, nil
}

// fakeObject is an open version of an object in a Store.
type fakeObject struct {
	*source.Bytes
	store *Store
	state source.State

	mu       sync.Mutex // guards the field below
	siblings map[string]source.State
}

// Sibling opens an object in the same folder.
func (o *fakeObject) Sibling(ctx context.Context, name string) (source.Source, error) {
	if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
		return nil, fmt.Errorf("%q is no name", name)
	}
	at := path.Join(path.Dir(o.Name()), name)
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
func (o *fakeObject) IsCurrent() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for at, then := range o.siblings {
		if now, _ := o.store.Stat(context.Background(), at); now.Stamp != then.Stamp {
			return false
		}
	}
	now, _ := o.store.Stat(context.Background(), o.Name())
	return now == o.state
}

// Settle fails if the object is gone. Objects are complete at once.
func (o *fakeObject) Settle(ctx context.Context) error {
	_, err := o.store.Stat(ctx, o.Name())
	return err
}

// Identity returns the path and the version.
func (o *fakeObject) Identity(context.Context) (string, error) {
	return o.Name() + "@" + o.Version(), nil
}
