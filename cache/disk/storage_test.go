package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// hanging is the operating system, whose calls hang while it has a gate.
type hanging struct {
	operatingSystem
	gate  atomic.Pointer[chan struct{}]
	calls atomic.Int64
}

func (h *hanging) hang() chan struct{} {
	gate := make(chan struct{})
	h.gate.Store(&gate)
	return gate
}

// release ends all calls that hang.
func (h *hanging) release(gate chan struct{}) { h.gate.Store(nil); close(gate) }

func (h *hanging) wait() {
	h.calls.Add(1)
	if gate := h.gate.Load(); gate != nil {
		<-*gate
	}
}

func (h *hanging) MkdirAll(folder string) error {
	h.wait()
	return h.operatingSystem.MkdirAll(folder)
}

func (h *hanging) Mkdir(folder string) error {
	h.wait()
	return h.operatingSystem.Mkdir(folder)
}

func (h *hanging) Open(path string) (fs.File, error) {
	h.wait()
	return h.operatingSystem.Open(path)
}

func (h *hanging) Create(folder, pattern string) (writable, error) {
	h.wait()
	return h.operatingSystem.Create(folder, pattern)
}

// reports counts what a storage tells.
type reports struct{ away, returned atomic.Int64 }

func (r *reports) storage() *Storage {
	return NewStorage(StorageConfig{OnAway: func(error) { r.away.Add(1) }, OnReturn: func() { r.returned.Add(1) }})
}

func within(t *testing.T, limit time.Duration, what string, do func()) {
	t.Helper()
	began := time.Now()
	do()
	if took := time.Since(began); took > limit {
		t.Errorf("%s took %v", what, took)
	}
}

// A storage that hangs costs one call a moment, and nobody waits for it in the next half minute. Then
// one call finds out whether it answers. As many calls hang as may run at a time.
func TestAStorageThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told reports
		system, storage := new(hanging), told.storage()
		g, err := openGroups(system, GroupsConfig{Folder: filepath.Join(t.TempDir(), "groups"), MaxBytes: 1 << 20, Storage: storage, OnFailure: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		s, err := open(system, Config{Folder: filepath.Join(t.TempDir(), "store"), MaxBytes: 1 << 20, Storage: storage})
		if err != nil {
			t.Fatal(err)
		}
		o := g.Group("g")
		put(o, "a")
		if err := s.Put(t.Context(), "a", []byte(valueOf("a"))); err != nil {
			t.Fatal(err)
		}
		gate := system.hang()
		within(t, readTimeout, "reading from a disk that hangs", func() {
			if _, ok := o.Get(t.Context(), "a"); ok {
				t.Error("a disk that hangs has a value")
			}
		})
		within(t, 0, "using a storage that is away", func() {
			wantNoValue(t, o, "a")
			put(o, "b")
			o.Clear()
			if _, ok := s.Get(t.Context(), "a"); ok {
				t.Error("a store on a disk that hangs has a value")
			}
			if err := s.Put(t.Context(), "b", nil); !errors.Is(err, errAway) {
				t.Errorf("storing on a disk that hangs: %v", err)
			}
		})
		if stats := storage.Stats(); stats != (StorageStats{IsAway: true, Timeouts: 1, Refused: 4, Hanging: 1}) {
			t.Errorf("the storage is %+v", stats)
		}
		use := []func(){
			func() { s.Get(t.Context(), "a") },
			func() { _ = s.Put(t.Context(), "b", nil) },
		}
		for i := range 5 * (maxReads + maxWrites) { // for a long time
			time.Sleep(awayTime)
			var users sync.WaitGroup
			for range 20 {
				users.Go(use[i%2])
			}
			users.Wait()
		}
		if stats := storage.Stats(); stats.Hanging != maxReads+maxWrites || told.away.Load() != 1 || told.returned.Load() != 0 {
			t.Errorf("after a while it is %+v, and was said to be away %d times", stats, told.away.Load())
		}
		system.release(gate)
		synctest.Wait()
		time.Sleep(awayTime)
		if got, ok := s.Get(t.Context(), "a"); !ok || string(got) != valueOf("a") {
			t.Error("a disk that answers again has lost a value")
		}
		if stats := storage.Stats(); stats.IsAway || stats.Hanging != 0 || told.returned.Load() != 1 {
			t.Errorf("after it answered it is %+v, and was said to answer %d times", stats, told.returned.Load())
		}
	})
}

