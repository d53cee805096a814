// Package mount makes one store of several: the files of a machine, and stores of addresses, each mounted
// under a prefix. The program mounts what it serves and reads. A Store owns nothing, and asks the store whose
// prefix is the longest. The package must never know what kinds of stores it has.
package mount

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"tileserver/source"
)

// Mount is a store of the addresses that begin with a prefix.
type Mount struct {
	Prefix string // a scheme such as s3://, a bucket, a host, or a folder there
	Store  source.Store
}

// Store is several stores as one.
type Store struct {
	files  source.Store // nil has none
	mounts []Mount      // longer prefixes first
}

var _ source.Store = (*Store)(nil)

// New returns a store of files, for paths that are no addresses, and of mounts. Of two with the same
// prefix, the first is used. If files is nil, there are none.
func New(files source.Store, mounts ...Mount) *Store {
	own := slices.Clone(mounts)
	for i := range own {
		own[i].Prefix = normal(own[i].Prefix)
	}
	slices.SortStableFunc(own, func(a, b Mount) int { return cmp.Compare(len(b.Prefix), len(a.Prefix)) })
	return &Store{files, own}
}

// at returns the store of a path.
func (s *Store) at(path string) (source.Store, error) {
	switch isRemote := source.IsRemote(path); {
	case !isRemote && s.files == nil:
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	case !isRemote:
		return s.files, nil
	}
	address := normal(path)
	for i := range s.mounts {
		if contains(s.mounts[i].Prefix, address) {
			return s.mounts[i].Store, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: %s", source.Redacted(path), source.ErrRemote, s.advice(path))
}

// normal returns an address with its scheme in lower case, and the host of a web server, without a user.
func normal(address string) string {
	scheme, rest, isAddress := strings.Cut(address, "://")
	if !isAddress {
		return address
	}
	end := len(rest)
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		end = at
	}
	host := rest[:end]
	if source.IsWeb(address) {
		host = strings.ToLower(host[strings.LastIndexByte(host, '@')+1:])
	}
	return strings.ToLower(scheme) + "://" + host + rest[end:]
}

// contains reports whether an address is that of a prefix or lies below it. A host does not contain
// another one whose name begins as its own: credentials of a prefix must not go there.
func contains(prefix, address string) bool {
	rest, hasPrefix := strings.CutPrefix(address, prefix)
	return hasPrefix && (rest == "" || strings.HasSuffix(prefix, "/") || strings.ContainsRune("/?#", rune(rest[0])))
}

// Canonical returns the canonical path of its store. Folders have no slash at their end.
func (s *Store) Canonical(path string) string {
	own, err := s.at(path)
	if err != nil {
		return path
	}
	return source.WithoutSlash(own.Canonical(path))
}

// Storage returns the storage of a path. All that no store has is one.
func (s *Store) Storage(path string) string {
	own, err := s.at(path)
	if err != nil {
		return "addresses that cannot be read"
	}
	return own.Storage(path)
}

// Stat returns the state of what lies at a path.
func (s *Store) Stat(ctx context.Context, path string) (source.State, error) {
	own, err := s.at(path)
	if err != nil {
		return source.State{}, err
	}
	return own.Stat(ctx, path)
}

// List returns what lies in a folder.
func (s *Store) List(ctx context.Context, folder string) ([]source.Entry, error) {
	own, err := s.at(folder)
	if err != nil {
		return nil, err
	}
	return own.List(ctx, folder)
}

// Open opens the current version of an object.
func (s *Store) Open(ctx context.Context, path string) (source.Object, error) {
	own, err := s.at(path)
	if err != nil {
		return nil, err
	}
	return own.Open(ctx, path)
}
