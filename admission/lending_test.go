package admission_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
)

// far is a work that reads over a network.
func far(group string) admission.Work {
	w := cheap(group)
	w.Sources = []admission.Source{{Name: group, Storage: "https://example.org", IsFar: true}}
	return w
}

// await runs works that wait for their sources until they may go on, and returns how many are inside.
func await(t *testing.T, gate *admission.Gate, works int, w admission.Work) (inside *occupants, goOn chan struct{}) {
	inside, goOn = new(occupants), make(chan struct{})
	for range works {
		go gate.Run(t.Context(), w, func(ctx context.Context) error {
			defer inside.enter()()
			end := admission.Wait(ctx)
			<-goOn
			end()
			time.Sleep(time.Millisecond) // computes
			return nil
		})
	}
	synctest.Wait()
	return inside, goOn
}

func TestWorkThatWaitsForANetworkLendsItsSlot(t *testing.T) {
	for name, test := range map[string]struct {
		work  admission.Work
		slots int
		want  int
	}{"far": {far("a"), 1, 9}, "far, with two slots": {far("a"), 2, 18}, "near": {cheap("a"), 1, 1}} {
		synctest.Test(t, func(t *testing.T) {
			gate := admission.New(admission.Config{Cheap: test.slots, Queue: 100})
			inside, goOn := await(t, gate, 40, test.work)
			if inside.most != test.want {
				t.Errorf("%s: %d are inside, want %d", name, inside.most, test.want)
			}
			close(goOn)
			time.Sleep(time.Second)
			if working, waiting := gate.Load(); working != 0 || waiting != 0 {
				t.Errorf("%s: in the end %d are inside and %d wait", name, working, waiting)
			}
		})
	}
}

// readsFirst is a work that waits for a network before it computes.
func readsFirst(group string) admission.Work {
	w := far(group)
	w.ReadsFirst = true
	return w
}

// A server that is asked at once answers while others compute.
func TestWorkThatBeginsWithAWaitForANetworkNeedsNoSlot(t *testing.T) {
	near := cheap("b")
	near.ReadsFirst = true
	for name, test := range map[string]struct {
		work admission.Work
		want int
	}{"reads first": {readsFirst("b"), 8}, "may compute first": {far("b"), 0}, "near": {near, 0}} {
		synctest.Test(t, func(t *testing.T) {
			gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
			_, leave, err := gate.Enter(t.Context(), cheap("a"))
			if err != nil {
				t.Fatal(err)
			}
			inside, goOn := await(t, gate, 40, test.work)
			if inside.now != test.want {
				t.Errorf("%s: %d are inside beside one that computes, want %d", name, inside.now, test.want)
			}
			leave()
			close(goOn)
			time.Sleep(time.Second)
			if working, waiting := gate.Load(); working != 0 || waiting != 0 {
				t.Errorf("%s: in the end %d are inside and %d wait", name, working, waiting)
			}
		})
	}
}

// Work that needs a slot gets the next one, however much of that which needs none comes behind it.
func TestWorkThatNeedsNoSlotPassesNoneThatDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
		_, leave, err := gate.Enter(t.Context(), cheap("a"))
		if err != nil {
			t.Fatal(err)
		}
		var entered atomic.Bool
		go gate.Run(t.Context(), cheap("b"), func(context.Context) error {
			entered.Store(true)
			return nil
		})
		synctest.Wait()
		inside, goOn := await(t, gate, 5, readsFirst("c"))
		if inside.now != 0 {
			t.Errorf("%d are inside, although another waits for its slot", inside.now)
		}
		leave()
		synctest.Wait()
		if !entered.Load() || inside.now != 5 {
			t.Errorf("entered: %v; then %d are inside, want 5", entered.Load(), inside.now)
		}
		close(goOn)
		time.Sleep(time.Second)
	})
}

// A wait that is over takes its slot back, as any other.
func TestWorkThatBeganWithAWaitComputesInASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
		_, goOn := await(t, gate, 1, readsFirst("a"))
		goOn <- struct{}{}
		synctest.Wait() // it computes
		var entered atomic.Bool
		go gate.Run(t.Context(), cheap("b"), func(context.Context) error {
			entered.Store(true)
			return nil
		})
		synctest.Wait()
		if entered.Load() {
			t.Error("another computes beside it, with one slot")
		}
		time.Sleep(2 * time.Millisecond)
		if !entered.Load() {
			t.Error("another does not enter when it has left")
		}
	})
}

