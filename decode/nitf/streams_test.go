package nitf

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"tileserver/decode/nitf/masks"
	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/nitf/segments"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// emptyStreams are JPEG streams of no content, each of 4 bytes.
func emptyStreams(count int) []byte { return []byte(strings.Repeat("\xFF\xD8\xFF\xD9", count)) }

func streamsIn(t *testing.T, src source.Source, count int64) *streams {
	t.Helper()
	x, err := newStreams(src, source.Range{Length: src.Size()}, count, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The places of streams are kept, so their number is bounded, whatever a file claims or holds.
func TestTheNumberOfStreamsIsBounded(t *testing.T) {
	image := nitftest.Image{Width: 20_000, Height: 20_000, BlockWidth: 8, BlockHeight: 8, Compression: "C3", Data: emptyStreams(1 << 20)}
	err := open(t, nitftest.File{Images: []nitftest.Image{image}}.Bytes()).Images()[0].Unsupported()
	if !errors.Is(err, segments.ErrLimit) {
		t.Errorf("got %v, want a limit", err)
	}
	x := streamsIn(t, source.NewBytes("streams", emptyStreams(1000)), 10)
	places, err := x.find(t.Context(), []int64{3, 9, 11})
	if err != nil || places[0].where != (source.Range{Offset: 12, Length: 4}) || places[2].state != masks.Lost {
		t.Errorf("got %v and %v, want the stream at 12, and none of number 11", places, err)
	}
	if n := len(x.splitter.Streams); n != 10 {
		t.Errorf("%d streams are kept, want 10", n)
	}
}

// Who asks for a stream that was found before does not wait for who reads on, and who leaves does
// not either.
func TestFoundStreamsAreNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := sourcetest.NewFake(emptyStreams(1 << 19))
		x := streamsIn(t, fake, 1<<19)
		if _, err := x.find(t.Context(), []int64{5}); err != nil {
			t.Fatal(err)
		}
		release := fake.Hold()
		last := make(chan error)
		go func() {
			_, err := x.find(t.Context(), []int64{1<<19 - 1})
			last <- err
		}()
		synctest.Wait()
		if _, err := x.find(t.Context(), []int64{6}); err != nil {
			t.Error(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := x.find(ctx, []int64{1<<19 - 2})
			left <- err
		}()
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("who left got %v", err)
		}
		release()
		if err := <-last; err != nil {
			t.Error(err)
		}
	})
}
