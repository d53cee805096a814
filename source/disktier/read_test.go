package disktier

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/sourcetest"
)

const oddBytes = 10*blockBytes + 12345 // ten blocks and a short one

// wantCalls compares the ranges that an object was asked for, and forgets them.
func wantCalls(t *testing.T, o *fakeObject, before int, want ...[]source.Range) {
	t.Helper()
	if got := o.Calls()[before:]; len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("the object was asked for %v, want %v", got, want)
	}
}

// blocksFrom returns the range of some blocks.
func blocksFrom(first, count int64) source.Range {
	return source.Range{Offset: first * blockBytes, Length: count * blockBytes}
}

func TestWhatLacksIsFetchedInOneCall(t *testing.T) {
	tier := openTier(t, t.TempDir())
	data := randomBytes(1, oddBytes)
	o := newFake(data)
	opened := o.through(t, tier)

	wantBytes(t, opened, data, source.Range{Offset: 3*blockBytes - 5, Length: 10}, source.Range{Offset: 7 * blockBytes, Length: 1}, source.Range{Offset: 9, Length: 0})
	wantCalls(t, o, 0, []source.Range{blocksFrom(2, 2), blocksFrom(7, 1)})
	tier.flush()

	wantBytes(t, opened, data, source.Range{Offset: 3*blockBytes - 50, Length: 100}, source.Range{Offset: 7*blockBytes + 5, Length: 500}) // is on the disk
	wantCalls(t, o, 1)

	wantBytes(t, opened, data, source.Range{Length: oddBytes}, source.Range{Offset: oddBytes - 1, Length: 1}, source.Range{Length: oddBytes})
	wantCalls(t, o, 1, []source.Range{blocksFrom(0, 2), blocksFrom(4, 3), {Offset: 8 * blockBytes, Length: oddBytes - 8*blockBytes}})
	tier.flush()

	wantBytes(t, opened, data, source.Range{Length: oddBytes})
	wantBytes(t, newFake(data).through(t, tier), data, source.Range{Length: oddBytes}) // opened again
	wantCalls(t, o, 2)
	if got, want := tier.Stats(), (Stats{Blocks: 11, Bytes: tier.Stats().Bytes, Hits: 3 + 3 + 11 + 11, Misses: 11, Written: 11, WrittenBytes: oddBytes}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAnEmptyObjectIsNotAsked(t *testing.T) {
	o := newFake(nil)
	wantBytes(t, o.through(t, openTier(t, t.TempDir())), nil, source.Range{})
	wantCalls(t, o, 0)
}

// Blocks that wait to be written are found.
func TestWhatIsNotWrittenYetIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keeper := newKeeper()
		keeper.writes = make(chan struct{})
		tier, data := keeper.tier(), randomBytes(2, oddBytes)
		o := newFake(data)
		for range 2 {
			wantBytes(t, o.through(t, tier), data, source.Range{Length: oddBytes})
		}
		wantCalls(t, o, 0, []source.Range{{Length: oddBytes}})
		close(keeper.writes)
		synctest.Wait()
		if len(keeper.kept) != 11 || len(tier.queue.waiting) != 0 || tier.queue.bytes != 0 || tier.queue.writers != 0 {
			t.Errorf("%d blocks are kept, %d wait with %d bytes, %d writers run", len(keeper.kept), len(tier.queue.waiting), tier.queue.bytes, tier.queue.writers)
		}
	})
}

func TestOfAnObjectWithoutIdentityNothingIsKept(t *testing.T) {
	tier, data := openTier(t, t.TempDir()), randomBytes(3, oddBytes)
	o := newFake(data)
	o.id = ""
	opened, ranges := o.through(t, tier), []source.Range{{Offset: 5, Length: 7}, {Offset: 100_000, Length: 1}}
	wantBytes(t, opened, data, ranges...)
	wantBytes(t, opened, data, ranges...)
	wantCalls(t, o, 0, ranges, ranges)
	if o.idAsked.Load() != 1 || tier.Stats() != (Stats{}) {
		t.Errorf("the identity was asked for %d times, the tier has %+v", o.idAsked.Load(), tier.Stats())
	}
}

