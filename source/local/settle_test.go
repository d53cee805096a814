package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/ranges"
)

// TestOpenWaitsForTheClock opens a file that has just been written to. The next write must
// get another modification time.
func TestOpenWaitsForTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct{ age, wait time.Duration }{
			"just now":      {0, clockGrain},
			"a moment ago":  {clockGrain / 4, clockGrain * 3 / 4},
			"long ago":      {time.Hour, 0},
			"in the future": {-time.Hour, 0},
		} {
			path := writeFile(t, filepath.Join(t.TempDir(), "file"), []byte("bytes"))
			setTime(t, path, time.Now().Add(-test.age))
			began := time.Now()
			openFile(t, path, ranges.Options{})
			if got := time.Since(began); got != test.wait {
				t.Errorf("written %s: it was opened after %v, want %v", name, got, test.wait)
			}
		}
	})
}

// TestUntilTickUsesTheTimeBeforeStat covers a goroutine that was descheduled after it asked for the
// time.
func TestUntilTickUsesTheTimeBeforeStat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := writeFile(t, filepath.Join(t.TempDir(), "file"), []byte("bytes"))
		asked := time.Now()
		setTime(t, path, asked.Add(-clockGrain/4))
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * clockGrain)
		if got := untilTick(info, asked); got != clockGrain*3/4 {
			t.Errorf("it must be untouched for another %v, want %v", got, clockGrain*3/4)
		}
	})
}

// TestWritesInARowAreNoticed writes the same number of bytes again as soon as the file is open.
func TestWritesInARowAreNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for range 20 {
		if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		f := openFile(t, path, ranges.Options{})
		overwrite(t, path, []byte("x"))
		if _, err := f.ReadRanges(t.Context(), []source.Range{{Offset: 0, Length: 6}}); !errors.Is(err, source.ErrChanged) {
			t.Fatalf("got %v, want %v", err, source.ErrChanged)
		}
	}
}

func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := writeFile(t, filepath.Join(t.TempDir(), "file"), []byte("bytes"))
		setTime(t, path, time.Now().Add(-time.Hour))
		f := openFile(t, path, ranges.Options{})
		settle := func(ctx context.Context) (time.Duration, error) {
			began := time.Now()
			err := f.Settle(ctx)
			return time.Since(began), err
		}
		if waited, err := settle(t.Context()); err != nil || waited != 0 {
			t.Errorf("a file that was left alone: %v after %v", err, waited)
		}
		setTime(t, path, time.Now())
		time.Sleep(settleTime / 2)
		if waited, err := settle(t.Context()); err != nil || waited != settleTime/2 {
			t.Errorf("one that was written to: %v after %v, want %v", err, waited, settleTime/2)
		}

		setTime(t, path, time.Now().Add(time.Hour))
		if waited, err := settle(t.Context()); err != nil || waited != settleTime {
			t.Errorf("one from the future: %v after %v, want %v", err, waited, settleTime)
		}

		setTime(t, path, time.Now())
		writing, stop := context.WithCancel(t.Context())
		go func() {
			for writing.Err() == nil {
				setTime(t, path, time.Now())
				time.Sleep(settleTime / 3)
			}
		}()
		if waited, err := settle(t.Context()); !errors.Is(err, source.ErrChanged) || waited < maxSettleTime || waited > maxSettleTime+settleTime {
			t.Errorf("one that is written to all the while: %v after %v", err, waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), settleTime/10)
		defer cancel()
		if _, err := settle(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who does not wait so long: %v", err)
		}
		stop()
		time.Sleep(settleTime)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if _, err := settle(t.Context()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("one that is gone: %v, want %v", err, fs.ErrNotExist)
		}
	})
}

// Overviews are written beside a file that has not changed for years.
func TestSettleWaitsForSiblings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := time.Now().Add(-time.Hour)
		path := writeFile(t, filepath.Join(t.TempDir(), "a.tif"), []byte("bytes"))
		setTime(t, path, long)
		open := func() *File {
			f := openFile(t, path, ranges.Options{})
			for _, name := range []string{"a.tif.ovr", "a.tfw"} {
				if sibling, err := f.Sibling(t.Context(), name); err == nil {
					t.Cleanup(func() { sibling.Close() })
				} else if !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
			return f
		}
		before := open()
		if got := before.ChangedAt(); !got.Equal(long) {
			t.Errorf("it was changed at %v", got)
		}
		overviews := writeFile(t, path+".ovr", []byte("half of"))
		began := time.Now()
		setTime(t, overviews, began)
		if got := open().ChangedAt(); !got.Equal(began) {
			t.Errorf("with new overviews it was changed at %v", got)
		}
		var writing sync.WaitGroup
		writing.Go(func() {
			for range 8 {
				time.Sleep(settleTime / 3)
				setTime(t, overviews, time.Now())
			}
		})
		if err := before.Settle(t.Context()); !errors.Is(err, source.ErrChanged) {
			t.Errorf("while the overviews are written: %v", err)
		}
		writing.Wait()
		began = time.Now()
		if err := before.Settle(t.Context()); err != nil || time.Since(began) != settleTime {
			t.Errorf("after that: %v after %v", err, time.Since(began))
		}
		setTime(t, writeFile(t, filepath.Join(filepath.Dir(path), "unasked.tfw"), []byte("1")), time.Now())
		began = time.Now()
		if err := before.Settle(t.Context()); err != nil || time.Since(began) > 0 {
			t.Errorf("beside a file that was not asked for: %v after %v", err, time.Since(began))
		}
	})
}

// The clock of the machine that writes may be behind. Then the dates of a file that changes while it is
// watched are from before. Those of a file that was moved to its place may be, too.
func TestSettleDoesNotBelieveAClockThatIsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const behind = time.Hour
		path := writeFile(t, filepath.Join(t.TempDir(), "a.tif"), []byte("bytes"))
		setTime(t, path, time.Now().Add(-2*behind))
		f := openFile(t, path, ranges.Options{})
		settle := func() time.Duration {
			began := time.Now()
			if err := f.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			return time.Since(began)
		}
		time.Sleep(time.Minute)
		if is, err := f.IsCurrent(t.Context()); err != nil || !is {
			t.Fatal(is, err)
		}
		setTime(t, path, time.Now().Add(-behind))
		if waited := settle(); waited != settleTime {
			t.Errorf("written to in place: it waited %v, want %v", waited, settleTime)
		}
		go func() {
			time.Sleep(time.Second)
			setTime(t, path, time.Now().Add(-behind))
		}()
		if waited := settle(); waited != 2*settleTime {
			t.Errorf("written to once more: it waited %v, want %v", waited, 2*settleTime)
		}
		next := writeFile(t, path+".next", []byte("other bytes"))
		setTime(t, next, time.Now().Add(-behind))
		if err := os.Rename(next, path); err != nil {
			t.Fatal(err)
		}
		if waited := settle(); waited != 0 {
			t.Errorf("moved to its place: it waited %v", waited)
		}
	})
}
