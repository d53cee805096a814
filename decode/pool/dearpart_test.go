package pool

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
)

// reservations are made by dear work, of the 120 bytes that it may use of 160.
type reservations struct {
	t     *testing.T
	pool  *Pool
	calls sync.WaitGroup

	mu   sync.Mutex
	made []string // names
}

func newReservations(t *testing.T) *reservations {
	return &reservations{t: t, pool: New(Config{Budget: cache.NewBudget(160)})}
}

// hold reserves bytes until the returned function is called.
func (r *reservations) hold(ctx context.Context, name string, bytes int64) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	mayEnd := make(chan struct{})
	r.calls.Go(func() {
		defer cancel()
		release, err := r.pool.Reserve(ctx, bytes)
		if err != nil {
			return
		}
		defer release()
		r.mu.Lock()
		r.made = append(r.made, name)
		r.mu.Unlock()
		<-mayEnd
	})
	synctest.Wait()
	return func() {
		r.t.Helper()
		cancel()
		close(mayEnd)
		synctest.Wait()
	}
}

// want checks which reservations were made so far, in any order.
func (r *reservations) want(names ...string) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(names)
	if slices.Sort(r.made); !slices.Equal(r.made, names) {
		r.t.Errorf("%v were made, want %v", r.made, names)
	}
}

// end waits until all have ended, and checks that nothing remains.
func (r *reservations) end() {
	r.t.Helper()
	r.calls.Wait()
	if d := r.pool.dear; d.bytes != 0 || d.queue.Len() != 0 {
		r.t.Errorf("%d bytes remain, and %d claims", d.bytes, d.queue.Len())
	}
	for name, u := range r.pool.dear.storages {
		if u.bytes != 0 || u.claims != 0 {
			r.t.Errorf("storage %s: %+v remains", name, *u)
		}
	}
}

// A disk that stalls while dear work reads it holds no more than half of the bytes of dear work. A stack
// takes them from the disk that it reads, whatever the others are called.
func TestAStorageThatStallsLeavesBytesToOthers(t *testing.T) {
	for _, name := range []struct{ stalled, healthy string }{{"a", "b"}, {"b", "a"}} {
		synctest.Test(t, func(t *testing.T) {
			r := newReservations(t)
			stalled, healthy := dearContext(t, name.stalled), dearContext(t, name.healthy)
			stack := dearContext(t, name.healthy, name.stalled)
			r.hold(healthy, "healthy", 10)()
			endStalled := []func(){
				r.hold(stalled, "stalled", 50),
				r.hold(stalled, "more than half", 20),
				r.hold(admission.Reading(stack, name.stalled), "stack of the stalled", 60),
			}
			r.hold(admission.Reading(stack, name.healthy), "stack of the healthy", 60)()
			r.hold(healthy, "healthy", 60)()
			r.want("healthy", "stalled", "stack of the healthy", "healthy")
			for _, end := range endStalled {
				end()
			}
			r.end()
		})
	}
}

// A batch that needs more than a disk that stalls leaves is passed by smaller ones, but not for ever.
func TestALargeBatchIsPassedForATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReservations(t)
		stalled, healthy := dearContext(t, "stalled"), dearContext(t, "healthy")
		r.hold(healthy, "healthy", 10)()
		endStalled := r.hold(stalled, "stalled", 60)
		endLarge := r.hold(healthy, "large", 70)
		r.hold(healthy, "small", 50)()
		r.want("healthy", "stalled", "small")
		time.Sleep(passableFor)
		endSmall := r.hold(healthy, "later", 50)
		r.want("healthy", "stalled", "small")
		endStalled()
		r.want("healthy", "stalled", "small", "large")
		endLarge()
		endSmall()
		r.want("healthy", "stalled", "small", "large", "later")
		r.end()
	})
}

// A disk that nobody shares may have all bytes, also once another has not been read for long.
func TestAStorageThatIsAloneMayUseAllBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReservations(t)
		disk, removed := dearContext(t, "disk"), dearContext(t, "removed")
		r.hold(disk, "alone", 100)()
		r.hold(removed, "removed", 10)()
		end, endSecond := r.hold(disk, "disk", 50), r.hold(disk, "second", 50)
		r.want("alone", "removed", "disk")
		time.Sleep(sharedFor + time.Second)
		endThird := r.hold(disk, "third", 20)
		r.want("alone", "removed", "disk", "second", "third")
		end()
		endSecond()
		endThird()
		r.end()
	})
}

// However batches come, end and are canceled, all get their bytes and give them back.
func TestNoBytesAreLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReservations(t)
		for caller := range 16 {
			random := rand.New(rand.NewPCG(uint64(caller), 1))
			storage := dearContext(t, fmt.Sprint(caller%3))
			r.calls.Go(func() {
				for range 100 {
					ctx, cancel := context.WithTimeout(storage, time.Duration(random.IntN(90))*time.Second)
					if release, err := r.pool.Reserve(ctx, random.Int64N(161)); err == nil {
						time.Sleep(time.Duration(random.IntN(5000)) * time.Millisecond)
						release()
					}
					cancel()
				}
			})
		}
		r.end()
		r.hold(dearContext(t, "0"), "all", 160)()
		r.want("all")
		r.end()
	})
}