// An identity that cannot be told now is asked for again.
func TestAnIdentityThatFailsIsNoError(t *testing.T) {
	tier, data := openTier(t, t.TempDir()), randomBytes(4, oddBytes)
	o := newFake(data)
	o.idErr = source.ErrStalled
	opened, want := o.through(t, tier), source.Range{Offset: 5, Length: 7}
	wantBytes(t, opened, data, want)
	wantCalls(t, o, 0, []source.Range{want})
	o.idErr = nil
	wantBytes(t, opened, data, want)
	wantBytes(t, opened, data, want)
	wantCalls(t, o, 1, []source.Range{blocksFrom(0, 1)})
	if o.idAsked.Load() != 2 {
		t.Errorf("the identity was asked for %d times", o.idAsked.Load())
	}
}

// Versions of an object, and objects of equal versions, have blocks of their own.
func TestIdentitiesDoNotShareBlocks(t *testing.T) {
	tier := openTier(t, t.TempDir())
	for i, id := range []string{"a", "b", "a@2", "a:0", ""} {
		data := randomBytes(uint64(100+i), oddBytes)
		o := newFake(data)
		o.id = id
		for range 2 {
			wantBytes(t, o.through(t, tier), data, source.Range{Length: oddBytes})
			tier.flush()
		}
	}
}

func TestSiblingsWithAnIdentityAreKept(t *testing.T) {
	tier, data := openTier(t, t.TempDir()), randomBytes(5, oddBytes)
	o, kept, plain := newFake(data), newFake(data), sourcetest.NewFake(data)
	kept.id = "sibling"
	o.siblings["a.ovr"], o.siblings["a.tfw"] = kept, plain
	for name, ranges := range map[string]source.Range{"a.ovr": blocksFrom(0, 1), "a.tfw": {Offset: 5, Length: 7}} {
		s, err := o.through(t, tier).Sibling(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		wantBytes(t, s, data, source.Range{Offset: 5, Length: 7})
		if calls := append(kept.Calls(), plain.Calls()...); calls[len(calls)-1][0] != ranges && calls[0][0] != ranges {
			t.Errorf("%s was asked for %v, want %v", name, calls, ranges)
		}
	}
}

// A read that would take too much memory in blocks is left to the object.
func TestAReadOfTooManyBlocksPassesThrough(t *testing.T) {
	o := newFake(nil) // fails to read what it does not have
	o.size = maxReadBytes + blockBytes
	opened := o.through(t, newKeeper().tier())
	var scattered []source.Range
	for offset := int64(0); offset < o.size; offset += blockBytes {
		scattered = append(scattered, source.Range{Offset: offset, Length: 1})
	}
	for call, want := range [][2][]source.Range{{scattered, scattered}, {scattered[1:], {{Offset: blockBytes, Length: maxReadBytes}}}} {
		if _, err := opened.ReadRanges(t.Context(), want[0]); !errors.Is(err, source.ErrOutOfBounds) {
			t.Error(err)
		}
		wantCalls(t, o, call, want[1])
	}
}

func TestReadsOfOneBlockShareAFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tier, data := newKeeper().tier(), randomBytes(6, oddBytes)
		o := newFake(data)
		opened, release := o.through(t, tier), o.Hold()
		var reads sync.WaitGroup
		for i := range int64(20) { // blocks 2, 3 and 4, each wanted by several
			reads.Go(func() {
				wantBytes(t, opened, data, source.Range{Offset: 2*blockBytes + i, Length: blockBytes + i*blockBytes/10})
			})
		}
		synctest.Wait()
		release()
		reads.Wait()
		total := int64(0)
		for _, call := range o.Calls() {
			for _, r := range call {
				total += r.Length
			}
		}
		if stats := tier.Stats(); total != stats.Misses*blockBytes || stats.Misses > 4 || stats.Shared < 30 {
			t.Errorf("%d bytes were fetched, %+v", total, stats)
		}
	})
}

