package disk_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tileserver/cache/disk"
)

func open(t *testing.T, folder string, maxBytes int64) *disk.Store {
	t.Helper()
	s, err := disk.Open(disk.Config{Folder: folder, MaxBytes: maxBytes})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *disk.Store, key, value string) {
	t.Helper()
	if err := s.Put(t.Context(), key, []byte(value)); err != nil {
		t.Fatal(err)
	}
}

func TestValuesOutliveTheStore(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "when missing")
	put(t, open(t, folder, 1<<20), "a", "one")
	again := open(t, folder, 1<<20)
	put(t, again, "b", "")
	for key, want := range map[string]string{"a": "one", "b": ""} {
		if got, ok := again.Get(t.Context(), key); !ok || string(got) != want {
			t.Errorf("Get(%q) = %q, %v, want %q", key, got, ok, want)
		}
	}
	if got, ok := again.Get(t.Context(), "c"); ok {
		t.Errorf("a key without a value has the value %q", got)
	}
}

func TestSubstoresHaveTheirOwnBound(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, 3000)
	put(t, s, "a", "one")
	below, err := s.Sub("below", 1500)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		put(t, below, fmt.Sprint(i), string(make([]byte, 1000)))
	}
	if _, ok := s.Get(t.Context(), "a"); !ok {
		t.Error("what was put below drove out what was above")
	}
	if left := files(t, filepath.Join(folder, "below")); len(left) != 1 {
		t.Errorf("%d files are left below, want 1", len(left))
	}
	if none, err := (*disk.Store)(nil).Sub("x", 1); none != nil || err != nil {
		t.Errorf("within no store: %v, %v", none, err)
	}
}

func TestNilStoreKeepsNothing(t *testing.T) {
	var none *disk.Store
	put(t, none, "a", "one")
	if got, ok := none.Get(t.Context(), "a"); ok {
		t.Errorf("Get = %q of no store", got)
	}
}

// A damaged file gives its own value or none.
func TestDamagedFilesAreNoValues(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, 1<<20)
	put(t, s, "key", "value")
	path := onlyFile(t, folder)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1
		for what, content := range map[string][]byte{"changed": damaged, "cut": whole[:i]} {
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			if got, ok := s.Get(t.Context(), "key"); ok {
				t.Errorf("%s at byte %d: Get = %q", what, i, got)
			}
		}
	}
	put(t, s, "key", "value")
	if got, ok := s.Get(t.Context(), "key"); !ok || string(got) != "value" {
		t.Errorf("after another Put: %q, %v", got, ok)
	}
}

// A file with the name of another key does not give that key's value.
func TestKeysAreCompared(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, 1<<20)
	put(t, s, "key", "value")
	content, err := os.ReadFile(onlyFile(t, folder))
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	o := open(t, other, 1<<20)
	put(t, o, "kex", "")
	if err := os.WriteFile(onlyFile(t, other), content, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, ok := o.Get(t.Context(), "kex"); ok {
		t.Errorf("Get = %q, the value of another key", got)
	}
}

// What has not been used for longest makes room, also after a restart: reading is use.
func TestWhatWasNotUsedForLongestMakesRoom(t *testing.T) {
	folder, value := t.TempDir(), string(make([]byte, 1000))
	s := open(t, folder, 4500)
	for i := range 4 {
		put(t, s, fmt.Sprint(i), value)
		for _, path := range files(t, folder) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if older := info.ModTime().Add(-2 * time.Hour); os.Chtimes(path, older, older) != nil {
				t.Fatal("the time of a file cannot be set")
			}
		}
	}
	want := func(s *disk.Store, stored string) {
		t.Helper()
		for i := range 7 {
			if _, got := s.Get(t.Context(), fmt.Sprint(i)); got != strings.Contains(stored, fmt.Sprint(i)) {
				t.Errorf("key %d is stored: %v, want those of %s", i, got, stored)
			}
		}
	}
	get := func(s *disk.Store, key string) {
		t.Helper()
		if _, ok := s.Get(t.Context(), key); !ok {
			t.Errorf("key %s is not stored", key)
		}
	}
	s = open(t, folder, 4500)
	get(s, "0")
	put(t, s, "4", value) // in place of 1
	s = open(t, folder, 4500)
	get(s, "2")
	put(t, s, "5", value) // in place of 3
	want(s, "0245")
	put(t, s, "0", value) // in its own place
	want(s, "0245")
}

func TestAbandonedFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	long, strange := filepath.Join(folder, ".unfinished-1"), filepath.Join(folder, "notes.txt")
	fresh := filepath.Join(folder, ".unfinished-2")
	for _, path := range []string{long, strange, fresh} {
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	for _, path := range []string{long, strange} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	put(t, open(t, folder, 1<<20), "a", "one")
	for path, want := range map[string]bool{long: false, strange: true, fresh: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
}

func TestTooLargeValuesAreRejected(t *testing.T) {
	if err := open(t, t.TempDir(), 1<<30).Put(t.Context(), "a", make([]byte, disk.MaxValueBytes+1)); err == nil {
		t.Error("a value over the limit was stored")
	}
}

func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := disk.Open(disk.Config{Folder: filepath.Join(file, "folder"), MaxBytes: 1 << 20}); err == nil {
		t.Error("a folder below a file was opened")
	}
}

// Several processes share a folder; here several stores do.
func TestSharedFolder(t *testing.T) {
	folder := t.TempDir()
	var group sync.WaitGroup
	for range 4 {
		s := open(t, folder, 4000)
		group.Go(func() {
			for i := range 50 {
				key := fmt.Sprint(i % 7)
				if err := s.Put(t.Context(), key, bytes.Repeat([]byte(key), 500)); err != nil {
					t.Error(err)
				}
				if got, ok := s.Get(t.Context(), key); ok && !bytes.Equal(got, bytes.Repeat([]byte(key), 500)) {
					t.Errorf("key %s: another value", key)
				}
			}
		})
	}
	group.Wait()
	for _, path := range files(t, folder) {
		if filepath.Ext(path) != ".kept" {
			t.Errorf("%s was left", filepath.Base(path))
		}
	}
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func onlyFile(t *testing.T, folder string) string {
	t.Helper()
	paths := files(t, folder)
	if len(paths) != 1 {
		t.Fatalf("%d files, want 1", len(paths))
	}
	return paths[0]
}
