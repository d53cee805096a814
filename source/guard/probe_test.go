package guard_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/sourcetest"
)

// The first and the longest pause between two probes.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// memoryTime is how long a read waits that does not reach its storage, while that is away.
const memoryTime = 100 * time.Millisecond

// What is in memory is read all the while. That takes no probe, so that another read finds out soon when
// the storage answers again.
func TestReadsFromMemoryTakeNoProbes(t *testing.T) {
	for name, fromMemory := range map[string]func(context.Context, source.Object) error{
		"reads":      func(ctx context.Context, o source.Object) error { return read(ctx, o) },
		"identities": func(ctx context.Context, o source.Object) error { _, err := o.Identity(ctx); return err },
	} {
		synctest.Test(t, func(t *testing.T) {
			inner, s, nfs, _ := guarded(t, new(bytes.Buffer))
			resume := inner.HangReads("nfs")
			for range 5 {
				stalledIn(t, nfs)
			}
			readHot := func() {
				inner.Cache("nfs", true)
				for range 3 {
					if err := fromMemory(t.Context(), nfs); err != nil {
						t.Fatalf("%s from memory: %v", name, err)
					}
				}
				inner.Cache("nfs", false)
			}
			for range 10 * 60 {
				readHot()
				_ = read(t.Context(), nfs)
				time.Sleep(time.Second)
			}
			resume()
			began := time.Now()
			for readHot(); read(t.Context(), nfs) != nil; readHot() {
				if time.Since(began) > maxPause {
					t.Fatalf("%s from memory: other reads still fail", name)
				}
				time.Sleep(time.Second)
			}
			if s.Storages()[0].IsAway {
				t.Errorf("%s: the storage is away", name)
			}
		})
	}
}

// scripted is a store whose objects are read as a function says.
type scripted struct {
	*sourcetest.Store
	read func(ctx context.Context) error
}

func (s *scripted) Open(ctx context.Context, path string) (source.Object, error) {
	opened, err := s.Store.Open(ctx, path)
	return &scriptedObject{opened, s}, err
}

type scriptedObject struct {
	source.Object
	store *scripted
}

func (o *scriptedObject) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	if err := o.store.read(ctx); err != nil {
		return nil, err
	}
	return o.Object.ReadRanges(context.Background(), ranges)
}

// away returns an object of a storage that is away, and what reads it. A probe is due.
func away(t *testing.T) (o source.Object, inner *scripted, s *guard.Store) {
	t.Helper()
	inner = &scripted{sourcetest.NewStore(), func(context.Context) error { return source.ErrStalled }}
	inner.Put("nfs/a.tif", []byte("the bytes"), time.Hour)
	s = guard.Wrap(inner, guard.Config{Timeout: timeout})
	o, err := s.Open(t.Context(), "nfs/a.tif")
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		stalledIn(t, o)
	}
	time.Sleep(firstPause)
	return o, inner, s
}

// waitFor waits for a time, or for the end of a context.
func waitFor(ctx context.Context, pause time.Duration) error {
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A probe has the whole time of a call, also if somebody waited for the end of the call before it
// reached its storage.
func TestAProbeHasTheWholeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, inner, s := away(t)
		answersAfter := time.Hour
		inner.read = func(ctx context.Context) error {
			if err := waitFor(ctx, memoryTime/2); err != nil {
				return err
			}
			if err := source.Reach(ctx); err != nil {
				return err
			}
			return waitFor(ctx, answersAfter)
		}
		if took := stalledIn(t, o); took != timeout {
			t.Errorf("it failed after %v, want %v", took, timeout)
		}
		answersAfter = timeout * 9 / 10
		if err := read(t.Context(), o); err != nil || s.Storages()[0].IsAway {
			t.Errorf("a slow answer: %v, %+v", err, s.Storages())
		}
	})
}

// A call that waits without reaching a storage that is away ends soon. It leaves the probe to others, and
// so does one whose caller has left.
func TestWaitingForNoStorageTakesNoProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, inner, s := away(t)
		inner.read = func(ctx context.Context) error { return waitFor(ctx, time.Hour) }
		for range 100 {
			if took := stalledIn(t, o); took != memoryTime {
				t.Fatalf("it ended after %v", took)
			}
		}
		if status := s.Storages()[0]; status.Refused != 100 || status.Failures != 5 {
			t.Errorf("the storage is %+v", status)
		}
		inner.read = source.Reach
		left, leave := context.WithCancel(t.Context())
		leave()
		if err := read(left, o); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that has left: %v", err)
		}
		if err := read(t.Context(), o); err != nil || s.Storages()[0].IsAway {
			t.Errorf("then: %v, %+v", err, s.Storages())
		}
	})
}

// A read that takes long goes on if the storage is back meanwhile, and one from memory is no failure
// although it takes long.
func TestLongReadsFromMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, inner, s := away(t)
		inner.read = func(ctx context.Context) error {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			return nil
		}
		if err := read(t.Context(), o); err != nil || !s.Storages()[0].IsAway {
			t.Errorf("one that does not mind its deadline: %v, %+v", err, s.Storages())
		}
		inner.read = func(ctx context.Context) error { return waitFor(ctx, time.Second) }
		var long sync.WaitGroup
		long.Go(func() {
			if err := read(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		inner.read = source.Reach
		if err := read(t.Context(), o); err != nil || s.Storages()[0].IsAway {
			t.Errorf("a probe: %v, %+v", err, s.Storages())
		}
		long.Wait()
	})
}

// The goroutines of a read reach its storage at the same time, while others begin to wait for its end.
// They get the same answer, and take one probe.
func TestGoroutinesOfAReadShareAProbe(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			o, inner, _ := away(t)
			var answers [8]error
			inner.read = func(ctx context.Context) error {
				var parts sync.WaitGroup
				for i := range answers {
					parts.Go(func() { answers[i] = source.Reach(ctx) })
					parts.Go(func() { ctx.Done() })
				}
				parts.Wait()
				return source.ErrStalled
			}
			stalledIn(t, o)
			if err := errors.Join(answers[:]...); err != nil {
				t.Errorf("a part of a probe is refused: %v", err)
			}
			stalledIn(t, o)
			for _, answer := range answers {
				stalled := new(guard.StalledError)
				if !errors.As(answer, &stalled) || stalled.Wait <= 0 || stalled.Wait > 2*firstPause {
					t.Errorf("a part of the next read: %v", answer)
				}
			}
		})
	}
}

// The goroutines of a read reach its storage just when the read has waited for too long. Either all go
// there, as a probe, or none does, and the probe is left.
func TestReachingAStorageAtTheLastMoment(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			o, inner, s := away(t)
			var answers [8]error
			inner.read = func(ctx context.Context) error {
				ended := ctx.Done()
				time.Sleep(memoryTime)
				var parts sync.WaitGroup
				for i := range answers {
					parts.Go(func() { answers[i] = source.Reach(ctx) })
				}
				parts.Wait()
				if answers[0] == nil {
					select {
					case <-ended:
						t.Error("a probe has ended")
					default:
					}
				}
				return source.ErrStalled
			}
			stalledIn(t, o)
			for _, answer := range answers {
				if (answer == nil) != (answers[0] == nil) {
					t.Errorf("the parts are told %v", answers)
				}
			}
			inner.read = source.Reach
			if err := read(t.Context(), o); (err == nil) != (answers[0] != nil) || s.Storages()[0].IsAway != (err != nil) {
				t.Errorf("the next read: %v; the parts were told %v", err, answers)
			}
		})
	}
}
