package admission_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
)

// However work comes, ends, is canceled and overdue, no slot and no byte is lost or given twice, and
// everybody gets an answer.
func TestNothingIsLostOrGivenTwice(t *testing.T) {
	const maxBytes, callers, rounds = 1000, 32, 200
	gate := admission.New(admission.Config{Cheap: 3, Dear: 2, Queue: 8, Memory: maxBytes})
	var bytes, cheap, entered, refused, canceled atomic.Int64
	use := func(w admission.Work, pause time.Duration) func(context.Context) error {
		return func(ctx context.Context) error {
			entered.Add(1)
			if used := bytes.Add(w.Bytes); used > maxBytes {
				t.Errorf("%d bytes are in use", used)
			}
			defer bytes.Add(-w.Bytes)
			if !admission.IsDear(ctx) {
				if now := cheap.Add(1); now > 3 {
					t.Errorf("%d cheap ones are inside", now)
				}
				defer cheap.Add(-1)
			}
			time.Sleep(pause)
			return nil
		}
	}
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(caller), 1))
			for range rounds {
				w := admission.Work{
					Purpose: admission.Purpose(random.IntN(4)), Cost: time.Duration(random.IntN(150)) * time.Millisecond,
					Bytes: random.Int64N(maxBytes), Group: fmt.Sprint(random.IntN(5)), Sources: []admission.Source{{Name: fmt.Sprint(random.IntN(3)), Storage: fmt.Sprint(random.IntN(2))}},
				}
				if random.IntN(3) > 0 {
					w.Purpose, w.Bytes = admission.Answer, w.Bytes/20
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(2000))*time.Microsecond)
				err := gate.Run(ctx, w, use(w, time.Duration(random.IntN(300))*time.Microsecond))
				cancel()
				switch {
				case err == nil:
				case errors.As(err, new(*admission.Refusal)):
					refused.Add(1)
				case errors.Is(err, context.DeadlineExceeded):
					canceled.Add(1)
				default:
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s := gate.Stats()
	for _, l := range s.Lanes {
		if s.Bytes != 0 || l.Working != 0 || l.Waiting != 0 {
			t.Errorf("afterwards lane %v is %+v, with %d bytes", l.Lane, l, s.Bytes)
		}
	}
	if total := entered.Load() + refused.Load() + canceled.Load(); total != callers*rounds {
		t.Errorf("%d of %d calls were answered", total, callers*rounds)
	}
	t.Logf("%d entered, %d were refused and %d canceled", entered.Load(), refused.Load(), canceled.Load())
}

// However files stall and answer again, and whoever is excused or leaves meanwhile, everything is given
// back, and in the end there are as many slots as at the beginning.
func TestNothingIsLostWhileFilesStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const maxBytes, callers, rounds = 1000, 32, 50
		c := newCrowd(t, admission.Config{Cheap: 3, Dear: 2, Queue: 64, Memory: maxBytes})
		var bytes atomic.Int64
		reads := func(random *rand.Rand, w admission.Work) func(context.Context) error {
			return func(ctx context.Context) error {
				if used := bytes.Add(w.Bytes); used > maxBytes {
					t.Errorf("%d bytes are in use", used)
				}
				defer bytes.Add(-w.Bytes)
				for range random.IntN(4) {
					end := admission.Wait(ctx)
					time.Sleep(time.Duration(random.IntN(20)) * time.Second)
					end()
					time.Sleep(time.Duration(random.IntN(1000)) * time.Millisecond)
				}
				return ctx.Err()
			}
		}
		for caller := range callers {
			c.work.Go(func() {
				random := rand.New(rand.NewPCG(uint64(caller), 2))
				for range rounds {
					w := admission.Work{
						Purpose: admission.Purpose(random.IntN(5)), Cost: time.Duration(random.IntN(400)) * time.Millisecond,
						Bytes: random.Int64N(maxBytes / 4), Group: fmt.Sprint(random.IntN(5)),
						Sources: []admission.Source{{Name: fmt.Sprint(random.IntN(6)), Storage: fmt.Sprint(random.IntN(3))}},
					}
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(60))*time.Second)
					c.gate.Run(ctx, w, reads(random, w))
					cancel()
				}
			})
		}
		c.end()
		for _, name := range []string{"1", "2", "waits"} {
			c.start(t.Context(), name, dear("a"))
		}
		c.wantEntered("1", "2")
		c.end()
		c.wantAllMemory(maxBytes)
	})
}

// wantAllMemory checks that dear work may have all memory, and beside other dear work all but exactly the
// part of cheap work.
func (c *crowd) wantAllMemory(maxBytes int64) {
	c.t.Helper()
	dearBytes := maxBytes - maxBytes/4
	for _, works := range []struct {
		bytes  []int64
		enters int
	}{{[]int64{maxBytes}, 1}, {[]int64{1, dearBytes - 1}, 2}, {[]int64{1, dearBytes}, 1}} {
		c.entered = nil
		want := []string{"first", "second"}
		for i, bytes := range works.bytes {
			c.start(c.t.Context(), want[i], ofBytes(bytes))
		}
		c.wantEntered(want[:works.enters]...)
		c.end()
	}
}
