package ranges

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
)

// slowReader blocks every read until released is closed, and counts reads.
type slowReader struct {
	released        chan struct{}
	begun, underway atomic.Int64
	maxUnderway     atomic.Int64
}

func newSlowReader() *slowReader { return &slowReader{released: make(chan struct{})} }

func (s *slowReader) read(_ context.Context, dst []byte, offset int64) error {
	s.begun.Add(1)
	if now := s.underway.Add(1); now > s.maxUnderway.Load() {
		s.maxUnderway.Store(now)
	}
	defer s.underway.Add(-1)
	<-s.released
	for i := range dst {
		dst[i] = byte(offset) + byte(i)
	}
	return nil
}

// farApart returns n ranges of one byte that do not merge.
func farApart(n int) []source.Range {
	ranges := make([]source.Range, n)
	for i := range ranges {
		ranges[i] = source.Range{Offset: int64(i) * 1000, Length: 1}
	}
	return ranges
}

func testGatherer(parallelReads int, read ReadFunc) *Reader {
	return NewReader(1_000_000, Options{
		MergeGapBytes: 100, MaxMergedBytes: 10_000, MaxBytesPerCall: 50_000, ParallelReads: parallelReads,
	}, read, func([]byte, int64) int { return 0 })
}

// What needs no waiting is copied first, by the caller. What follows something that has to wait, or is
// long, is read in parallel.
func TestWhatIsInMemoryIsReadFirst(t *testing.T) {
	for _, test := range []struct {
		cached, length, wantCopied, wantRead int64 // bytes in memory, and of the second of three ranges
	}{
		{1_000_000, 1, 3, 0}, {1001, 1, 2, 1}, {1000, 1, 1, 2}, {0, 1, 0, 3}, {1050, 100, 1, 2}, {1_000_000, 40 << 10, 3, 0},
		{1_000_000, maxCachedBytes, 1, 2},
	} {
		var copied, read atomic.Int64
		fill := func(dst []byte, offset int64) {
			for i := range dst {
				dst[i] = byte(offset + int64(i))
			}
		}
		g := NewReader(1_000_000, Options{MaxMergedBytes: 10_000, MaxBytesPerCall: 500_000, ParallelReads: 2},
			func(_ context.Context, dst []byte, offset int64) error { read.Add(1); fill(dst, offset); return nil },
			func(dst []byte, offset int64) int {
				n := min(max(test.cached-offset, 0), int64(len(dst)))
				if fill(dst[:n], offset); n == int64(len(dst)) {
					copied.Add(1)
				}
				return int(n)
			})
		asked := []source.Range{{Offset: 900_000, Length: 1}, {Offset: 1000, Length: test.length}, {Offset: 0, Length: 5}}
		parts, err := g.ReadRanges(t.Context(), asked)
		if err != nil || copied.Load() != test.wantCopied || read.Load() != test.wantRead {
			t.Errorf("%+v: %d copied, %d read, %v", test, copied.Load(), read.Load(), err)
		}
		for i, part := range parts {
			want := make([]byte, asked[i].Length)
			if fill(want, asked[i].Offset); !bytes.Equal(part, want) {
				t.Errorf("%+v: part %d is wrong", test, i)
			}
		}
	}
}

func TestAllReadsAreSubmittedBeforeAnyIsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := newSlowReader()
		g := testGatherer(20, slow.read)
		var parts [][]byte
		var err error
		var wg sync.WaitGroup
		wg.Go(func() { parts, err = g.ReadRanges(t.Context(), farApart(20)) })
		synctest.Wait()
		if got := slow.begun.Load(); got != 20 {
			t.Errorf("%d reads were begun before one had ended, want 20", got)
		}
		close(slow.released)
		wg.Wait()
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range parts {
			if want := byte(i * 1000 % 256); len(part) != 1 || part[0] != want {
				t.Errorf("part %d = %v, want [%d]", i, part, want)
			}
		}
	})
}

func TestParallelReadsAreBoundedOverAllCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := newSlowReader()
		g := testGatherer(3, slow.read)
		var wg sync.WaitGroup
		for n := range 5 { // one of them is a single read, in the caller's goroutine
			wg.Go(func() {
				if _, err := g.ReadRanges(t.Context(), farApart(1+2*n)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if got := slow.begun.Load(); got != 3 {
			t.Errorf("%d reads under way, want 3", got)
		}
		close(slow.released)
		wg.Wait()
		if begun, maxUnderway := slow.begun.Load(), slow.maxUnderway.Load(); begun != 1+3+5+7+9 || maxUnderway != 3 {
			t.Errorf("%d reads, at most %d at a time; want 25, 3", begun, maxUnderway)
		}
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	for _, n := range []int{2, 9} {
		synctest.Test(t, func(t *testing.T) {
			slow := newSlowReader()
			g := testGatherer(2, slow.read)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			parts, err := g.ReadRanges(ctx, farApart(n)) // returns although the reads hang
			if !errors.Is(err, context.DeadlineExceeded) || parts != nil {
				t.Errorf("got %d parts, error %v; want none, %v", len(parts), err, context.DeadlineExceeded)
			}
			close(slow.released)
			synctest.Wait()
			if got := slow.begun.Load(); got != 2 {
				t.Errorf("%d reads were begun, want 2: the others were still queued", got)
			}
		})
	}
}

func TestSingleReadWaitsForASlotOnlyAsLongAsItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := newSlowReader()
		g := testGatherer(1, slow.read)
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := g.ReadRanges(t.Context(), farApart(1)); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := g.ReadRanges(ctx, farApart(1)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
		}
		close(slow.released)
		wg.Wait()
	})
}

func TestFirstFailureStopsTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := errors.New("bad sector")
		var begun atomic.Int64
		g := testGatherer(2, func(_ context.Context, _ []byte, offset int64) error {
			begun.Add(1)
			if offset == 3000 {
				return fmt.Errorf("at %d: %w", offset, bad)
			}
			time.Sleep(time.Second)
			return nil
		})
		parts, err := g.ReadRanges(t.Context(), farApart(100))
		if !errors.Is(err, bad) || parts != nil {
			t.Errorf("got %d parts, error %v; want none, %v", len(parts), err, bad)
		}
		time.Sleep(time.Minute)
		if got := begun.Load(); got > 6 {
			t.Errorf("%d reads were begun, though the fourth failed", got)
		}
	})
}

func TestRangeReaderReadsOnlyTheRanges(t *testing.T) {
	tests := []struct {
		name      string
		ranges    []source.Range
		wantReads string
		wantErr   error
	}{
		{"nothing for empty ranges", []source.Range{{Offset: 5, Length: 0}, {Offset: 1_000_000, Length: 0}}, "[]", nil},
		{"near ranges in one go", []source.Range{{Offset: 500, Length: 5}, {Offset: 400, Length: 5}, {Offset: 505, Length: 5}}, "[400+110]", nil},
		{"as much as a call may", []source.Range{{Offset: 0, Length: 50_000}}, "[0+50000]", nil},
		{"nothing of too much", []source.Range{{Offset: 0, Length: 50_001}}, "[]", source.ErrTooLarge},
		{"nothing of too much in all", []source.Range{{Offset: 0, Length: 30_000}, {Offset: 100_000, Length: 30_000}}, "[]", source.ErrTooLarge},
		{"gaps count", []source.Range{{Offset: 0, Length: 49_950}, {Offset: 49_999, Length: 2}}, "[]", source.ErrTooLarge},
		{"nothing where one is out of bounds", []source.Range{{Offset: 0, Length: 5}, {Offset: 999_999, Length: 2}}, "[]", source.ErrOutOfBounds},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reads := []source.Range{}
			g := testGatherer(1, func(_ context.Context, dst []byte, offset int64) error {
				reads = append(reads, source.Range{Offset: offset, Length: int64(len(dst))})
				return nil
			})
			g.options.MaxMergedBytes = 100_000
			parts, err := g.ReadRanges(t.Context(), test.ranges)
			if got := fmt.Sprint(reads); got != test.wantReads || !errors.Is(err, test.wantErr) || (err != nil) != (parts == nil) {
				t.Errorf("reads %s, error %v; want %s, %v", got, err, test.wantReads, test.wantErr)
			}
		})
	}
}

func TestErrorsNameTheRange(t *testing.T) {
	err := source.CheckBounds([]source.Range{{Offset: 0, Length: 5}, {Offset: 7, Length: 4}}, 10)
	if got, want := fmt.Sprint(err), "source: range out of bounds: range 1 (7+4) of 10 bytes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOptions(t *testing.T) {
	got, err := Options{}.WithDefaults()
	want := Options{MergeGapBytes: 4 << 10, MaxMergedBytes: 8 << 20, MaxBytesPerCall: 256 << 20, ParallelReads: 16}
	if err != nil || got != want {
		t.Errorf("the defaults are %+v, %v; want %+v", got, err, want)
	}
	given := Options{MergeGapBytes: 1, MaxMergedBytes: 2, MaxBytesPerCall: 3, ParallelReads: 4}
	if got, err := given.WithDefaults(); err != nil || got != given {
		t.Errorf("got %+v, %v; want %+v", got, err, given)
	}
	if got, err := (Options{MergeGapBytes: -1}).WithDefaults(); err != nil || got.MergeGapBytes != 0 {
		t.Errorf("no gap: got %d, %v; want 0", got.MergeGapBytes, err)
	}
	for _, bad := range []Options{{MaxMergedBytes: -1}, {MaxBytesPerCall: -1}, {ParallelReads: -1}} {
		if _, err := bad.WithDefaults(); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
