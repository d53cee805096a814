package components

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/decode/jp2k/packets"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// slowSource takes a second for each call, and counts those under way.
type slowSource struct {
	farSource
	now, most, canceled atomic.Int32
}

func (s *slowSource) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	s.most.Store(max(s.most.Load(), s.now.Add(1)))
	defer s.now.Add(-1)
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		s.canceled.Add(1)
		return nil, context.Cause(ctx)
	}
	return s.farSource.ReadRanges(ctx, ranges)
}

func randomBytes(length int) []byte {
	content := make([]byte, length)
	random := rand.NewChaCha8([32]byte{1, 8})
	_, _ = random.Read(content)
	return content
}

// walkOver returns a walk over parts of a source, behind some bytes that are not of the codestream.
func walkOver(ctx context.Context, content []byte, parts ...packets.Range) (*walk, *slowSource) {
	src := &slowSource{farSource: farSource{sourcetest.NewFake(content)}}
	const skipped = 100
	s := &Codestream{src: src, extent: source.Range{Offset: skipped, Length: src.Size() - skipped}}
	return newWalk(s.newReader(ctx), parts, shareOf(1)), src
}

func TestAWalkReadsManyPiecesAtATimeAndEachByteOnce(t *testing.T) {
	content := randomBytes(40 << 20)
	synctest.Test(t, func(t *testing.T) {
		w, src := walkOver(t.Context(), content, packets.Range{Offset: 200, Length: 20 << 20}, packets.Range{Offset: 20<<20 + 300, Length: 19 << 20})
		began := time.Now()
		for at := int64(200); at < 39<<20; at += 5000 {
			got, err := w.Peek(at, 60)
			if err != nil || len(got) < 60 || !bytes.HasPrefix(content[100+at:], got) {
				t.Fatalf("at %d, %d bytes come, or others: %v", at, len(got), err)
			}
		}
		const most = 8 // seconds; one piece after the other takes 21
		if took := time.Since(began); took > most*time.Second {
			t.Errorf("%v passed, want at most %d round trips", took, most)
		}
		if counts := src.Counts(); counts.Bytes > 40<<20 || src.most.Load() > maxPieces+1 {
			t.Errorf("%d bytes were read, of at most %d pieces at a time, want 40 MiB of %d", counts.Bytes, src.most.Load(), maxPieces+1)
		}
		if w.keptBytes > maxWalkKeptBytes || w.kept.from(1<<20, 1<<10) == nil {
			t.Errorf("%d bytes are kept, want the first ones, and at most %d", w.keptBytes, maxWalkKeptBytes)
		}
		w.stop()
	})
}

// However many tiles a call reads, what their walks keep and have under way is what one call reserves.
func TestWalksOfACallShareWhatItReserves(t *testing.T) {
	content := randomBytes(12 << 20)
	for _, tiles := range []int{1, 2, 3, 8, 9, 100} {
		share := shareOf(tiles)
		readers := min(ceilDivide(tiles, ceilDivide(tiles, maxTileReaders)), maxTileReaders)
		if most := maxPieces + readers; readers*(share.pieces+1) > most {
			t.Errorf("%d tiles: each of %d readers has %d pieces under way beside its first one, of %d", tiles, readers, share.pieces, most)
		}
		synctest.Test(t, func(t *testing.T) {
			w, _ := walkOver(t.Context(), content, packets.Range{Length: int64(len(content)) - 100})
			w.share = share
			for at := int64(0); at < 11<<20; at += 5000 {
				if _, err := w.Peek(at, 60); err != nil {
					t.Fatal(err)
				}
			}
			w.stop()
			if kept := w.kept.Size(); kept > maxWalkKeptBytes/int64(tiles)+1<<10 {
				t.Errorf("%d tiles: %d bytes of one are kept", tiles, kept)
			}
		})
	}
}

func TestAWalkThatSkipsMuchReadsLittle(t *testing.T) {
	content := randomBytes(64 << 20)
	synctest.Test(t, func(t *testing.T) {
		w, src := walkOver(t.Context(), content, packets.Range{Length: 60 << 20})
		for at := int64(1 << 20); at < 60<<20; at += 5 << 20 {
			if got, err := w.Peek(at, 4<<10); err != nil || !bytes.HasPrefix(content[100+at:], got) {
				t.Fatalf("at %d: %v, or other bytes", at, err)
			}
		}
		w.stop()
		if counts := src.Counts(); counts.Bytes > 2<<20 {
			t.Errorf("%d bytes were read in %d calls", counts.Bytes, counts.Calls)
		}
	})
}

func TestAWalkThatStopsEndsWhatIsUnderWay(t *testing.T) {
	content := randomBytes(40 << 20)
	synctest.Test(t, func(t *testing.T) {
		w, src := walkOver(t.Context(), content, packets.Range{Length: 39 << 20})
		for at := int64(0); at < 16<<20; at += 100_000 {
			if _, err := w.Peek(at, 12); err != nil {
				t.Fatal(err)
			}
		}
		w.stop()
		synctest.Wait()
		if src.now.Load() != 0 || src.canceled.Load() == 0 {
			t.Errorf("%d reads go on, and %d were canceled", src.now.Load(), src.canceled.Load())
		}
	})
}

// Whatever a scan asks for, it gets the bytes that are there.
func TestAWalkReturnsTheBytesThatAreThere(t *testing.T) {
	content := randomBytes(8 << 20)
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 5))
			var parts []packets.Range
			for at := int64(random.IntN(1 << 20)); at < 7<<20; {
				parts = append(parts, packets.Range{Offset: at, Length: int64(random.IntN(1 << 20))})
				at = endOf(parts[len(parts)-1]) + int64(random.IntN(1<<20))
			}
			w, _ := walkOver(t.Context(), content, parts...)
			defer w.stop()
			for range 200 {
				run := parts[random.IntN(len(parts))]
				offset, length := run.Offset+int64(random.IntN(int(run.Length)+100)), random.IntN(300<<10)
				got, err := w.Peek(offset, length)
				want := content[min(100+offset, int64(len(content))):]
				if err != nil || len(got) < min(length, len(want)) || !bytes.HasPrefix(want, got) {
					t.Fatalf("at %d, of %d bytes asked for, %d come, or others: %v", offset, length, len(got), err)
				}
			}
		})
	}
}
