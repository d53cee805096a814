package packets_test

import (
	"context"
	"errors"
	"testing"

	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
)

var errGone = errors.New("nobody waits any more")

// leaving is a caller who goes away as the first bytes are read.
type leaving struct {
	packetstest.Reader
	leave func()
}

func (r *leaving) Peek(offset int64, least int) ([]byte, error) {
	r.leave()
	return r.Reader.Peek(offset, least)
}

func newLeaving(t *testing.T, data []byte) (context.Context, *leaving) {
	ctx, leave := context.WithCancelCause(t.Context())
	return ctx, &leaving{packetstest.Reader{Bytes: data}, func() { leave(errGone) }}
}

func TestWalkEndsWithItsCaller(t *testing.T) {
	w := grid(packetstest.Manner{})
	ctx, r := newLeaving(t, w.Bytes)
	if index, err := packets.Walk(ctx, r, w.Tile, packets.Limits{}); !errors.Is(err, errGone) || index != nil {
		t.Errorf("got %v and %v, want %v", index, err, errGone)
	}
}

func TestPrecinctEndsWithItsCaller(t *testing.T) {
	w := layered(12, packetstest.Manner{Lengths: true})
	ctx, r := newLeaving(t, w.Bytes)
	located, err := packets.Locate(ctx, w.Tile, packets.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := located.Precinct(ctx, r, packets.PrecinctPosition{}); !errors.Is(err, errGone) {
		t.Errorf("precinct: got %v, want %v", err, errGone)
	}
	if _, err := packets.Locate(ctx, w.Tile, packets.Limits{}); !errors.Is(err, errGone) {
		t.Errorf("locate: got %v, want %v", err, errGone)
	}
}