// slow is the operating system, whose calls take a while.
type slow struct{ operatingSystem }

func (slow) Open(path string) (fs.File, error) {
	time.Sleep(readTimeout * 2 / 3)
	return operatingSystem{}.Open(path)
}

// A storage that answers is not away because many ask it at a time.
func TestManyReadersOfASlowStorage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told reports
		g, err := openGroups(slow{}, GroupsConfig{
			Folder: t.TempDir(), MaxBytes: 1 << 20, Storage: told.storage(),
			OnDamage: func(_ string, err error) { t.Error(err) }, OnFailure: func(err error) { t.Error(err) },
		})
		if err != nil {
			t.Fatal(err)
		}
		o := g.Group("g")
		put(o, "a")
		var readers sync.WaitGroup
		var found atomic.Int64
		for range 100 {
			readers.Go(func() {
				if _, ok := o.Get(t.Context(), "a"); ok {
					found.Add(1)
				}
			})
		}
		readers.Wait()
		if got := found.Load(); got != 2*maxReads || told.away.Load() != 0 {
			t.Errorf("%d readers got the value, and the storage was away %d times", got, told.away.Load())
		}
		wantValue(t, o, "a")
	})
}

// sluggish is the operating system, whose folders take long to list, and whose files to remove.
type sluggish struct {
	operatingSystem
	listing, removal time.Duration
}

func (s sluggish) ReadDir(folder string) ([]fs.DirEntry, error) {
	time.Sleep(s.listing)
	return s.operatingSystem.ReadDir(folder)
}

func (s sluggish) Remove(path string) error {
	time.Sleep(s.removal)
	return s.operatingSystem.Remove(path)
}

// A storage that answers is not away because a group has many files. A caller waits for their removal only
// so long, and not at all to clear a group.
func TestALargeGroupIsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told reports
		const files, maxBytes = 100, 500 << 10
		system := sluggish{removal: writeTimeout / 50}
		g, err := openGroups(system, GroupsConfig{Folder: t.TempDir(), MaxBytes: maxBytes, Storage: told.storage(), OnFailure: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"cleared", "old", "3", "4", "5"} {
			for i := range files {
				put(g.Group(name), string(rune('A'+i)))
			}
			time.Sleep(time.Second)
		}
		within(t, 0, "clearing a group", func() { g.Group("cleared").Clear() })
		within(t, writeTimeout, "storing in a group that is cleared", func() { put(g.Group("cleared"), "a") }) // its files are removed for longer
		wantNoValue(t, g.Group("cleared"), "a")
		time.Sleep(time.Minute)
		for i := range files {
			put(g.Group("6"), string(rune('A'+i)))
		}
		within(t, writeTimeout, "removing a group for a value", func() { g.Group("7").Put(t.Context(), "large", make([]byte, maxBytes/5)) })
		if _, ok := g.Group("7").Get(t.Context(), "large"); !ok || told.away.Load() != 0 {
			t.Errorf("the value is stored: %v, and the storage was away %d times", ok, told.away.Load())
		}
		time.Sleep(time.Minute)
		if s := g.Stats(); s.Groups != 5 || s.Bytes > maxBytes || s.Bytes != bytesBelow(t, g.shelf.folder) {
			t.Errorf("there are %+v, and %d bytes in the folder", s, bytesBelow(t, g.shelf.folder))
		}
	})
}

// A group that comes back while its files are being removed loses no value, neither for them nor with them.
func TestAGroupComesBackDuringItsRemoval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		system := sluggish{removal: writeTimeout / 10}
		g, err := openGroups(system, GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20, Storage: new(reports).storage()})
		if err != nil {
			t.Fatal(err)
		}
		o := g.Group("g")
		put(o, "a", "b", "c", "d", "e", "f", "g")
		o.Clear()
		o.Renew()
		within(t, writeTimeout, "storing in a group that comes back", func() { put(o, "h", "i") })
		time.Sleep(time.Minute)
		wantNoValue(t, o, "a")
		wantValue(t, o, "h")
		wantValue(t, o, "i")
		if s := g.Stats(); s.Groups != 1 || s.Bytes != bytesBelow(t, g.shelf.folder) {
			t.Errorf("there are %+v, and %d bytes in the folder", s, bytesBelow(t, g.shelf.folder))
		}
	})
}

