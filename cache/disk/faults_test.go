package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tileserver/internal/oscall"
)

// faulty is the operating system with a fault at one call.
type faulty struct {
	operatingSystem
	until    int   // calls that succeed
	err      error // of the call after them
	isKilled bool  // then the process is dead: no later call does anything
}

var errKilled = errors.New("the process was killed")

// fault returns the error of the next call.
func (f *faulty) fault() error {
	f.until--
	switch {
	case f.until == -1:
		return f.err
	case f.until < -1 && f.isKilled:
		return errKilled
	}
	return nil
}

func (f *faulty) MkdirAll(folder string) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.operatingSystem.MkdirAll(folder)
}

func (f *faulty) Mkdir(folder string) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.operatingSystem.Mkdir(folder)
}

func (f *faulty) Create(folder, pattern string) (writable, error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	file, err := f.operatingSystem.Create(folder, pattern)
	return &faultyFile{file, f}, err
}

func (f *faulty) Open(path string) (fs.File, error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	return f.operatingSystem.Open(path)
}

func (f *faulty) Rename(from, to string) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.operatingSystem.Rename(from, to)
}

func (f *faulty) Remove(path string) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.operatingSystem.Remove(path)
}

func (f *faulty) ReadDir(folder string) ([]fs.DirEntry, error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	return f.operatingSystem.ReadDir(folder)
}

func (f *faulty) Touch(path string, now time.Time) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.operatingSystem.Touch(path, now)
}

type faultyFile struct {
	writable
	system *faulty
}

// Write writes half of the bytes before it fails.
func (f *faultyFile) Write(p []byte) (int, error) {
	if err := f.system.fault(); err != nil {
		n := 0
		if !errors.Is(err, errKilled) {
			n, _ = f.writable.Write(p[:len(p)/2])
		}
		return n, err
	}
	return f.writable.Write(p)
}

func (f *faultyFile) Sync() error {
	if err := f.system.fault(); err != nil {
		return err
	}
	return f.writable.Sync()
}

// Close always closes, as the end of a process does.
func (f *faultyFile) Close() error { return errors.Join(f.system.fault(), f.writable.Close()) }

func valueOf(key string) string { return strings.Repeat(key, 700) }

// use opens a store in a folder and uses it in all ways. The folder has room for two values. It
// returns the errors of opening and of storing.
func use(ctx context.Context, s system, folder string) (errs []error) {
	store, err := open(s, Config{Folder: folder, MaxBytes: 2000})
	errs = append(errs, err)
	if err != nil {
		return errs
	}
	for _, key := range []string{"a", "b", "a", "c", "d"} {
		errs = append(errs, store.Put(ctx, key, []byte(valueOf(key))))
		store.Get(ctx, key)
	}
	return errs
}

// checkHealed opens the folder as the next process does, and checks that each key has its own value
// or none, and that it can be stored again.
func checkHealed(t *testing.T, what, folder string) {
	t.Helper()
	store, err := Open(Config{Folder: folder, MaxBytes: 2000})
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	for _, key := range []string{"a", "b", "c", "d", "a"} {
		if got, ok := store.Get(t.Context(), key); ok && string(got) != valueOf(key) {
			t.Errorf("%s: the value of %s has %d bytes", what, key, len(got))
		}
		if err := store.Put(t.Context(), key, []byte(valueOf(key))); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if got, ok := store.Get(t.Context(), key); !ok || string(got) != valueOf(key) {
			t.Errorf("%s: %s is not stored again", what, key)
		}
	}
	finished, left := namesIn(t, folder)
	if len(finished) > 2 || len(left) > 1 {
		t.Errorf("%s: %d values and %d unfinished files are left", what, len(finished), len(left))
	}
}

// namesIn returns the paths of values and of unfinished files.
func namesIn(t *testing.T, folder string) (finished, left []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if path := filepath.Join(folder, e.Name()); strings.HasSuffix(path, extension) {
			finished = append(finished, path)
		} else {
			left = append(left, path)
		}
	}
	return finished, left
}

