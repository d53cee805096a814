package packets_test

import (
	"context"
	"errors"
	"testing"

	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
)

var errGone = errors.New("the caller is gone")

// cancelingReader cancels the context at the first read.
type cancelingReader struct {
	packetstest.Reader
	leave func()
}

func (r *cancelingReader) Peek(offset int64, minLength int) ([]byte, error) {
	r.leave()
	return r.Reader.Peek(offset, minLength)
}

func newCancelingReader(t *testing.T, data []byte) (context.Context, *cancelingReader) {
	ctx, leave := context.WithCancelCause(t.Context())
	return ctx, &cancelingReader{packetstest.Reader{Bytes: data}, func() { leave(errGone) }}
}

func TestScanEndsWithItsCaller(t *testing.T) {
	w := grid(packetstest.Options{})
	ctx, r := newCancelingReader(t, w.Bytes)
	if index, err := packets.Scan(ctx, r, w.Tile, packets.Limits{}); !errors.Is(err, errGone) || index != nil {
		t.Errorf("got %v and %v, want %v", index, err, errGone)
	}
}

func TestPrecinctEndsWithItsCaller(t *testing.T) {
	w := layered(12, packetstest.Options{Lengths: true})
	ctx, r := newCancelingReader(t, w.Bytes)
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
