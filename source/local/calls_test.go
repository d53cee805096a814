package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
)

// Callers leave calls that hang when their contexts end. As many calls as may run at a time hang in
// the system, and a further one fails at once.
func TestAHangingStorageHoldsABoundedNumberOfCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, hanging := NewCalls(), make(chan struct{})
		var begun atomic.Int64
		hang := func() (int, error) { begun.Add(1); <-hanging; return 0, nil }
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var callers sync.WaitGroup
		for range maxCalls + 20 {
			callers.Go(func() {
				if _, err := run(ctx, c, "nfs", hang); !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		if begun.Load() != maxCalls || c.Hanging("nfs") != maxCalls {
			t.Errorf("%d calls were made and %d hang, want %d", begun.Load(), c.Hanging("nfs"), maxCalls)
		}
		began := time.Now()
		if _, err := run(t.Context(), c, "nfs", hang); !errors.Is(err, source.ErrStalled) || time.Since(began) > 0 {
			t.Errorf("a further call: %v after %v", err, time.Since(began))
		}
		if got, err := run(t.Context(), c, "disk", func() (int, error) { return 7, nil }); got != 7 || err != nil {
			t.Errorf("a call of another storage: %d, %v", got, err)
		}
		close(hanging)
		synctest.Wait()
		if got, err := run(t.Context(), c, "nfs", func() (int, error) { return 7, nil }); got != 7 || err != nil || c.Hanging("nfs") != 0 {
			t.Errorf("when the storage answers again: %d, %v, %d hang", got, err, c.Hanging("nfs"))
		}
	})
}

func TestErrorsOfLostServersAreNamed(t *testing.T) {
	for number, want := range map[syscall.Errno]bool{syscall.ETIMEDOUT: true, syscall.EIO: false, syscall.ENOENT: false, syscall.EACCES: false} {
		_, err := run(t.Context(), NewCalls(), "nfs", func() (int, error) { return 0, &fs.PathError{Op: "read", Path: "a", Err: number} })
		if errors.Is(err, source.ErrStalled) != want && isStalled(syscall.ETIMEDOUT) || !errors.Is(err, number) {
			t.Errorf("%v becomes %v", number, err)
		}
	}
}

// A storage is called by the first folder that was seen on its device. Folders of which nothing is
// known are storages of their own.
func TestStoragesAreDevices(t *testing.T) {
	folder := t.TempDir()
	info, err := os.Stat(folder)
	if err != nil {
		t.Fatal(err)
	}
	if deviceOf(info) == "" {
		t.Skip("this platform has no devices")
	}
	c := NewCalls()
	c.learn(filepath.Join("a", "folder"), info)
	c.learn(filepath.Join("b"), info)
	for path, want := range map[string]string{
		filepath.Join("a", "folder"): filepath.Join("a", "folder"), filepath.Join("a", "folder", "deep", "file"): filepath.Join("a", "folder"),
		filepath.Join("b", "file"): filepath.Join("a", "folder"), filepath.Join("c", "file"): "c", filepath.Join("a", "file"): "a",
	} {
		if got := c.storageOf(path); got != want {
			t.Errorf("%s lies on %s, want %s", path, got, want)
		}
	}
}

// A read in pieces gets the bytes of the file, as a read from memory does.
func TestPieces(t *testing.T) {
	data := make([]byte, 2*pieceBytes+333)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	path := writeFile(t, filepath.Join(t.TempDir(), "file"), data)
	for _, mayWait := range []bool{false, true} {
		o, err := Store{Calls: NewCalls()}.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		o.(*File).mayWait.Store(mayWait)
		wanted := []source.Range{{Offset: 0, Length: int64(len(data))}, {Offset: 7, Length: pieceBytes + 1}, {Offset: 5, Length: 3}}
		got, err := o.ReadRanges(t.Context(), wanted)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range wanted {
			if string(got[i]) != string(data[r.Offset:r.End()]) {
				t.Errorf("%v: other bytes", r)
			}
		}
	}
}
