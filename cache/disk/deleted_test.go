package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/cache/disk"
)

// A folder that is deleted while the server runs stays away, except for that of a group.
func TestOnlyFoldersOfGroupsAreCreatedAgain(t *testing.T) {
	root := t.TempDir()
	store, err := disk.Open(disk.Config{Folder: filepath.Join(root, "values"), MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	groups, err := disk.OpenGroups(disk.GroupsConfig{Folder: filepath.Join(root, "groups"), MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	group := groups.Group("a")
	group.Put(t.Context(), "key", []byte("value"))
	for _, deleted := range []string{filepath.Join(root, "groups", "*"), filepath.Join(root, "values")} {
		found, err := filepath.Glob(deleted)
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %q, %v", deleted, found, err)
		}
		if err := os.RemoveAll(found[0]); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := group.Get(t.Context(), "key"); ok {
		t.Error("a deleted value is stored")
	}
	if group.Put(t.Context(), "key", []byte("value")); !group.Contains("key") {
		t.Error("a deleted group stores nothing")
	}
	if err := store.Put(t.Context(), "key", []byte("value")); err == nil {
		t.Error("a deleted folder stores a value")
	}
}

// A folder that is gone, as that of a disk that is not mounted any more, stays so. That is said once.
func TestNoFolderAboveGroupsIsCreatedAgain(t *testing.T) {
	for _, above := range []string{"state", "state/groups"} {
		root := t.TempDir()
		var failures []error
		groups, err := disk.OpenGroups(disk.GroupsConfig{
			Folder: filepath.Join(root, "state", "groups"), MaxBytes: 1 << 20, OnFailure: func(err error) { failures = append(failures, err) },
		})
		if err != nil {
			t.Fatal(err)
		}
		groups.Group("a").Put(t.Context(), "key", []byte("value"))
		if err := os.RemoveAll(filepath.Join(root, above)); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"key", "other"} {
			groups.Group("a").Put(t.Context(), key, []byte("value"))
		}
		if _, err := os.Stat(filepath.Join(root, above)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was created again: %v", above, err)
		}
		if len(failures) != 1 || !strings.HasSuffix(failures[0].Error(), "groups is gone") {
			t.Errorf("without %s, reported %v", above, failures)
		}
	}
}
