package guard_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/sourcetest"
)

const timeout = 30 * time.Second

func TestStoreConforms(t *testing.T) {
	sourcetest.RunStore(t, func(*testing.T) sourcetest.Fixture {
		s := sourcetest.NewStore()
		return sourcetest.Fixture{
			Store: guard.Wrap(s, guard.Config{Timeout: timeout}), Join: path.Join, Drop: s.Remove,
			Put: func(path, data string) { s.Put(path, []byte(data), time.Hour) },
		}
	})
}

// guarded returns a guarded store of two storages, with an open object on each.
func guarded(t *testing.T, log *bytes.Buffer) (inner *sourcetest.Store, s *guard.Store, nfs, disk source.Object) {
	t.Helper()
	inner = sourcetest.NewStore()
	s = guard.Wrap(inner, guard.Config{Timeout: timeout, Logger: newLogger(log)})
	var opened [2]source.Object
	for i, name := range []string{"nfs/a.tif", "disk/b.tif"} {
		inner.Put(name, []byte("the bytes"), time.Hour)
		var err error
		if opened[i], err = s.Open(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	return inner, s, opened[0], opened[1]
}

func newLogger(log *bytes.Buffer) *slog.Logger { return slog.New(slog.NewTextHandler(log, nil)) }

var firstByte = []source.Range{{Length: 1}}

func read(ctx context.Context, s source.Source) error {
	_, err := s.ReadRanges(ctx, firstByte)
	return err
}

// stalledIn returns after which time a read fails because of its storage.
func stalledIn(t *testing.T, s source.Source) time.Duration {
	t.Helper()
	began := time.Now()
	if err := read(t.Context(), s); !errors.Is(err, source.ErrStalled) {
		t.Errorf("the read ends with %v", err)
	}
	return time.Since(began)
}

// The first calls of a storage that hangs end at their deadline. Then calls fail at once, apart from
// probes, until it answers. Calls of another storage never notice.
func TestAStorageThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		inner, s, nfs, disk := guarded(t, &log)
		resume := inner.Hang("nfs")
		var callers sync.WaitGroup
		for range 9 {
			callers.Go(func() {
				if took := stalledIn(t, nfs); took != timeout {
					t.Errorf("a read ends after %v, want %v", took, timeout)
				}
			})
		}
		callers.Wait()
		for name, call := range map[string]func() error{
			"read": func() error { return read(t.Context(), nfs) }, "stat": func() error { _, err := s.Stat(t.Context(), "nfs/a.tif"); return err },
			"list": func() error { _, err := s.List(t.Context(), "nfs"); return err }, "open": func() error { _, err := s.Open(t.Context(), "nfs/a.tif"); return err },
			"current": func() error { _, err := nfs.IsCurrent(t.Context()); return err }, "sibling": func() error { _, err := nfs.Sibling(t.Context(), "b"); return err },
			"settle": func() error { return nfs.Settle(t.Context()) }, "identity": func() error { _, err := nfs.Identity(t.Context()); return err },
		} {
			began := time.Now()
			err, stalled := call(), new(guard.StalledError)
			if !errors.As(err, &stalled) || stalled.RetryAfter() <= 0 || stalled.RetryAfter() > time.Second || time.Since(began) > 0 {
				t.Errorf("%s: %v after %v", name, err, time.Since(began))
			}
		}
		if err := read(t.Context(), disk); err != nil {
			t.Error(err)
		}
		if all := s.Storages(); len(all) != 2 || all[0] != (guard.Status{Name: "nfs", IsAway: true, Reason: "no answer within 30s", Failures: 9, Refused: 8}) || all[1].IsAway {
			t.Errorf("the storages are %+v", all)
		}
		resume()
		time.Sleep(time.Second)
		for range 3 {
			if err := read(t.Context(), nfs); err != nil {
				t.Error(err)
			}
		}
		if all := s.Storages(); all[0].IsAway || all[1].IsAway {
			t.Errorf("the storages are %+v", all)
		}
		if lines := strings.Count(log.String(), "\n"); lines != 2 || !strings.Contains(log.String(), "storage=nfs") {
			t.Errorf("the log has %d lines: %s", lines, &log)
		}
	})
}

// While reads of a storage hang, the system still has names and states in memory, and the bytes of some
// files. These answers do not end the absence, and neither do they wait for it.
func TestAStorageWhoseReadsHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		inner, s, nfs, disk := guarded(t, &log)
		resume := inner.HangReads("nfs")
		var readers sync.WaitGroup
		for range 5 {
			readers.Go(func() { stalledIn(t, nfs) })
		}
		readers.Wait()
		time.Sleep(time.Second)
		for began := time.Now(); time.Since(began) < 10*time.Minute; time.Sleep(time.Second) {
			if _, err := s.Stat(t.Context(), "nfs/a.tif"); err != nil {
				t.Fatalf("a state that is in memory: %v", err)
			}
			inner.Cache("nfs", true)
			if err := read(t.Context(), nfs); err != nil {
				t.Fatalf("a read of what is in memory: %v", err)
			}
			inner.Cache("nfs", false)
			if is, err := nfs.IsCurrent(t.Context()); err != nil || !is {
				t.Fatalf("the version that is in memory: %v, %v", is, err)
			}
			before, probed := inner.Calls("nfs"), time.Now()
			if err := read(t.Context(), nfs); !errors.Is(err, source.ErrStalled) || inner.Calls("nfs") == before && time.Since(probed) > 0 {
				t.Fatalf("another read: %v after %v", err, time.Since(probed))
			}
			if err := read(t.Context(), disk); err != nil {
				t.Fatal(err)
			}
			if all := s.Storages(); !all[0].IsAway || all[0].Name != "nfs" {
				t.Fatalf("the storages are %+v", all)
			}
		}
		resume()
		time.Sleep(time.Minute)
		if err := read(t.Context(), nfs); err != nil || s.Storages()[0].IsAway {
			t.Errorf("when its reads are answered: %v, %+v", err, s.Storages())
		}
		if lines := strings.Count(log.String(), "\n"); lines != 2 {
			t.Errorf("the log has %d lines: %s", lines, &log)
		}
	})
}

