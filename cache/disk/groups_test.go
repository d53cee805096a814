package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// mustOpenGroups returns groups in a folder that fail the test if something cannot be stored.
func mustOpenGroups(t *testing.T, folder string, maxBytes int64) *Groups {
	t.Helper()
	g, err := OpenGroups(GroupsConfig{
		Folder: folder, MaxBytes: maxBytes,
		OnFailure: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func wantValue(t *testing.T, o *Group, key string) {
	t.Helper()
	if got, ok := o.Get(context.Background(), key); !ok || string(got) != valueOf(key) || !o.Contains(key) {
		t.Errorf("%s has a value of %d bytes, and is stored: %v", key, len(got), o.Contains(key))
	}
}

func wantNoValue(t *testing.T, o *Group, key string) {
	t.Helper()
	if got, ok := o.Get(context.Background(), key); ok || o.Contains(key) {
		t.Errorf("%s has a value of %d bytes", key, len(got))
	}
}

func put(o *Group, keys ...string) {
	for _, key := range keys {
		o.Put(context.Background(), key, []byte(valueOf(key)))
	}
}

func TestGroupsOutliveTheProcess(t *testing.T) {
	folder := t.TempDir()
	g := mustOpenGroups(t, folder, 1<<20)
	put(g.Group("one"), "a", "b")
	put(g.Group("two"), "a")
	if s := g.Stats(); s.Groups != 2 || s.Bytes != bytesBelow(t, folder) {
		t.Errorf("%d bytes are in the folder, and it has %+v", bytesBelow(t, folder), s)
	}
	next := mustOpenGroups(t, folder, 1<<20)
	wantValue(t, next.Group("one"), "a")
	wantValue(t, next.Group("one"), "b")
	wantValue(t, next.Group("two"), "a")
	wantNoValue(t, next.Group("two"), "b")
	if s := next.Stats(); s != g.Stats() {
		t.Errorf("after a restart there are %+v, before there were %+v", s, g.Stats())
	}
	next.Group("one").Clear()
	wantNoValue(t, next.Group("one"), "a")
	wantValue(t, next.Group("two"), "a")
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d folders are left, %v", len(entries), err)
	}
	wantNoValue(t, g.Group("one"), "b") // which another process removed
}

// bytesBelow returns the size of all files below a folder.
func bytesBelow(t *testing.T, folder string) (bytes int64) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	return bytes
}

// The group that has not been used for longest makes room, also after a restart.
func TestTheGroupThatWasNotUsedMakesRoom(t *testing.T) {
	const maxBytes = 12 << 10
	folder := t.TempDir()
	g := mustOpenGroups(t, folder, maxBytes)
	for i := range 5 {
		put(g.Group(fmt.Sprint(i)), "a", "b", "c")
		age := time.Now().Add(-time.Duration(10-i) * touchInterval)
		if err := os.Chtimes(filepath.Join(folder, hashOf(fmt.Sprint(i))), age, age); err != nil {
			t.Fatal(err)
		}
	}
	g = mustOpenGroups(t, folder, maxBytes)
	wantValue(t, g.Group("0"), "a") // is used now
	put(g.Group("5"), "a", "b", "c")
	wantNoValue(t, g.Group("1"), "a")
	wantValue(t, g.Group("2"), "b")
	g = mustOpenGroups(t, folder, maxBytes)
	put(g.Group("6"), "a", "b", "c")
	wantNoValue(t, g.Group("3"), "a")
	for _, key := range []string{"0", "2", "5", "6"} {
		wantValue(t, g.Group(key), "c")
	}
	if s := g.Stats(); s.Bytes > maxBytes || s.Bytes != bytesBelow(t, folder) {
		t.Errorf("%d bytes are in the folder, and it has %+v", bytesBelow(t, folder), s)
	}
	g = mustOpenGroups(t, folder, maxBytes/4)
	if s := g.Stats(); s.Bytes > maxBytes/4 || s.Groups != 1 || s.Bytes != bytesBelow(t, folder) {
		t.Errorf("with a lower bound, %d bytes are in the folder, and it has %+v", bytesBelow(t, folder), s)
	}
}

// A large group does not remove the others.
func TestAGroupHasAShare(t *testing.T) {
	g := mustOpenGroups(t, t.TempDir(), 16<<10)
	put(g.Group("small"), "a")
	for i := range 100 {
		put(g.Group("large"), string(rune('a'+i)))
	}
	wantValue(t, g.Group("small"), "a")
	if s := g.Stats(); s.Bytes > 6<<10 {
		t.Errorf("a group and a small one have %d bytes", s.Bytes)
	}
	g.Group("large").Put(t.Context(), "huge", make([]byte, MaxValueBytes+1))
	wantNoValue(t, g.Group("large"), "huge")
}

// Files that are cut, changed, swapped, empty or gone are no values. They are removed and reported once.
func TestDamagedFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	reports := 0
	config := GroupsConfig{Folder: folder, MaxBytes: 1 << 20, OnDamage: func(string, error) { reports++ }}
	g, err := OpenGroups(config)
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{"cut", "changed", "swapped", "empty", "long", "gone", "whole"}
	put(g.Group("g"), keys...)
	path := func(key string) string { return g.shelf.path(g.Group("g").place(key)) }
	content, err := os.ReadFile(path("changed"))
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 4
	whole, err := os.ReadFile(path("whole"))
	err = errors.Join(err, os.Truncate(path("cut"), 100), os.WriteFile(path("changed"), content, 0o600), os.WriteFile(path("swapped"), whole, 0o600),
		os.Truncate(path("empty"), 0), os.Truncate(path("long"), 1<<30), os.Remove(path("gone")))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, key := range keys[:len(keys)-1] {
			wantNoValue(t, g.Group("g"), key)
			if _, err := os.Stat(path(key)); !isGone(err) {
				t.Errorf("%s is still there: %v", key, err)
			}
		}
		wantValue(t, g.Group("g"), "whole")
	}
	if reports != 1 {
		t.Errorf("the damage was reported %d times", reports)
	}
	put(g.Group("g"), keys...)
	for _, key := range keys {
		wantValue(t, g.Group("g"), key)
	}
}

