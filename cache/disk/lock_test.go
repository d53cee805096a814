package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func lockFolder(t *testing.T, folder string, storage *Storage) *Lock {
	t.Helper()
	lock, err := LockFolder(folder, storage)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(lock.Release)
	return lock
}

func TestOneProcessLocksAFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "when missing")
	lock := lockFolder(t, folder, nil)
	if other, err := LockFolder(folder, NewStorage(StorageConfig{})); other != nil || !errors.Is(err, ErrInUse) {
		t.Errorf("a folder that is locked: %v, %v", other, err)
	}
	lock.Release()
	lockFolder(t, folder, NewStorage(StorageConfig{})).Release()
	(*Lock)(nil).Release()
}

// A process that is killed leaves no lock behind.
func TestALockEndsWithItsProcess(t *testing.T) {
	folder := os.Getenv("TILESERVER_TEST_LOCK")
	if folder != "" { // the process that is killed
		if _, err := LockFolder(folder, nil); err != nil {
			t.Fatal(err)
		}
		fmt.Println("locked")
		time.Sleep(time.Hour)
	}
	folder = t.TempDir()
	other := exec.Command(os.Args[0], "-test.run=^TestALockEndsWithItsProcess$")
	other.Env = append(os.Environ(), "TILESERVER_TEST_LOCK="+folder)
	said, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := said.Read(make([]byte, 6)); err != nil {
		t.Error(err)
	}
	if _, err := LockFolder(folder, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("while the other process has the folder: %v", err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := other.Wait(); err == nil {
		t.Error("the other process ended by itself")
	}
	lockFolder(t, folder, nil)
}

func TestAFolderThatCannotBeLocked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LockFolder(filepath.Join(file, "folder"), nil); err == nil || errors.Is(err, ErrInUse) {
		t.Errorf("a folder below a file: %v", err)
	}
}

// A call that locks may end when nobody waits for it any more. Then its lock is released.
func TestALockThatNobodyWaitsForIsReleased(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		storage, gate := NewStorage(StorageConfig{}), make(chan struct{})
		hangAndLock := func() (*Lock, error) {
			<-gate
			return LockFolder(folder, nil)
		}
		if lock, err := locking(storage, hangAndLock); lock != nil || !isUnanswered(err) {
			t.Errorf("a storage that hangs: %v, %v", lock, err)
		}
		close(gate)
		synctest.Wait()
		lockFolder(t, folder, nil)
	})
}

// counting is the operating system, whose calls are counted.
type counting struct {
	operatingSystem
	opens, lists, syncs atomic.Int64
}

func (c *counting) Open(path string) (fs.File, error) {
	c.opens.Add(1)
	return c.operatingSystem.Open(path)
}

func (c *counting) ReadDir(folder string) ([]fs.DirEntry, error) {
	c.lists.Add(1)
	return c.operatingSystem.ReadDir(folder)
}

func (c *counting) Create(folder, pattern string) (writable, error) {
	file, err := c.operatingSystem.Create(folder, pattern)
	return &countingFile{file, c}, err
}

type countingFile struct {
	writable
	system *counting
}

func (f *countingFile) Sync() error {
	f.system.syncs.Add(1)
	return f.writable.Sync()
}

// What only one process uses is listed once, and what is not there is not looked for after that.
func TestALockedFolderIsListedOnce(t *testing.T) {
	for _, isLocked := range []bool{true, false} {
		folder := t.TempDir()
		config := Config{Folder: folder, MaxBytes: 1 << 20, MayLose: isLocked}
		if isLocked {
			config.Lock = lockFolder(t, folder, nil)
		}
		real := time.Now()
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(real)) // files have the time of the machine
			system := new(counting)
			s, err := open(system, config)
			if err != nil {
				t.Fatal(err)
			}
			dst := make([]byte, 700)
			for _, key := range []string{"a", "b"} {
				if s.Fill(t.Context(), key, dst) || s.MayContain(key) == isLocked {
					t.Errorf("locked %t: %s is stored, or may be: %t", isLocked, key, s.MayContain(key))
				}
				if err := s.Put(t.Context(), key, []byte(valueOf(key))); err != nil {
					t.Fatal(err)
				}
				if !s.MayContain(key) || !s.Fill(t.Context(), key, dst) || string(dst) != valueOf(key) {
					t.Errorf("locked %t: %s is not stored", isLocked, key)
				}
				time.Sleep(scanInterval + 1)
			}
			synctest.Wait()
			want := [3]int64{4, 2, 2} // opens, lists, syncs
			if isLocked {
				want = [3]int64{2, 1, 0}
			}
			if got := [3]int64{system.opens.Load(), system.lists.Load(), system.syncs.Load()}; got != want {
				t.Errorf("locked %t: opens, lists, syncs are %v, want %v", isLocked, got, want)
			}
		})
	}
}

