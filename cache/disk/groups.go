package disk

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// Groups is a folder with a subfolder for each group of values. It is safe for concurrent use, also by
// several processes. When its files would exceed a bound, the group that has not been used for longest
// is removed. A nil Groups stores nothing.
//
// The names and sizes of all files are in memory, so that asking for a value that is not stored costs
// no call of the system.
type Groups struct {
	config GroupsConfig
	shelf  shelf

	mu        sync.Mutex        // guards the fields below
	groups    map[string]*Group // those that were asked for and not cleared, by name
	isFailing bool              // whether the last value could not be written
}

// GroupsConfig configures Groups.
type GroupsConfig struct {
	Folder   string   // is created if necessary
	MaxBytes int64    // of all files
	Storage  *Storage // what the folder lies on; nil waits for it without end

	OnDamage  func(path string, err error) // is told once for each group that files cannot be used
	OnFailure func(err error)              // is told when values can no longer be written
}

// A group may have this part of all bytes, so that one large group does not remove all others.
const groupShare = 4

// OpenGroups opens a folder.
func OpenGroups(config GroupsConfig) (*Groups, error) { return openGroups(operatingSystem{}, config) }

func openGroups(system system, config GroupsConfig) (*Groups, error) {
	if config.OnDamage == nil {
		config.OnDamage = func(string, error) {}
	}
	if config.OnFailure == nil {
		config.OnFailure = func(error) {}
	}
	g := &Groups{config: config, groups: make(map[string]*Group)}
	g.shelf = shelf{system: system, storage: config.Storage, folder: config.Folder, maxBytes: config.MaxBytes, hasGroups: true}
	return g, g.shelf.open()
}

// GroupsStats describes what is stored.
type GroupsStats struct {
	Groups int
	Bytes  int64
}

// Stats returns what is stored.
func (g *Groups) Stats() GroupsStats {
	if g == nil {
		return GroupsStats{}
	}
	g.shelf.mu.Lock()
	defer g.shelf.mu.Unlock()
	return GroupsStats{len(g.shelf.known.units), g.shelf.known.bytes}
}

// Group returns the group of a key: the same one until it is cleared, and again once it is renewed.
func (g *Groups) Group(key string) *Group {
	if g == nil {
		return nil
	}
	name := hashOf(key)
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.groups[name]
	if own == nil {
		own = &Group{all: g, name: name}
		g.groups[name] = own
	}
	return own
}

// A Group is a part of Groups.
type Group struct {
	all        *Groups
	name       string
	isCleared  atomic.Bool // nothing more is stored; set while Groups.mu is held
	isReported atomic.Bool // its damage
}

func (o *Group) place(key string) place { return place{o.name, nameOf(key)} }

// Contains reports whether a value is stored, as far as is known without asking the system, and whether
// the system would be asked for it.
func (o *Group) Contains(key string) bool {
	shelf := &o.all.shelf
	return shelf.contains(o.place(key)) && shelf.storage.isAsked()
}

// Get returns a value that is stored and undamaged. A damaged one is removed.
func (o *Group) Get(ctx context.Context, key string) ([]byte, bool) {
	shelf, at := &o.all.shelf, o.place(key)
	if !shelf.contains(at) {
		return nil, false
	}
	value, err := reading(ctx, shelf.storage, func() ([]byte, error) { return shelf.read(at, key, new(bytes.Buffer)) })
	if err != nil && !isGone(err) && !isUnanswered(err) && ctx.Err() == nil {
		o.reportDamage(at, err)
	}
	return value, err == nil
}

// Put stores a value, if there is space for it. Values of one key are equal, so concurrent writers may
// win in any order.
func (o *Group) Put(ctx context.Context, key string, value []byte) {
	if len(value) > MaxValueBytes || o.isCleared.Load() {
		return
	}
	content, at, shelf := encode(key, value), o.place(key), &o.all.shelf
	shelf.makeRoom(ctx, at, int64(len(content)), shelf.maxBytes/groupShare)
	err := writing(ctx, shelf.storage, func() error { return o.write(at, content) })
	if ctx.Err() == nil {
		o.all.noteWriting(err)
	}
}

// write writes the content of a file, unless the group is cleared meanwhile.
func (o *Group) write(at place, content []byte) error {
	shelf := &o.all.shelf
	err := shelf.write(at, content, shelf.maxBytes/groupShare)
	if o.isCleared.Load() && !o.all.isReplaced(o) {
		shelf.doom([]string{o.name})
	}
	return err
}

// isReplaced reports whether there is another group of the key after this one was cleared.
func (g *Groups) isReplaced(cleared *Group) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.groups[cleared.name] != nil
}

// noteWriting reports the first error after a success.
func (g *Groups) noteWriting(err error) {
	if err != nil && (isGone(err) || !IsFailure(err)) {
		return // another process removed the group, or there is nothing wrong
	}
	g.mu.Lock()
	isFirst := err != nil && !g.isFailing
	g.isFailing = err != nil
	g.mu.Unlock()
	if isFirst {
		g.config.OnFailure(err)
	}
}

// reportDamage reports the first file of the group that cannot be used.
func (o *Group) reportDamage(at place, err error) {
	if !o.isReported.Swap(true) {
		o.all.config.OnDamage(o.all.shelf.path(at), err)
	}
}

// Remove removes a value that turned out to be damaged.
func (o *Group) Remove(ctx context.Context, key string) {
	shelf, at := &o.all.shelf, o.place(key)
	shelf.forget(at)
	err := writing(ctx, shelf.storage, func() error { return ignoreGone(shelf.system.Remove(shelf.path(at))) })
	o.reportDamage(at, errors.Join(errDamaged, err))
}

// Clear removes all values of the group, which stores none from then on. It does not wait for the storage,
// unless that is nil. It does nothing if o is nil.
func (o *Group) Clear() {
	if o == nil {
		return
	}
	o.all.mu.Lock()
	o.isCleared.Store(true)
	if o.all.groups[o.name] == o {
		delete(o.all.groups, o.name)
	}
	o.all.mu.Unlock()
	if removed := o.all.shelf.doom([]string{o.name}); o.all.shelf.storage == nil {
		<-removed
	}
}

// Renew lets a group that was cleared store values again, unless there is another one of its key. It does
// nothing if o is nil.
func (o *Group) Renew() {
	if o == nil || !o.isCleared.Load() {
		return
	}
	o.all.mu.Lock()
	defer o.all.mu.Unlock()
	if o.all.groups[o.name] == nil {
		o.all.groups[o.name] = o
		o.isCleared.Store(false)
	}
}