// A full store takes a value at once, while those are being removed whose room it needs.
func TestAFullStoreIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const maxBytes = 40 << 10
		folder := t.TempDir()
		s, err := open(sluggish{removal: writeTimeout / 5}, Config{Folder: folder, MaxBytes: maxBytes, Storage: new(reports).storage()})
		if err != nil {
			t.Fatal(err)
		}
		within(t, 0, "storing in a full store", func() {
			for i := range 60 {
				key := string(rune('A' + i))
				if err := s.Put(t.Context(), key, []byte(valueOf(key))); err != nil {
					t.Error(err)
				}
			}
		})
		time.Sleep(time.Minute)
		synctest.Wait()
		if onDisk := bytesBelow(t, filepath.Dir(folder)); onDisk > maxBytes || onDisk != s.shelf.known.bytes {
			t.Errorf("there are %d bytes, and %d are known", onDisk, s.shelf.known.bytes)
		}
	})
}

// A server that starts waits until it knows what is in a large folder, but not for too long. What it finds
// after that is stored nevertheless.
func TestOpeningALargeFolder(t *testing.T) {
	for _, takes := range []time.Duration{2 * writeTimeout, 2 * scanTimeout} {
		synctest.Test(t, func(t *testing.T) {
			folder := t.TempDir()
			put(mustOpenGroups(t, folder, 1<<20).Group("g"), "a")
			var told reports
			began := time.Now()
			g, err := openGroups(sluggish{listing: takes / 2}, GroupsConfig{Folder: folder, MaxBytes: 1 << 20, Storage: told.storage()})
			if err != nil {
				t.Fatal(err)
			}
			if got := g.Group("g").Contains("a"); got != (takes < scanTimeout) || time.Since(began) != min(takes, scanTimeout) {
				t.Errorf("of a scan that takes %v, a value is known after %v: %v", takes, time.Since(began), got)
			}
			time.Sleep(takes)
			wantValue(t, g.Group("g"), "a")
			if told.away.Load() != 0 {
				t.Error("the storage is said to be away")
			}
		})
	}
}

// A server that starts does not wait for the listing of values that are alone. They are found without it.
func TestOpeningALargeStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		before, err := Open(Config{Folder: folder, MaxBytes: 1 << 20})
		if err == nil {
			err = before.Put(t.Context(), "a", []byte(valueOf("a")))
		}
		if err != nil {
			t.Fatal(err)
		}
		var s *Store
		within(t, 0, "using a store that is being listed", func() {
			s, err = open(sluggish{listing: scanTimeout}, Config{Folder: folder, MaxBytes: 1 << 20, Storage: new(reports).storage()})
			if err == nil {
				err = s.Put(t.Context(), "b", []byte(valueOf("b")))
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := s.Get(t.Context(), "a"); !ok || string(got) != valueOf("a") {
				t.Errorf("there is a value of %d bytes: %v", len(got), ok)
			}
		})
		time.Sleep(scanTimeout)
		synctest.Wait()
		if known, onDisk := s.shelf.known.bytes, bytesBelow(t, filepath.Dir(folder)); known != onDisk {
			t.Errorf("after the listing, %d of %d bytes are known", known, onDisk)
		}
	})
}

// Groups that are cleared while the storage is away are removed when it answers again, and a scan does not
// find them before that.
func TestGroupsAreClearedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told reports
		system, folder := new(hanging), t.TempDir()
		g, err := openGroups(system, GroupsConfig{Folder: folder, MaxBytes: 1 << 20, Storage: told.storage()})
		if err != nil {
			t.Fatal(err)
		}
		put(g.Group("cleared"), "a", "b")
		put(g.Group("other"), "a")
		gate := system.hang()
		g.Group("other").Get(t.Context(), "a")
		g.Group("cleared").Clear()
		if told.away.Load() != 1 || bytesBelow(t, filepath.Join(folder)) == 0 {
			t.Fatal("the storage is not away")
		}
		if err := g.shelf.scan(); err != nil {
			t.Fatal(err)
		}
		if s := g.Stats(); s.Groups != 1 {
			t.Errorf("a scan finds what was cleared: %+v", s)
		}
		system.release(gate)
		time.Sleep(awayTime)
		put(g.Group("other"), "b", "c")
		synctest.Wait()
		if _, err := os.Stat(filepath.Join(folder, hashOf("cleared"))); !isGone(err) {
			t.Errorf("the cleared group is still there: %v", err)
		}
		put(g.Group("cleared"), "c")
		wantValue(t, g.Group("cleared"), "c")
	})
}

