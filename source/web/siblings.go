package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"tileserver/source"
	"tileserver/source/permit"
	"tileserver/source/web/transport"
)

// siblings opens objects in the folder of another one. Without a list of the folder it looks for none, unless
// the store has side files: most objects have none, and each name would be a request.
type siblings struct {
	of *object

	mu    sync.Mutex          // guards the field below
	asked map[string]*version // by path; nil for those that do not exist
}

// open opens the object of a name.
func (b *siblings) open(ctx context.Context, name string) (source.Source, error) {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\") {
		return nil, fmt.Errorf("source: %q is not the name of an object", name)
	}
	store := b.of.store
	path := store.Canonical(source.Join(source.Folder(b.of.path), name))
	if !b.mayExist(path) {
		return nil, named(path, fs.ErrNotExist)
	}
	found, err := store.heads.of(ctx, path, store.freshTime())
	switch {
	case isHidden(err):
		b.note(path, nil)
		return nil, named(path, fs.ErrNotExist)
	case err != nil:
		return nil, named(path, err)
	}
	o, err := store.newObject(path, found)
	if err != nil {
		return nil, err
	}
	b.note(path, &o.version)
	return o, nil
}

// isHidden reports whether nothing lies at a path, or nothing that may be read: who may not list a bucket is
// refused what it does not have.
func isHidden(err error) bool {
	refused := (*transport.RefusedError)(nil)
	return isMissing(err) || errors.Is(err, permit.ErrNotPermitted) ||
		errors.As(err, &refused) && (refused.Status == http.StatusForbidden || refused.Status == http.StatusUnauthorized)
}

// mayExist reports whether an object may lie at a path beside the object. A signed address is that of one
// object.
func (b *siblings) mayExist(path string) bool {
	store := b.of.store
	if has, isListed := store.lists.has(path); isListed {
		if !has {
			b.note(path, nil)
		}
		return has
	}
	return store.config.HasSideFiles && !strings.Contains(b.of.path, "?")
}

func (b *siblings) note(path string, found *version) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked == nil {
		b.asked = make(map[string]*version)
	}
	b.asked[path] = found
}

// known returns the versions of the paths that were asked for.
func (b *siblings) known() map[string]*version {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.asked)
}

// areUnchanged reports whether all that was asked for is as it was.
func (b *siblings) areUnchanged(ctx context.Context) (bool, error) {
	for path, then := range b.known() {
		is, err := b.isUnchanged(ctx, path, then)
		if !is || err != nil {
			return false, err
		}
	}
	return true, nil
}

// isUnchanged asks a list, or else the server.
func (b *siblings) isUnchanged(ctx context.Context, path string, then *version) (bool, error) {
	store := b.of.store
	if has, isListed := store.lists.has(path); isListed && !has {
		return then == nil, nil
	}
	if stamp, ok := store.lists.stamp(path, store.config.Recheck); ok {
		return then != nil && versionIn(stamp).isSame(*then), nil
	}
	if then != nil {
		return store.isStill(ctx, path, *then)
	}
	_, err := store.heads.of(ctx, path, store.freshTime())
	switch {
	case isHidden(err):
		return true, nil
	case err != nil:
		return false, named(path, err)
	}
	return false, nil
}

// latest returns the latest of a time and of those at which siblings were changed.
func (b *siblings) latest(changed time.Time) time.Time {
	for _, found := range b.known() {
		if found == nil {
			continue
		}
		if at := time.Unix(0, found.modified); at.After(changed) {
			changed = at
		}
	}
	return changed
}
