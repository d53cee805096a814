package disk

import (
	"encoding/hex"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Groups is a folder with a subfolder for each group of values. It is safe for concurrent use, also by
// several processes. When its files would exceed a bound, the group that has not been used for longest
// is removed. A nil Groups stores nothing.
//
// The names and sizes of all files are in memory, so that asking for a value that is not stored costs
// no call of the system.
type Groups struct {
	config GroupsConfig
	system system

	mu        sync.Mutex            // guards the fields below, but no file
	groups    map[string]*inventory // by the name of the folder
	bytes     int64                 // of all groups
	scanned   time.Time
	isFailing bool // whether the last value could not be written
}

// GroupsConfig configures Groups.
type GroupsConfig struct {
	Folder   string // is created if necessary
	MaxBytes int64  // of all files

	OnDamage  func(path string, err error) // is told once for each group that files cannot be used
	OnFailure func(err error)              // is told when values can no longer be written
}

// inventory is what is known of the folder of a group.
type inventory struct {
	bytesOf    map[string]int64 // by the name of the file
	bytes      int64
	used       time.Time
	touched    time.Time // the time of the folder, as far as is known
	writing    int       // values that are being written
	isReported bool      // whether its damage was reported
}

// A group may have this part of all bytes, so that one large group does not remove all others.
const groupShare = 4

// OpenGroups opens a folder.
func OpenGroups(config GroupsConfig) (*Groups, error) { return openGroups(operatingSystem{}, config) }

func openGroups(system system, config GroupsConfig) (*Groups, error) {
	if _, err := open(system, config.Folder, config.MaxBytes); err != nil {
		return nil, err
	}
	if config.OnDamage == nil {
		config.OnDamage = func(string, error) {}
	}
	if config.OnFailure == nil {
		config.OnFailure = func(error) {}
	}
	g := &Groups{config: config, system: system, groups: make(map[string]*inventory)}
	err := g.scan()
	g.remove(g.superfluous(nil, 0))
	return g, err
}

// scanInterval is how often Groups looks for files of other processes, while it writes its own.
const scanInterval = time.Minute

// scan finds out which files there are. Groups that are being written to stay as they are known.
func (g *Groups) scan() error {
	folders, err := g.system.ReadDir(g.config.Folder)
	if err != nil {
		return err
	}
	found := make(map[string]*inventory)
	for _, folder := range folders {
		if info, err := folder.Info(); err == nil && info.IsDir() && isGroup(folder.Name()) {
			found[folder.Name()] = g.scanGroup(folder.Name(), timeOf(info, time.Now()))
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for name, known := range g.groups {
		switch {
		case known.writing > 0:
			found[name] = known
		case found[name] != nil && known.used.After(found[name].used):
			found[name].used, found[name].touched = known.used, known.touched
		}
	}
	g.groups, g.bytes, g.scanned = found, 0, time.Now()
	for _, one := range found {
		g.bytes += one.bytes
	}
	return nil
}

// isGroup reports whether a folder has the name of a group. Others are foreign and stay untouched.
func isGroup(name string) bool {
	bytes, err := hex.DecodeString(name)
	return err == nil && hex.EncodeToString(bytes) == name && len(name) == len(hashOf(""))
}

// scanGroup returns what is in a folder, and removes files that were not finished.
func (g *Groups) scanGroup(name string, used time.Time) *inventory {
	one := &inventory{bytesOf: make(map[string]int64), used: used, touched: used}
	folder := filepath.Join(g.config.Folder, name)
	entries, _ := g.system.ReadDir(folder) // a folder that cannot be read has nothing to offer
	now := time.Now()
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err != nil || !info.Mode().IsRegular(): // removed meanwhile, or foreign
		case isValue(entry.Name()):
			one.add(entry.Name(), info.Size())
		case isAbandoned(entry.Name(), timeOf(info, now), now):
			_ = g.system.Remove(filepath.Join(folder, entry.Name())) // the next scan tries again
		}
	}
	return one
}

func (i *inventory) add(name string, bytes int64) {
	i.bytes += bytes - i.bytesOf[name]
	i.bytesOf[name] = bytes
}

// Group returns the group of a key.
func (g *Groups) Group(key string) *Group {
	if g == nil {
		return nil
	}
	return &Group{g, hashOf(key)}
}

// A Group is a part of Groups.
type Group struct {
	all  *Groups
	name string
}

// Contains reports whether a value is stored, as far as is known without asking the system.
func (o *Group) Contains(key string) bool {
	o.all.mu.Lock()
	defer o.all.mu.Unlock()
	known := o.all.groups[o.name]
	return known != nil && known.bytesOf[hashOf(key)+extension] > 0
}

// Get returns a value that is stored and undamaged. A damaged one is removed.
func (o *Group) Get(key string) ([]byte, bool) {
	if !o.Contains(key) {
		return nil, false
	}
	path := o.path(key)
	value, err := read(o.all.system, path, key)
	if err != nil {
		o.lose(filepath.Base(path), err)
		return nil, false
	}
	o.touch()
	return value, true
}

// Put stores a value, if there is space for it. Values of one key are equal, so concurrent writers may
// win in any order.
func (o *Group) Put(key string, value []byte) {
	g := o.all
	if len(value) > MaxValueBytes {
		return
	}
	path, bytes := o.path(key), int64(overheadBytes+len(key)+len(value))
	own := o.begin(bytes)
	if own == nil {
		return
	}
	err := g.system.MkdirAll(filepath.Dir(path))
	if err == nil {
		err = write(g.system, path, encode(key, value))
	}
	if isFirst := o.end(own, filepath.Base(path), bytes, err); isFirst {
		g.config.OnFailure(err)
	}
}

// Remove removes a value.
func (o *Group) Remove(key string) { o.lose(filepath.Base(o.path(key)), errDamaged) }

// Clear removes all values of the group. It does nothing if o is nil.
func (o *Group) Clear() {
	if o == nil {
		return
	}
	o.all.mu.Lock()
	o.all.drop(o.name)
	o.all.mu.Unlock()
	o.all.remove([]string{o.name})
}

func (o *Group) path(key string) string {
	return filepath.Join(o.all.config.Folder, o.name, hashOf(key)+extension)
}

// begin makes space for a value of some bytes. It returns nil if there is none.
func (o *Group) begin(bytes int64) *inventory {
	g := o.all
	if g.isScanDue() {
		if err := g.scan(); err != nil {
			return nil
		}
	}
	g.mu.Lock()
	own := g.groups[o.name]
	if own == nil {
		own = &inventory{bytesOf: make(map[string]int64)}
		g.groups[o.name] = own
	}
	hasSpace := own.bytes+bytes <= g.config.MaxBytes/groupShare
	if hasSpace {
		own.used = time.Now()
		own.writing++
	}
	g.mu.Unlock()
	if !hasSpace {
		return nil
	}
	g.remove(g.superfluous(own, bytes))
	return own
}

// end records that a value was written. isFirst says that err is the first one after a success.
func (o *Group) end(own *inventory, name string, bytes int64, err error) (isFirst bool) {
	g := o.all
	g.mu.Lock()
	defer g.mu.Unlock()
	own.writing--
	if err == nil && g.groups[o.name] == own { // not removed meanwhile
		g.bytes -= own.bytes
		own.add(name, bytes)
		g.bytes += own.bytes
	}
	if isGone(err) {
		return false // another process removed the group
	}
	isFirst = err != nil && !g.isFailing
	g.isFailing = err != nil
	return isFirst
}

func (g *Groups) isScanDue() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return time.Since(g.scanned) > scanInterval
}