// A read that is left or fails does not make others fail. They fetch in its place.
func TestAReadDoesNotFailBecauseOfAnother(t *testing.T) {
	broken := errors.New("broken")
	for name, isLeft := range map[string]bool{"it was left": true, "it fails": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				data := randomBytes(7, oddBytes)
				o := newFake(data)
				opened, release := o.through(t, newKeeper().tier()), o.Hold()
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				first := make(chan error, 1)
				go func() {
					_, err := opened.ReadRanges(ctx, []source.Range{{Length: 9}})
					first <- err
				}()
				synctest.Wait()
				var others sync.WaitGroup
				for range 5 {
					others.Go(func() {
						wantBytes(t, opened, data, source.Range{Offset: 5, Length: 9}, source.Range{Offset: blockBytes, Length: 1})
					})
				}
				synctest.Wait()
				want := broken
				if isLeft {
					leave()
					want = context.Canceled
				} else {
					o.FailCall(1, broken)
				}
				synctest.Wait()
				release()
				if err := <-first; !errors.Is(err, want) {
					t.Errorf("the first read: %v, want %v", err, want)
				}
				others.Wait()
				if calls := o.Calls(); len(calls) != 3 { // the first one's, block 1, and block 0 again
					t.Errorf("the object was asked for %v", calls)
				}
			})
		})
	}
}

// A read that panics leaves nothing behind that others wait for.
func TestNobodyWaitsForAReadThatPanicked(t *testing.T) {
	data := randomBytes(9, oddBytes)
	o := newFake(data)
	opened := o.through(t, newKeeper().tier())
	o.panics.Store(true)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a defect is hidden")
			}
		}()
		_, _ = opened.ReadRanges(t.Context(), []source.Range{{Length: 1}})
	}()
	o.panics.Store(false)
	synctest.Test(t, func(t *testing.T) { wantBytes(t, opened, data, source.Range{Length: 1}) })
}

// Blocks of another length are not those of the object, even if it has their identity.
func TestBlocksOfAnotherLengthAreNotFound(t *testing.T) {
	keeper := newKeeper()
	for i, length := range []int{5, 2*blockBytes + 5, 9, 2 * blockBytes} {
		synctest.Test(t, func(t *testing.T) {
			data := randomBytes(uint64(20+i), length)
			last := source.Range{Offset: int64(length-1) / blockBytes * blockBytes, Length: int64(length-1)%blockBytes + 1}
			keeper.writes = make(chan struct{})
			tier := keeper.tier()
			wantBytes(t, newFake(data).through(t, tier), data, last)
			other := newFake(data[:length-1])
			last.Length--
			wantBytes(t, other.through(t, tier), data, last)
			wantCalls(t, other, 0, []source.Range{last})
			close(keeper.writes)
		})
	}
}

// When all fetches fail, each read fails with its own, and soon.
func TestReadsFailSoonWhenTheObjectFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newFake(make([]byte, oddBytes))
		for call := range 1000 {
			o.FailCall(call, source.ErrChanged)
		}
		o.Delay(time.Second)
		opened, began := o.through(t, newKeeper().tier()), time.Now()
		var reads sync.WaitGroup
		for range 50 {
			reads.Go(func() {
				if _, err := opened.ReadRanges(t.Context(), []source.Range{{Length: 1}}); !errors.Is(err, source.ErrChanged) {
					t.Error(err)
				}
			})
		}
		reads.Wait()
		if took := time.Since(began); took > (maxJoins+1)*time.Second {
			t.Errorf("the last one failed after %v", took)
		}
	})
}

// A read allocates what it returns and two blocks for each range. One that lies partly on the disk is copied.
func TestReadsAllocateLittle(t *testing.T) {
	tier, data := newKeeper().tier(), randomBytes(8, oddBytes)
	opened := newFake(data).through(t, tier)
	wantBytes(t, opened, data, source.Range{Length: oddBytes})
	tier.flush()
	for _, ranges := range [][]source.Range{{{Offset: 100, Length: 5}}, {{Offset: blockBytes - 1, Length: 8 * blockBytes}}, {{Offset: 9, Length: 9}, {Offset: 5 * blockBytes, Length: blockBytes}}} {
		bound := int64(10_000)
		for _, r := range ranges {
			bound += r.Length + 2*blockBytes
		}
		const rounds = 50
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range rounds {
			wantBytes(t, opened, data, ranges...)
		}
		runtime.ReadMemStats(&after)
		if each := int64(after.TotalAlloc-before.TotalAlloc) / rounds; each > bound {
			t.Errorf("%v: %d bytes are allocated, want at most %d", ranges, each, bound)
		}
	}
}

func ExampleMemoryBytes() {
	fmt.Println(MemoryBytes(100<<30)>>20, "MiB")
	// Output: 302 MiB
}
