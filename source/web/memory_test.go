package web

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
)

// What is kept gives way to what is read, the least used first. What is read does not.
func TestWhatIsKeptGivesWayToWhatIsRead(t *testing.T) {
	m := NewMemory(100)
	shelves := [2]*shelf[string]{{m}, {m}}
	put := func(on int, path string, bytes int64) {
		in := &room{in: m}
		if err := in.reserve(t.Context(), bytes+7); err != nil {
			t.Fatal(err)
		}
		in.shrink(bytes)
		shelves[on].put(path, path, in)
	}
	put(0, "a", 40)
	put(1, "a", 20)
	put(0, "b", 20)
	if _, ok := shelves[0].get("a"); !ok || m.Bytes() != 80 {
		t.Fatalf("%d bytes", m.Bytes())
	}
	reading := &room{in: m}
	if err := reading.reserve(t.Context(), 40); err != nil {
		t.Fatal(err)
	}
	_, isOldest := shelves[1].get("a")
	_, isUsed := shelves[0].get("a")
	if isOldest || !isUsed || m.Bytes() != 100 {
		t.Errorf("the oldest is kept: %t, the one that was used: %t, of %d bytes", isOldest, isUsed, m.Bytes())
	}
	shelves[0].drop("a")
	reading.free()
	if m.Bytes() != 20 {
		t.Errorf("%d bytes remain", m.Bytes())
	}
}

// A read that finds no room waits for it, and not for long.
func TestAReadWaitsForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(100)
		first, second := &room{in: m}, &room{in: m}
		if err := first.reserve(t.Context(), 80); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Second, func() { (&shelf[int]{m}).put("a", 1, first) })
		if err := second.reserve(t.Context(), 60); err != nil || m.Bytes() != 60 {
			t.Errorf("got %v, %d bytes", err, m.Bytes())
		}
		held, began := (*source.HeldError)(nil), time.Now()
		if err := first.reserve(t.Context(), 41); !errors.As(err, &held) || !strings.Contains(err.Error(), "remote_memory") || time.Since(began) != maxRoomTime {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := first.reserve(ctx, 41); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A list that finds no room because others read can be had later. One that is larger than the memory cannot.
func TestWhyAListFindsNoRoom(t *testing.T) {
	m := NewMemory(100)
	reading, listing := &room{in: m}, &room{in: m}
	if err := reading.reserve(t.Context(), 80); err != nil {
		t.Fatal(err)
	}
	if err := listing.reserve(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		bytes  int64
		isHeld bool
	}{{20, true}, {90, true}, {91, false}} {
		if listing.grow(test.bytes) {
			t.Errorf("%d bytes more fit", test.bytes)
		}
		if err := listing.whyNoMore(test.bytes, 7); errors.As(err, new(*source.HeldError)) != test.isHeld || !strings.Contains(err.Error(), "remote_memory") {
			t.Errorf("%d bytes more: %v", test.bytes, err)
		}
	}
}