// Each call of the file system fails once, as on a full disk, in a folder that became read-only, or on
// a broken disk.
func TestAnyCallMayFail(t *testing.T) {
	for _, fault := range []error{syscall.ENOSPC, syscall.EROFS, syscall.EIO} {
		for call := 0; ; call++ {
			folder := filepath.Join(t.TempDir(), "state")
			f := &faulty{until: call, err: fault}
			errs := use(t.Context(), f, folder)
			if f.until >= 0 {
				if call < 20 {
					t.Fatalf("there are only %d calls", call)
				}
				break // that was after the last one
			}
			what := fmt.Sprintf("call %d fails with %v", call, fault)
			for _, err := range errs {
				if err != nil && !errors.Is(err, fault) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if f.err = nil; len(errs) > 1 {
				checkHealed(t, what, folder)
			}
		}
	}
}

// The process is killed before each call of the file system, or in the middle of a write. The next
// one finds no damage, and removes what was left once it is old.
func TestTheProcessMayBeKilledAtAnyCall(t *testing.T) {
	for call := 0; ; call++ {
		folder := filepath.Join(t.TempDir(), "state")
		f := &faulty{until: call, err: errors.New("killed in this call"), isKilled: true}
		use(t.Context(), f, folder)
		if f.until >= 0 {
			break
		}
		what := fmt.Sprintf("killed at call %d", call)
		checkHealed(t, what, folder)
		_, left := namesIn(t, folder)
		for _, path := range left {
			old := time.Now().Add(-2 * abandonedAfter)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		checkHealed(t, what, folder)
		if _, left = namesIn(t, folder); len(left) > 0 {
			t.Errorf("%s: %q stay for ever", what, left)
		}
	}
}

// A disk that stays full costs what would have been stored, and nothing else.
func TestAFullDiskKeepsWhatIsStored(t *testing.T) {
	folder := t.TempDir()
	store, err := Open(Config{Folder: folder, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Put(t.Context(), "a", []byte(valueOf("a"))); err != nil {
		t.Fatal(err)
	}
	store.shelf.system = full{}
	for range 100 {
		if err := store.Put(t.Context(), "b", []byte(valueOf("b"))); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	if got, ok := store.Get(t.Context(), "a"); !ok || string(got) != valueOf("a") {
		t.Error("what was stored before is lost")
	}
	if finished, left := namesIn(t, folder); len(finished) != 1 || len(left) != 0 {
		t.Errorf("the folder has %q and %q", finished, left)
	}
}

// What passes by itself is no failure of a folder.
func TestFailuresOfAFolder(t *testing.T) {
	for err, want := range map[error]bool{
		nil: false, errAway: false, errNoSpace: false, errBeingRemoved: false, oscall.ErrBusy: false, &oscall.TimeoutError{}: false, &oscall.HangingError{}: false,
		syscall.ENOSPC: true, syscall.EROFS: true, fs.ErrNotExist: true,
	} {
		if wrapped := fmt.Errorf("storing a value: %w", err); IsFailure(wrapped) != want && err != nil || IsFailure(err) != want {
			t.Errorf("%v is a failure: %t", err, !want)
		}
	}
}

// full is the operating system with a full disk: files can be created, but not written.
type full struct{ operatingSystem }

func (f full) Create(folder, pattern string) (writable, error) {
	file, err := f.operatingSystem.Create(folder, pattern)
	return &faultyFile{file, &faulty{err: syscall.ENOSPC}}, err
}

// After the clock was set back, files of the store lie in the future.
func TestTheClockMayBeSetBack(t *testing.T) {
	folder := t.TempDir()
	store, err := Open(Config{Folder: folder, MaxBytes: 2000})
	if err != nil {
		t.Fatal(err)
	}
	abandoned := filepath.Join(folder, strings.Replace(unfinished, "*", "1", 1))
	if err := errors.Join(store.Put(t.Context(), "a", []byte(valueOf("a"))), os.WriteFile(abandoned, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(365 * 24 * time.Hour)
	finished, left := namesIn(t, folder)
	for _, path := range append(finished, left...) {
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
	}
	store, err = Open(Config{Folder: folder, MaxBytes: 2000})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"b", "c", "d"} {
		if err := store.Put(t.Context(), key, []byte(valueOf(key))); err != nil {
			t.Fatal(err)
		}
		if got, ok := store.Get(t.Context(), key); !ok || string(got) != valueOf(key) {
			t.Errorf("%s is not stored", key)
		}
	}
	if finished, left := namesIn(t, folder); len(finished) > 2 || len(left) > 0 {
		t.Errorf("%d values and %q are left", len(finished), left)
	}
}

// Several processes use a folder that is too small for what they store.
func TestProcessesMayShareAFolder(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		store, err := Open(Config{Folder: folder, MaxBytes: 4000})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for i := range 100 {
				key := string(rune('a' + i%7))
				if err := store.Put(t.Context(), key, []byte(valueOf(key))); err != nil {
					t.Errorf("storing %s: %v", key, err)
				}
				if got, ok := store.Get(t.Context(), key); ok && string(got) != valueOf(key) {
					t.Errorf("%s has a value of %d bytes", key, len(got))
				}
			}
		})
	}
	all.Wait()
	if _, err := Open(Config{Folder: folder, MaxBytes: 4000}); err != nil { // it finds those of all processes
		t.Fatal(err)
	}
	if finished, left := namesIn(t, folder); len(finished) > 5 || len(left) > 0 {
		t.Errorf("%d values and %q are left", len(finished), left)
	}
}
