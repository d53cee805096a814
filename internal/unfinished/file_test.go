package unfinished

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func create(t *testing.T, path, content string) *File {
	t.Helper()
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Discard() })
	if _, err := f.WriteAt([]byte(content), 0); err != nil {
		t.Fatal(err)
	}
	return f
}

// wantFiles fails unless a folder has files of these names and contents, and no others.
func wantFiles(t *testing.T, folder string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if text, isWanted := want[entry.Name()]; err != nil || !isWanted || text != string(content) {
			t.Errorf("%s has %q, %v", entry.Name(), content, err)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}

func TestAFileHasItsNameWhenItIsFinished(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "map")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := create(t, path, "new")
	wantFiles(t, folder, map[string]string{"map": "old", "map.unfinished": "new"})
	if err := f.Finish(path); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, folder, map[string]string{"map": "new"})
	if err := f.Discard(); err != nil {
		t.Errorf("discarding what is finished: %v", err)
	}
	wantFiles(t, folder, map[string]string{"map": "new"})
}

func TestADiscardedFileIsGone(t *testing.T) {
	folder := t.TempDir()
	f := create(t, filepath.Join(folder, "map"), "new")
	for range 2 {
		if err := f.Discard(); err != nil {
			t.Error(err)
		}
	}
	wantFiles(t, folder, nil)
}

func TestWhatADeadProcessLeftIsOverwritten(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "map")
	if err := os.WriteFile(path+Extension, []byte("left behind"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := create(t, path, "new").Finish(path); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, folder, map[string]string{"map": "new"})
}

func TestTwoCannotWriteTheSameFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "map")
	create(t, path, "first")
	if _, err := Create(path); !errors.Is(err, ErrInUse) {
		t.Errorf("a second: %v, want %v", err, ErrInUse)
	}
	wantFiles(t, folder, map[string]string{"map.unfinished": "first"})
}

// Between the opening of a file and its lock, who had it may finish it.
func TestAFileThatGotItsNameMeanwhileIsNotOverwritten(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "map")
	first := create(t, path, "first")
	second, err := os.OpenFile(path+Extension, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Finish(path); err != nil {
		t.Fatal(err)
	}
	if err := take(second); !errors.Is(err, ErrInUse) {
		t.Errorf("got %v, want %v", err, ErrInUse)
	}
}

func TestALinkInTheWayIsNotFollowed(t *testing.T) {
	folder := t.TempDir()
	victim, path := filepath.Join(folder, "victim"), filepath.Join(folder, "map")
	if err := os.WriteFile(victim, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, path+Extension); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOT TESTED: links cannot be made here: %v", err)
	}
	if _, err := Create(path); err == nil {
		t.Error("a link was followed")
	}
	if content, _ := os.ReadFile(victim); string(content) != "precious" {
		t.Errorf("the file is now %q", content)
	}
}

func TestAFolderInTheWayOfTheNameIsAnError(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "map")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := create(t, path, "new")
	if err := f.Finish(path); err == nil {
		t.Error("a folder was replaced")
	}
	if err := f.Discard(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path + Extension); err == nil {
		t.Error("the unfinished file is still there")
	}
}