// useGroups uses groups in all ways. There is room for the values of two.
func useGroups(s system, folder string) (failures []error, err error) {
	g, err := openGroups(s, GroupsConfig{Folder: folder, MaxBytes: 3000, OnFailure: func(err error) { failures = append(failures, err) }})
	if err != nil {
		return nil, err
	}
	for _, group := range []string{"1", "2", "3"} {
		put(g.Group(group), "a")
		g.Group(group).Get(context.Background(), "a")
	}
	g.Group("3").Clear()
	return failures, nil
}

func TestAnyCallForGroupsMayFail(t *testing.T) {
	for _, fault := range []error{syscall.ENOSPC, syscall.EROFS, syscall.EIO, errKilled} {
		for call := 0; ; call++ {
			folder := filepath.Join(t.TempDir(), "state")
			f := &faulty{until: call, err: fault, isKilled: fault == errKilled}
			failures, err := useGroups(f, folder)
			if f.until >= 0 {
				if call < 20 {
					t.Fatalf("there are only %d calls", call)
				}
				break
			}
			what := fmt.Sprintf("call %d fails with %v", call, fault)
			for _, err := range append(failures, err) {
				if err != nil && !errors.Is(err, fault) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if len(failures) > 1 {
				t.Errorf("%s: reported %d times", what, len(failures))
			}
			g := mustOpenGroups(t, folder, 3000)
			for _, group := range []string{"1", "2", "3"} {
				if got, ok := g.Group(group).Get(context.Background(), "a"); ok && string(got) != valueOf("a") {
					t.Errorf("%s: the value of group %s has %d bytes", what, group, len(got))
				}
				put(g.Group(group), "a")
				wantValue(t, g.Group(group), "a")
			}
		}
	}
}

// Files that a killed process did not finish are removed once they are old.
func TestUnfinishedFilesOfGroupsAreRemoved(t *testing.T) {
	folder := t.TempDir()
	put(mustOpenGroups(t, folder, 1<<20).Group("g"), "a")
	left := filepath.Join(folder, hashOf("g"), ".unfinished-7")
	old := time.Now().Add(-2 * abandonedAfter)
	if err := errors.Join(os.WriteFile(left, nil, 0o600), os.Chtimes(left, old, old)); err != nil {
		t.Fatal(err)
	}
	g := mustOpenGroups(t, folder, 1<<20)
	if _, err := os.Stat(left); !isGone(err) {
		t.Errorf("it is still there: %v", err)
	}
	wantValue(t, g.Group("g"), "a")
}

// A disk that stays full is reported once, and what is stored stays.
func TestAFullDiskIsReportedOnce(t *testing.T) {
	var failures []error
	g, err := OpenGroups(GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20, OnFailure: func(err error) { failures = append(failures, err) }})
	if err != nil {
		t.Fatal(err)
	}
	put(g.Group("g"), "a")
	for range 2 {
		g.shelf.system = full{}
		put(g.Group("g"), "b", "c", "d")
		wantValue(t, g.Group("g"), "a")
		wantNoValue(t, g.Group("g"), "b")
		g.shelf.system = operatingSystem{}
		put(g.Group("g"), "e")
	}
	if len(failures) != 2 || !errors.Is(errors.Join(failures...), syscall.ENOSPC) {
		t.Errorf("reported %v", failures)
	}
}