// superfluous forgets the groups that have not been used for longest, until there is space for more
// bytes of a group. The caller removes their files.
func (g *Groups) superfluous(but *inventory, bytes int64) (names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bytes+bytes <= g.config.MaxBytes {
		return nil
	}
	oldest := slices.SortedFunc(maps.Keys(g.groups), func(a, b string) int { return g.groups[a].used.Compare(g.groups[b].used) })
	for _, name := range oldest {
		if one := g.groups[name]; one != but && one.writing == 0 && g.bytes+bytes > g.config.MaxBytes {
			g.drop(name)
			names = append(names, name)
		}
	}
	return names
}

// drop forgets a group.
func (g *Groups) drop(name string) {
	if one := g.groups[name]; one != nil {
		g.bytes -= one.bytes
		delete(g.groups, name)
	}
}

// remove removes the files of groups, but no foreign ones. Those that remain are found by a later scan.
func (g *Groups) remove(names []string) {
	for _, name := range names {
		folder := filepath.Join(g.config.Folder, name)
		entries, _ := g.system.ReadDir(folder)
		for _, entry := range entries {
			if isValue(entry.Name()) || isUnfinished(entry.Name()) {
				_ = g.system.Remove(filepath.Join(folder, entry.Name()))
			}
		}
		_ = g.system.Remove(folder)
	}
}

// lose forgets a file that cannot be read, and removes it. Another process may have removed it before.
func (o *Group) lose(name string, err error) {
	g := o.all
	g.mu.Lock()
	isNew := false
	if own := g.groups[o.name]; own != nil {
		g.bytes -= own.bytesOf[name]
		own.bytes -= own.bytesOf[name]
		delete(own.bytesOf, name)
		isNew = !own.isReported && !isGone(err)
		own.isReported = own.isReported || isNew
	}
	g.mu.Unlock()
	path := filepath.Join(g.config.Folder, o.name, name)
	if errors.Is(err, errDamaged) {
		err = errors.Join(err, ignoreGone(g.system.Remove(path)))
	}
	if isNew {
		g.config.OnDamage(path, err)
	}
}

func ignoreGone(err error) error {
	if isGone(err) {
		return nil
	}
	return err
}

// touchInterval is how often the time of a folder is set while it is used. Other processes see it.
const touchInterval = time.Hour

// touch records that the group is used.
func (o *Group) touch() {
	g := o.all
	g.mu.Lock()
	own, now := g.groups[o.name], time.Now()
	isDue := own != nil && now.Sub(own.touched) > touchInterval
	if own != nil {
		own.used = now
	}
	if isDue {
		own.touched = now
	}
	g.mu.Unlock()
	if isDue {
		_ = g.system.Touch(filepath.Join(g.config.Folder, o.name), now) // the order of removal is only a guess then
	}
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
	g.mu.Lock()
	defer g.mu.Unlock()
	return GroupsStats{len(g.groups), g.bytes}
}
