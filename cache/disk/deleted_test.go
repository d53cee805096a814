package disk_test

import (
	"os"
	"path/filepath"
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