// Nobody waits for a storage that is being written to after having left, such as a server that stops.
func TestALeavingCallerDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told reports
		system, storage := new(hanging), told.storage()
		g, err := openGroups(system, GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20, Storage: storage, OnFailure: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		gate := system.hang()
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		within(t, time.Second, "storing for a caller who leaves", func() { g.Group("g").Put(ctx, "a", []byte(valueOf("a"))) })
		if storage.Stats().IsAway {
			t.Error("a caller who left is a fault of the storage")
		}
		system.release(gate)
		synctest.Wait()
		wantValue(t, g.Group("g"), "a") // the call has gone on
	})
}

// A server starts although its state folder hangs, and uses it once it answers.
func TestOpeningAFolderThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told reports
		system, storage, folder := new(hanging), told.storage(), filepath.Join(t.TempDir(), "state")
		gate := system.hang()
		var s, sub *Store
		within(t, writeTimeout, "opening three folders", func() {
			var err, errBelow, errGroups error
			s, err = open(system, Config{Folder: folder, MaxBytes: 1 << 20, Storage: storage})
			sub, errBelow = s.Sub("below", 1<<20)
			_, errGroups = openGroups(system, GroupsConfig{Folder: filepath.Join(folder, "groups"), MaxBytes: 1 << 20, Storage: storage})
			if err := errors.Join(err, errBelow, errGroups); err != nil {
				t.Fatal(err)
			}
		})
		if told.away.Load() != 1 {
			t.Errorf("the storage was said to be away %d times", told.away.Load())
		}
		system.release(gate)
		synctest.Wait()
		time.Sleep(awayTime)
		for _, store := range []*Store{s, sub} {
			if err := store.Put(t.Context(), "a", []byte("one")); err != nil {
				t.Error(err)
			}
			if got, ok := store.Get(t.Context(), "a"); !ok || string(got) != "one" {
				t.Errorf("Get = %q, %v", got, ok)
			}
		}
	})
}

// An error that passes, such as having no descriptor left, costs a value for once.
func TestErrorsThatPassForgetNothing(t *testing.T) {
	for _, passing := range []error{syscall.EMFILE, syscall.EINTR, syscall.EIO, syscall.ETIMEDOUT} {
		reports := 0
		f := &faulty{until: 1 << 20, err: passing}
		g, err := openGroups(f, GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20, OnDamage: func(string, error) { reports++ }})
		if err != nil {
			t.Fatal(err)
		}
		put(g.Group("g"), "a")
		for range 2 {
			f.until = 0
			if got, ok := g.Group("g").Get(t.Context(), "a"); ok {
				t.Errorf("%v: a value of %d bytes", passing, len(got))
			}
			wantValue(t, g.Group("g"), "a")
		}
		if reports != 1 {
			t.Errorf("%v: reported %d times", passing, reports)
		}
	}
}

// listings counts how often folders are listed, and lets the listing of one take long. Other calls may hang.
type listings struct {
	hanging
	count  atomic.Int64
	slow   string        // the end of the name of the folder
	listed chan struct{} // is closed when that folder was listed
	goOn   chan struct{} // ends that
}

func (l *listings) ReadDir(folder string) ([]fs.DirEntry, error) {
	l.count.Add(1)
	entries, err := l.operatingSystem.ReadDir(folder)
	if l.slow != "" && strings.HasSuffix(folder, l.slow) {
		for _, entry := range entries {
			_, _ = entry.Info()
		}
		close(l.listed)
		<-l.goOn
	}
	return entries, err
}

