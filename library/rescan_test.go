package library

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever asks for a scan finds what was there before, although folders are not scanned by themselves.
func TestFoldersAreScannedWhenAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		d := desire()
		d.Rescan = 0
		s.mustStart(d)
		defer s.keepWatching()()
		s.put("b.tif", time.Hour)
		s.remove("a.tif")
		wait(time.Hour)
		s.wantServed("before anybody asks", "a")
		result, err := s.Rescan(t.Context())
		if err != nil || !result.IsComplete || len(result.Problems) != 0 {
			t.Errorf("got %+v, %v", result, err)
		}
		wait(0)
		s.wantServed("after that", "b")
		s.files.Fail(folder, errors.New("no permission"))
		if result, err = s.Rescan(t.Context()); err != nil || !result.IsComplete || result.Layers != 1 || len(result.Problems) != 1 {
			t.Errorf("of a folder that cannot be read, got %+v, %v", result, err)
		}
	})
}

// Many who ask at the same time cause few scans.
func TestOneScanServesAllWhoAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		d := desire()
		d.Rescan = 0
		s.mustStart(d)
		defer s.keepWatching()()
		resume := s.files.Hang("maps")
		before := s.files.Calls("maps")
		var asking sync.WaitGroup
		for range 50 {
			asking.Go(func() {
				if result, err := s.Rescan(t.Context()); err != nil || !result.IsComplete {
					t.Errorf("got %+v, %v", result, err)
				}
			})
		}
		synctest.Wait()
		resume()
		asking.Wait()
		if calls := s.files.Calls("maps") - before; calls > 2 {
			t.Errorf("50 who ask at once cause %d calls", calls)
		}
	})
}

// A folder that is being listed is listed again for those who ask meanwhile. They do not wait for it.
func TestAScanThatRunsIsNotEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		s.mustStart(desire())
		defer s.keepWatching()()
		before, resume := s.files.Calls("maps"), s.files.Hang("maps")
		wait(rescan + scanPatience)
		result, err := s.Rescan(t.Context())
		if err != nil || result.IsComplete || result.Layers != 1 {
			t.Errorf("while the folder hangs, got %+v, %v", result, err)
		}
		resume()
		wait(0)
		if calls := s.files.Calls("maps") - before; calls != 2 {
			t.Errorf("the folder is listed %d times, want 2", calls)
		}
	})
}

// Whoever asks a library that nobody watches leaves with the context.
func TestToAskInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := newLibraryTest(t).Rescan(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}
