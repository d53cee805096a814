package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"tileserver/source"
	"tileserver/source/web/transport"
)

// Config configures a Store.
type Config struct {
	Service Service
	Client  *transport.Client

	// IsTrusted says that the operator named the addresses. Any other must be permitted by the client.
	IsTrusted bool

	// HasSideFiles says that side files lie beside objects whose folder was not listed. Each one costs a
	// request for its name, also if it is not there.
	HasSideFiles bool

	// Recheck is how long an object counts as current before it is asked for again. It is also how long a
	// list tells the state of an object.
	Recheck time.Duration

	// Memory bounds what is kept in memory, together with other stores. Nil is one of the store's own.
	Memory *Memory
}

// Store is what lies on the web servers or in the buckets of a service.
type Store struct {
	config Config
	heads  *heads
	lists  *lists
}

var _ source.Store = (*Store)(nil)

// NewStore returns a Store.
func NewStore(c Config) *Store {
	if c.Memory == nil {
		c.Memory = NewMemory(DefaultMemoryBytes)
	}
	s := &Store{config: c, lists: &lists{folders: &shelf[*list]{in: c.Memory}}}
	s.heads = &heads{read: s.readHead, known: &shelf[*headCall]{in: c.Memory}, reading: make(map[string]*headCall)}
	return s
}

// freshTime returns how long what was read of an object stands for its state.
func (s *Store) freshTime() time.Duration { return min(headTime, s.config.Recheck) }

// Canonical returns a path that is equal for all spellings of a path.
func (s *Store) Canonical(path string) string { return s.config.Service.Canonical(path) }

// Storage names the server that a path leads to.
func (s *Store) Storage(path string) string {
	u, err := s.config.Service.Locate(path)
	if err != nil {
		return source.Redacted(path)
	}
	return u.Scheme + "://" + u.Host
}

// Stat returns the state of what lies at a path. What a list has told is not asked for.
func (s *Store) Stat(ctx context.Context, path string) (source.State, error) {
	path = s.Canonical(path)
	lister, hasFolders := s.config.Service.(Lister)
	if hasFolders && source.NamesFolder(path) {
		return s.statFolder(ctx, lister, path)
	}
	if stamp, ok := s.lists.stamp(path, s.config.Recheck); ok {
		return source.State{Stamp: stamp, Mode: objectMode}, nil
	}
	found, err := s.heads.of(ctx, path, s.freshTime())
	switch {
	case err == nil:
		return source.State{Stamp: found.version.stamp(), Mode: objectMode}, nil
	case isMissing(err) && hasFolders:
		return s.statFolder(ctx, lister, path)
	}
	return source.State{}, named(path, err)
}

// The modes of what lies in a store. Whether it may be read only the server knows.
const (
	objectMode fs.FileMode = 0o444
	folderMode             = fs.ModeDir | 0o555
)

// statFolder returns the state of a folder. One without anything in it does not exist.
func (s *Store) statFolder(ctx context.Context, lister Lister, path string) (source.State, error) {
	page, err := lister.List(ctx, path, "", s.document)
	if err == nil && len(page.Listed) == 0 && page.Next == "" {
		err = fs.ErrNotExist
	}
	if err != nil {
		return source.State{}, named(path, err)
	}
	return source.State{Mode: folderMode}, nil
}

// Open opens the current version of an object.
func (s *Store) Open(ctx context.Context, path string) (source.Object, error) {
	o, err := s.open(ctx, s.Canonical(path))
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (s *Store) open(ctx context.Context, path string) (*object, error) {
	found, err := s.heads.of(ctx, path, s.freshTime())
	if isMissing(err) {
		if lister, hasFolders := s.config.Service.(Lister); hasFolders {
			if there, folderErr := s.statFolder(ctx, lister, path); folderErr == nil {
				return nil, source.NotObjectError{Path: source.Redacted(path), Mode: there.Mode}
			}
		}
	}
	if err != nil {
		return nil, named(path, err)
	}
	return s.newObject(path, found)
}

// isMissing reports whether an error says that nothing lies at a path.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// named says which path an error is about. For objects that do not exist, it is that of files on disk.
func named(path string, err error) error {
	if isMissing(err) {
		return &fs.PathError{Op: "open", Path: source.Redacted(path), Err: fs.ErrNotExist}
	}
	return fmt.Errorf("source: %s: %w", source.Redacted(path), err)
}