// Storing and reading list no folder, but for a look at what other processes have done, once a minute.
func TestFoldersAreHardlyListed(t *testing.T) {
	system, folder := new(listings), t.TempDir()
	s, err := open(system, Config{Folder: folder, MaxBytes: 4000})
	if err != nil {
		t.Fatal(err)
	}
	for minute := range 5 {
		for i := range 50 {
			key := string(rune('a' + (minute+i)%7))
			if err := s.Put(t.Context(), key, []byte(valueOf(key))); err != nil {
				t.Fatal(err)
			}
			s.Get(t.Context(), key)
		}
		if finished, _ := namesIn(t, folder); len(finished) > 5 {
			t.Errorf("there are %d values", len(finished))
		}
		s.shelf.mu.Lock()
		s.shelf.known.scanned = time.Now().Add(-scanInterval - time.Second)
		s.shelf.mu.Unlock()
	}
	if count := system.count.Load(); count != 5 {
		t.Errorf("the folder was listed %d times in 5 minutes", count)
	}
}

// What is stored, lost or cleared while a scan runs is known afterwards, with what the scan found.
func TestAScanForgetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		system := &listings{listed: make(chan struct{}), goOn: make(chan struct{})}
		g, err := openGroups(system, GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		put(g.Group("old"), "a", "b", "c")
		put(g.Group("cleared"), "a")
		other := filepath.Join(g.shelf.folder, hashOf("old"), nameOf("d")) // of another process
		if err := os.WriteFile(other, encode("d", []byte(valueOf("d"))), 0o600); err != nil {
			t.Fatal(err)
		}
		system.slow = hashOf("old")
		done := make(chan error)
		go func() { done <- g.shelf.scan() }()
		<-system.listed
		put(g.Group("old"), "e")
		put(g.Group("new"), "a")
		g.Group("old").Remove(t.Context(), "b")
		g.Group("cleared").Clear()
		system.slow = ""
		close(system.goOn)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"a", "c", "d", "e"} {
			wantValue(t, g.Group("old"), key)
		}
		wantNoValue(t, g.Group("old"), "b")
		wantValue(t, g.Group("new"), "a")
		wantNoValue(t, g.Group("cleared"), "a")
		if s := g.Stats(); s.Groups != 2 || s.Bytes != bytesBelow(t, g.shelf.folder) {
			t.Errorf("%d bytes are in the folder, and it has %+v", bytesBelow(t, g.shelf.folder), s)
		}
	})
}

// A value that is written while the files of its cleared group are being removed is removed, too.
func TestAGroupIsClearedWhileItIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		system := &listings{listed: make(chan struct{}), goOn: make(chan struct{})}
		g, err := openGroups(system, GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20, Storage: new(reports).storage()})
		if err != nil {
			t.Fatal(err)
		}
		o := g.Group("g")
		put(o, "a")
		gate := system.hang()
		go put(o, "b")
		synctest.Wait()
		system.slow = hashOf("g")
		o.Clear()
		<-system.listed
		system.slow = ""
		system.release(gate)
		synctest.Wait() // the file is written, and not among those that the removal has listed
		close(system.goOn)
		synctest.Wait()
		if s := g.Stats(); s != (GroupsStats{}) || bytesBelow(t, g.shelf.folder) != 0 {
			t.Errorf("%d bytes are in the folder, and it has %+v", bytesBelow(t, g.shelf.folder), s)
		}
	})
}

// A group that was cleared stores nothing more, not even what is being written, unless it is asked for
// again.
func TestAClearedGroupStaysEmpty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		system := new(hanging)
		g, err := openGroups(system, GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20, OnFailure: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		old := g.Group("g")
		put(old, "a")
		gate := system.hang()
		go put(old, "b")
		synctest.Wait()
		old.Clear()
		system.release(gate)
		synctest.Wait()
		put(old, "c")
		if s := g.Stats(); s != (GroupsStats{}) || bytesBelow(t, g.shelf.folder) != 0 {
			t.Errorf("%d bytes are in the folder, and it has %+v", bytesBelow(t, g.shelf.folder), s)
		}
		again := g.Group("g")
		put(again, "d")
		wantValue(t, again, "d")
		wantNoValue(t, again, "c")
		old.Renew()
		put(old, "e")
		wantNoValue(t, again, "e") // one group of a key stores values
		again.Clear()
		old.Renew()
		put(old, "f")
		wantValue(t, g.Group("g"), "f")
		if g.Group("g") != old {
			t.Error("the renewed group is not that of its key")
		}
	})
}
