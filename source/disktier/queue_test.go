package disktier

import (
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
)

// A disk that is slow to write costs blocks that are not kept. Reads neither wait nor fail.
func TestBlocksThatWaitAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keeper := newKeeper()
		keeper.writes = make(chan struct{})
		tier, data := keeper.tier(), randomBytes(1, maxWaitingBytes+5*blockBytes)
		opened, began := newFake(data).through(t, tier), time.Now()
		wantBytes(t, opened, data, source.Range{Length: int64(len(data))})
		if stats := tier.Stats(); stats.Lost != 5 || tier.queue.bytes != maxWaitingBytes || tier.queue.writers != maxWriters || time.Since(began) > 0 {
			t.Errorf("%+v, %d bytes wait, %d writers run", stats, tier.queue.bytes, tier.queue.writers)
		}
		for _, block := range tier.queue.waiting {
			if cap(block) >= 2*blockBytes {
				t.Fatalf("a block that waits holds %d bytes", cap(block))
			}
		}
		close(keeper.writes)
		synctest.Wait()
		if stats := tier.Stats(); stats.Written != maxWaitingBytes/blockBytes || stats.Lost != 5 || len(keeper.kept) != maxWaitingBytes/blockBytes {
			t.Errorf("%d blocks are kept, %+v", len(keeper.kept), stats)
		}
	})
}

// Of many failures, the first one after a success is reported.
func TestAFullDiskIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keeper, reported := newKeeper(), 0
		tier, data := keeper.tier(), randomBytes(2, 20*blockBytes)
		tier.config.OnFailure = func(err error) {
			if reported++; !errors.Is(err, syscall.ENOSPC) {
				t.Error(err)
			}
		}
		opened := newFake(data).through(t, tier)
		for i, err := range []error{nil, syscall.ENOSPC, syscall.ENOSPC, nil, syscall.ENOSPC} {
			keeper.err = err
			for range 3 {
				wantBytes(t, opened, data, source.Range{Offset: int64(i) * blockBytes, Length: 1})
				synctest.Wait()
			}
		}
		if stats := tier.Stats(); reported != 2 || stats.Lost != 9 || stats.Written != 2 || stats.WrittenBytes != 2*blockBytes || stats.Hits != 4 || stats.Misses != 11 {
			t.Errorf("reported %d times, %+v", reported, stats)
		}
	})
}

func TestTheEndWaitsForWrites(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			keeper := newKeeper()
			keeper.writes = make(chan struct{})
			tier, data := keeper.tier(), randomBytes(3, 20*blockBytes)
			opened := newFake(data).through(t, tier)
			wantBytes(t, opened, data, source.Range{Length: 20 * blockBytes})
			if !hangs {
				time.AfterFunc(time.Second, func() { close(keeper.writes) })
			}
			began := time.Now()
			tier.Close()
			if took := time.Since(began); hangs != (took == closePatience) || hangs == (len(keeper.kept) == 20) {
				t.Errorf("hangs %t: the end took %v, and %d blocks are kept", hangs, took, len(keeper.kept))
			}
			tier.Close()
			wantBytes(t, opened, data, source.Range{Length: 20 * blockBytes}) // can still be read
			if hangs {
				close(keeper.writes)
			}
		})
	}
}

func TestNothingIsWrittenAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keeper := newKeeper()
		tier, data := keeper.tier(), randomBytes(4, 2*blockBytes)
		opened := newFake(data).through(t, tier)
		tier.Close()
		wantBytes(t, opened, data, source.Range{Length: 9})
		synctest.Wait()
		if len(keeper.kept) != 0 || tier.Stats().Lost != 1 {
			t.Errorf("%d blocks are kept, %+v", len(keeper.kept), tier.Stats())
		}
	})
}

// A disk that hangs while it is read costs a read a moment, however many blocks it should have.
func TestADiskThatHangsDelaysAReadForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keeper := newKeeper()
		tier, data := keeper.tier(), randomBytes(5, 30*blockBytes)
		o := newFake(data)
		opened := o.through(t, tier)
		wantBytes(t, opened, data, source.Range{Length: 20 * blockBytes})
		synctest.Wait()
		keeper.reads = make(chan struct{})
		began := time.Now()
		wantBytes(t, opened, data, source.Range{Length: 30 * blockBytes})
		if took := time.Since(began); took != patience || keeper.fills != parallelFills {
			t.Errorf("the read took %v, and looked for %d blocks", took, keeper.fills)
		}
		wantCalls(t, o, 1, []source.Range{blocksFrom(0, 30)})
		synctest.Wait()
		close(keeper.reads)
		wantBytes(t, opened, data, source.Range{Length: 30 * blockBytes})
		wantCalls(t, o, 2)
	})
}