// A storage whose names and states hang, too, is asked for them by probes only, also if they were answered
// in between.
func TestAStorageThatHangsMoreAndMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner, s, nfs, _ := guarded(t, new(bytes.Buffer))
		resume := inner.HangReads("nfs")
		for range 5 {
			stalledIn(t, nfs)
		}
		time.Sleep(time.Second)
		stat := func() error { _, err := s.Stat(t.Context(), "nfs/a.tif"); return err }
		if err := stat(); err != nil {
			t.Fatal(err)
		}
		resume()
		defer inner.Hang("nfs")()
		if err := stat(); !errors.Is(err, source.ErrStalled) {
			t.Fatal(err)
		}
		began := time.Now()
		for range 100 {
			if err := stat(); !errors.Is(err, source.ErrStalled) || time.Since(began) > 0 {
				t.Fatalf("%v after %v", err, time.Since(began))
			}
		}
	})
}

// The pauses between probes grow, and no call but a probe waits for a storage that is away.
func TestProbesOfAStorage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner, _, nfs, _ := guarded(t, new(bytes.Buffer))
		inner.Fail("nfs/a.tif", source.ErrStalled)
		for range 5 {
			stalledIn(t, nfs)
		}
		began, probes := time.Now(), 0
		for time.Since(began) < 10*time.Minute {
			before := inner.Calls("nfs")
			stalledIn(t, nfs)
			probes += inner.Calls("nfs") - before
			time.Sleep(100 * time.Millisecond)
		}
		if probes < 20+3 || probes > 40+8 {
			t.Errorf("%d probes in ten minutes", probes)
		}
	})
}

// What is no fault of the storage does not take it away: errors about objects, callers that leave, and
// failures with long times between them.
func TestAStorageThatAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner, s, nfs, _ := guarded(t, new(bytes.Buffer))
		for _, err := range []error{fs.ErrPermission, source.ErrChanged, errors.New("input/output error"), fs.ErrNotExist} {
			inner.Fail("nfs/a.tif", err)
			for range 20 {
				if got := read(t.Context(), nfs); !errors.Is(got, err) {
					t.Errorf("got %v, want %v", got, err)
				}
			}
		}
		inner.Fail("nfs/a.tif", nil)
		resume := inner.Hang("nfs")
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), timeout-1)
			if err := read(ctx, nfs); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, source.ErrStalled) {
				t.Error(err)
			}
			cancel()
		}
		resume()
		inner.Fail("nfs/a.tif", source.ErrStalled)
		for range 20 {
			stalledIn(t, nfs)
			time.Sleep(time.Minute)
		}
		if all := s.Storages(); all[1].Name != "nfs" || all[1].IsAway || all[1].Failures != 20 {
			t.Errorf("the storages are %+v", all)
		}
	})
}

// A caller that makes one call after the other finds out as well. A check takes a tenth of the time.
func TestOneCallerOfAStorageThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			call func(*guard.Store, source.Object) error
			want time.Duration
		}{
			"reads":  {func(_ *guard.Store, o source.Object) error { return read(t.Context(), o) }, 5 * timeout},
			"checks": {func(_ *guard.Store, o source.Object) error { _, err := o.IsCurrent(t.Context()); return err }, 5 * timeout / 10},
			"stats":  {func(s *guard.Store, o source.Object) error { _, err := s.Stat(t.Context(), o.Name()); return err }, 5 * timeout / 10},
		} {
			inner, s, nfs, _ := guarded(t, new(bytes.Buffer))
			defer inner.Hang("nfs")()
			began := time.Now()
			for !s.Storages()[0].IsAway {
				if err := test.call(s, nfs); !errors.Is(err, source.ErrStalled) {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if took := time.Since(began); took != test.want {
				t.Errorf("%s: it is away after %v, want %v", name, took, test.want)
			}
		}
	})
}

func TestRememberedStoragesAreBounded(t *testing.T) {
	s := guard.Wrap(sourcetest.NewStore(), guard.Config{Timeout: timeout})
	for i := range 1000 {
		if _, err := s.Stat(t.Context(), fmt.Sprint(i, "/a.tif")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if count := len(s.Storages()); count > 256 {
		t.Errorf("%d storages are remembered", count)
	}
}
