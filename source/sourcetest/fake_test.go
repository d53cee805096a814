package sourcetest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
)

var firstByte = []source.Range{{Offset: 0, Length: 1}}

func TestFakeCounts(t *testing.T) {
	f := NewFake([]byte("0123456789"))
	bad := errors.New("bad call")
	f.FailCall(2, bad)
	ranges := []source.Range{{Offset: 2, Length: 3}, {Offset: 4, Length: 4}}
	for call := 1; call <= 3; call++ {
		if _, err := f.ReadRanges(t.Context(), ranges); errors.Is(err, bad) != (call == 2) {
			t.Errorf("call %d: %v", call, err)
		}
	}
	if got, want := f.Counts(), (Counts{Calls: 3, Ranges: 6, Bytes: 21}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := f.Calls(); len(got) != 3 || got[1][1] != ranges[1] {
		t.Errorf("calls %v, want %v three times", got, ranges)
	}
}

func TestFakeIsHeldAndDelayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFake([]byte("0123456789"))
		f.Delay(time.Second)
		release := f.Hold()
		began := time.Now()
		done := make(chan error)
		go func() {
			_, err := f.ReadRanges(t.Context(), firstByte)
			done <- err
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := f.ReadRanges(ctx, firstByte); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("held: error %v, want %v", err, context.DeadlineExceeded)
		}
		release()
		if err := <-done; err != nil {
			t.Errorf("released: %v", err)
		}
		if _, err := f.ReadRanges(t.Context(), firstByte); err != nil {
			t.Errorf("after the release: %v", err)
		}
		if got, want := time.Since(began), time.Minute+time.Second; got != want {
			t.Errorf("it took %v, want %v", got, want)
		}
	})
}

func TestFakeIsReplaced(t *testing.T) {
	f := NewFake([]byte("old"))
	next := f.Replace([]byte("old"))
	if _, err := f.ReadRanges(t.Context(), firstByte); !errors.Is(err, source.ErrChanged) {
		t.Errorf("the old one: error %v, want %v", err, source.ErrChanged)
	}
	if _, err := next.ReadRanges(t.Context(), firstByte); err != nil || next.Version() == f.Version() {
		t.Errorf("the next one: error %v, version %s after %s", err, next.Version(), f.Version())
	}
}

func TestFakeRemembersClose(t *testing.T) {
	f := NewFake(nil)
	if f.Closed() {
		t.Error("closed from the beginning")
	}
	if err := f.Close(); err != nil || !f.Closed() {
		t.Errorf("Close: %v, closed: %t", err, f.Closed())
	}
	if err := f.Close(); err == nil {
		t.Error("closed twice without an error")
	}
}
