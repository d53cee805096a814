package admission_test

import (
	"context"
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
