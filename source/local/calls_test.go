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

// Folders of a mount are one storage before anything is known of them, and a mount below a known folder
// is another one.
func TestUnseenFoldersAreTheirMounts(t *testing.T) {
	folder := t.TempDir()
	info, err := os.Stat(folder)
	if err != nil {
		t.Fatal(err)
	}
	if deviceOf(info) == "" {
		t.Skip("this platform has no devices")
	}
	c, reads := NewCalls(), 0
	c.mounts.read = func() ([]byte, error) {
		reads++
		return []byte("22 1 8:1 / / rw - ext4 /dev/a rw\n" +
			"30 22 0:40 / /data/a\\040share rw,relatime shared:7 - nfs4 host:/x rw\n" +
			"31 22 0:41 / /data/odd\\09\\ rw - nfs4 host:/y rw\nnonsense\n"), nil
	}
	check := func(wanted map[string]string) {
		t.Helper()
		for path, want := range wanted {
			if got := c.storageOf(path); got != want {
				t.Errorf("%s lies on %s, want %s", path, got, want)
			}
		}
	}
	check(map[string]string{
		"/data/a share": "/data/a share", "/data/a share/deep/x.tif": "/data/a share", "/data/x.tif": "/", "/data/a shared/x.tif": "/",
		`/data/odd\09\/x.tif`: `/data/odd\09\`, "relative/x.tif": "relative",
	})
	c.learn("/data", info)
	check(map[string]string{"/data/deep/x.tif": "/", "/data/a share/x.tif": "/data/a share"})
	c.learn("/data/a share/deep", info) // another mount of the same device
	check(map[string]string{"/data/a share/deep/x.tif": "/", "/data/a share/x.tif": "/data/a share"})
	if reads != 1 {
		t.Errorf("the table was read %d times", reads)
	}
	c.mounts.readAt, c.mounts.read = time.Time{}, func() ([]byte, error) { return nil, fs.ErrNotExist }
	check(map[string]string{"/elsewhere/x.tif": "/elsewhere"})
}

// Close does not wait for a storage that hangs, with any number of files.
func TestClosingFilesOfAHangingStorage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, hanging := NewCalls(), make(chan struct{})
		var opened []source.Object
		for range 200 {
			o, err := Store{Calls: c}.Open(t.Context(), writeFile(t, filepath.Join(t.TempDir(), "file"), []byte("x")))
			if err != nil {
				t.Fatal(err)
			}
			opened = append(opened, o)
		}
		storage := opened[0].(*File).storage
		for range maxCalls {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, _ = run(ctx, c, storage, func() (int, error) { <-hanging; return 0, nil })
			cancel()
		}
		began := time.Now()
		for _, o := range opened {
			if err := o.Close(); !errors.Is(err, source.ErrStalled) {
				t.Fatalf("closing a file: %v", err)
			}
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("closing %d files took %v", len(opened), took)
		}
		close(hanging)
		synctest.Wait()
		if err := opened[0].Close(); err != nil {
			t.Errorf("when the storage answers again: %v", err)
		}
	})
}