// What computes has its slot: those that came in meanwhile count, until as many have left.
func TestASlotIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
		_, goOn := await(t, gate, 2, far("a"))
		goOn <- struct{}{}
		goOn <- struct{}{}
		synctest.Wait() // both compute
		var entered atomic.Bool
		go gate.Run(t.Context(), far("b"), func(context.Context) error {
			entered.Store(true)
			return nil
		})
		synctest.Wait()
		if entered.Load() {
			t.Error("a third computes beside two, with one slot")
		}
		time.Sleep(2 * time.Millisecond)
		if !entered.Load() {
			t.Error("it does not enter when they have left")
		}
	})
}

// Those that lend their slots make no source slow, however many they are.
func TestLendingIsNotSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
		_, goOn := await(t, gate, 5, far("a"))
		close(goOn)
		time.Sleep(time.Second)
		inside, goOn := await(t, gate, 5, far("a"))
		if inside.now != 5 {
			t.Errorf("%d of 5 are inside", inside.now)
		}
		close(goOn)
		time.Sleep(time.Second)
	})
}

// A server whose answers take two seconds is as far as that, and not slow: its clients are bounded by what a lane lends.
func TestAFarServerIsNotSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const clients, latency, lasting = 10, 2 * time.Second, 100 * time.Second
		gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
		began, answers := time.Now(), atomic.Int64{}
		inside := new(occupants)
		var asking sync.WaitGroup
		for range clients {
			asking.Go(func() {
				for time.Since(began) < lasting {
					gate.Run(t.Context(), far("a"), func(ctx context.Context) error {
						defer inside.enter()()
						defer answers.Add(1)
						end := admission.Wait(ctx)
						defer end()
						time.Sleep(latency)
						return nil
					})
				}
			})
		}
		asking.Wait()
		const lent = 1 + 8 // its slot, and those that are lent
		if want := int64(lent * lasting / latency); answers.Load() < want*9/10 || inside.most < lent {
			t.Errorf("%d answers, at most %d at a time; want about %d", answers.Load(), inside.most, want)
		}
	})
}

// A server that was near and hangs is slow as soon as any other: what it has of slots is given to others.
func TestANearServerThatHangsIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
		for range 10 {
			gate.Run(t.Context(), far("a"), func(ctx context.Context) error {
				defer admission.Wait(ctx)()
				time.Sleep(20 * time.Millisecond)
				return nil
			})
		}
		_, goOn := await(t, gate, 40, far("a"))
		time.Sleep(2 * time.Second)
		var entered atomic.Bool
		go gate.Run(t.Context(), cheap("b"), func(context.Context) error {
			entered.Store(true)
			return nil
		})
		synctest.Wait()
		if !entered.Load() {
			t.Error("another layer waits for a server that hangs")
		}
		close(goOn)
		time.Sleep(time.Minute)
	})
}

// A far server that answers late, and for which that is usual, keeps no slot from others, however many wait for it.
func TestAFarServerThatAnswersLateTakesNoSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 2, Queue: 300})
		wait := func(ctx context.Context) error {
			defer admission.Wait(ctx)()
			time.Sleep(4900 * time.Millisecond)
			return nil
		}
		for range 40 {
			gate.Run(t.Context(), readsFirst("late"), wait)
		}
		for range 200 {
			go gate.Run(t.Context(), readsFirst("late"), wait)
		}
		synctest.Wait()
		began := time.Now()
		for range 10 {
			_, leave, err := gate.Enter(t.Context(), cheap("near"))
			if err != nil {
				t.Fatal(err)
			}
			leave()
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("those that need no far server waited for %v", waited)
		}
		time.Sleep(10 * time.Minute)
		if working, waiting := gate.Load(); working != 0 || waiting != 0 {
			t.Errorf("in the end %d are inside and %d wait", working, waiting)
		}
	})
}

// What is read may lie on a local disk by now. Then work computes at once, and needs a slot for that.
func TestWorkThatDoesNotWaitAfterAllNeedsASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 1, Queue: 100})
		computeAll := func() (inside *occupants) {
			inside = new(occupants)
			var all sync.WaitGroup
			for range 40 {
				all.Go(func() {
					gate.Run(t.Context(), readsFirst("a"), func(context.Context) error {
						defer inside.enter()()
						time.Sleep(time.Millisecond) // computes
						return nil
					})
				})
			}
			all.Wait()
			return inside
		}
		computeAll()
		if inside := computeAll(); inside.most != 1 {
			t.Errorf("%d compute at a time with one slot", inside.most)
		}
		_, goOn := await(t, gate, 1, readsFirst("a")) // it waits: the storage is far again
		close(goOn)
		time.Sleep(time.Second)
		inside, goOn := await(t, gate, 40, readsFirst("a"))
		if inside.now != 9 {
			t.Errorf("%d wait at a time for a storage that is far again, want 9", inside.now)
		}
		close(goOn)
		time.Sleep(time.Second)
	})
}