// Several processes, each with several users, share a folder that is too small.
func TestProcessesMayShareGroups(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for range 3 {
		g := mustOpenGroups(t, folder, 8000)
		for range 2 {
			all.Go(func() {
				for i := range 60 {
					o := g.Group(fmt.Sprint(i % 4))
					key := string(rune('a' + i%7))
					put(o, key)
					if got, ok := o.Get(context.Background(), key); ok && string(got) != valueOf(key) {
						t.Errorf("%s has a value of %d bytes", key, len(got))
					}
					if i%20 == 0 {
						o.Clear()
					}
				}
			})
		}
	}
	all.Wait()
}

func TestNoGroups(t *testing.T) {
	var none *Groups
	if none.Group("g") != nil || none.Stats() != (GroupsStats{}) {
		t.Error("a nil Groups has a group")
	}
}

func TestForeignFilesAreNotRemovedWithGroups(t *testing.T) {
	folder := t.TempDir()
	foreign := []string{
		filepath.Join(folder, "2019", "scene.tif"), filepath.Join(folder, "2019", "a.kept"),
		filepath.Join(folder, strings.ToUpper(hashOf("a")), "a.kept"), filepath.Join(folder, hashOf("g"), "notes.txt"),
	}
	g := mustOpenGroups(t, folder, 1<<20)
	put(g.Group("g"), "a", "b")
	for _, path := range foreign {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("foreign"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	g = mustOpenGroups(t, folder, 1) // removes everything it may remove
	wantNoValue(t, g.Group("g"), "a")
	if s := g.Stats(); s.Groups != 0 || s.Bytes != 0 {
		t.Errorf("%+v are left", s)
	}
	for _, path := range foreign {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestTheFolderOfAGroupInUseIsTouched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		touched := &touches{}
		g, err := openGroups(touched, GroupsConfig{Folder: t.TempDir(), MaxBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		put(g.Group("g"), "a")
		start := touched.count
		for range 5 * 6 {
			time.Sleep(touchInterval / 6)
			wantValue(t, g.Group("g"), "a")
		}
		if got := touched.count - start; got < 4 || got > 5 {
			t.Errorf("touched %d times in 5 hours of use", got)
		}
	})
}

// touches counts how often a time is set.
type touches struct {
	operatingSystem
	count int
}

func (t *touches) Touch(path string, to time.Time) error {
	t.count++
	return t.operatingSystem.Touch(path, to)
}