// Whoever has the folder alone knows that files which were not finished before belong to nobody.
func TestFilesOfProcessesBeforeTheLockAreRemoved(t *testing.T) {
	folder := t.TempDir()
	before, now := filepath.Join(folder, ".unfinished-1"), filepath.Join(folder, ".unfinished-2")
	for path, written := range map[string]time.Time{before: time.Now().Add(-time.Minute), now: time.Now()} {
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(Config{Folder: folder, MaxBytes: 1 << 20, Lock: lockFolder(t, folder, nil)})
	if err != nil {
		t.Fatal(err)
	}
	_, left := namesIn(t, folder)
	if len(left) != 2 || left[0] != now || filepath.Base(left[1]) != lockName {
		t.Errorf("the folder has %q", left)
	}
	if below, err := s.Sub("below", 1<<20); err != nil || below.MayContain("a") {
		t.Errorf("a folder below: %v, or it may have what it does not have", err)
	}
}

func TestValuesFillWhatIsAsLong(t *testing.T) {
	folder := t.TempDir()
	s, err := Open(Config{Folder: folder, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"value", ""} {
		if err := s.Put(t.Context(), "key", []byte(value)); err != nil {
			t.Fatal(err)
		}
		for _, length := range []int{len(value), len(value) + 1, max(len(value)-1, 0)} {
			dst := bytes.Repeat([]byte("x"), length)
			want, isAsLong := string(dst), length == len(value)
			if isAsLong {
				want = value
			}
			if is := s.Fill(t.Context(), "key", dst); is != isAsLong || string(dst) != want {
				t.Errorf("%q fills %d bytes: %t, %q", value, length, is, dst)
			}
		}
	}
	if (*Store)(nil).Fill(t.Context(), "key", nil) || (*Store)(nil).MayContain("key") || (*Store)(nil).Stats() != (Stats{}) {
		t.Error("no store has something")
	}
}

func TestAStoreTellsWhatItRemoved(t *testing.T) {
	folder := t.TempDir()
	s, err := Open(Config{Folder: folder, MaxBytes: 2000})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b", "c"} {
		if err := s.Put(t.Context(), key, []byte(valueOf(key))); err != nil {
			t.Fatal(err)
		}
	}
	size := int64(overheadBytes + len("c") + len(valueOf("c")))
	if got, want := s.Stats(), (Stats{Values: 2, Bytes: 2 * size, Evicted: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := os.Truncate(filepath.Join(folder, nameOf("c")), 100); err != nil {
		t.Fatal(err)
	}
	if s.Fill(t.Context(), "c", make([]byte, 700)) {
		t.Error("a file that was cut is a value")
	}
	if got, want := s.Stats(), (Stats{Values: 1, Bytes: size, Evicted: 1, Damaged: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A caller does not wait longer for a disk that hangs than it wants, and what it wanted filled is left alone
// when the disk answers. When all calls hang, others do not wait at all.
func TestNobodyWaitsToFill(t *testing.T) {
	folder := t.TempDir()
	lock := lockFolder(t, folder, nil)
	synctest.Test(t, func(t *testing.T) {
		var told reports
		system := new(hanging)
		s, err := open(system, Config{Folder: folder, MaxBytes: 1 << 20, Storage: told.storage(), Lock: lock})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), "a", []byte(valueOf("a"))); err != nil {
			t.Fatal(err)
		}
		gate, dst := system.hang(), make([]byte, 700)
		for range maxReads {
			within(t, patience, "filling from a disk that hangs", func() { fillSoon(t, s, dst) })
		}
		within(t, 0, "filling from a storage with no thread left", func() { fillSoon(t, s, dst) })
		if s.MayContain("a") || told.away.Load() != 1 {
			t.Errorf("a storage that hangs may have a value, and was said to be away %d times", told.away.Load())
		}
		system.release(gate)
		synctest.Wait()
		if !bytes.Equal(dst, make([]byte, 700)) {
			t.Error("a call that was left has written")
		}
		time.Sleep(awayTime)
		if !s.Fill(t.Context(), "a", dst) || string(dst) != valueOf("a") {
			t.Error("a disk that answers again has lost a value")
		}
	})
}

// patience is shorter than the time that a storage may take.
const patience = readTimeout / 10

// fillSoon wants no value, and waits for it no longer than patience.
func fillSoon(t *testing.T, s *Store, dst []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if s.Fill(ctx, "a", dst) {
		t.Error("a disk that hangs has a value")
	}
}
