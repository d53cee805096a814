package transport

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestTurnsComeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(2)
		order := make(chan int, 10)
		for i := range 5 {
			go func() {
				if turns.enter(t.Context()) == nil {
					order <- i
				}
			}()
			synctest.Wait()
		}
		if running, _ := turns.state(); running != 2 {
			t.Fatalf("%d turns at a time", running)
		}
		for range 3 {
			turns.leave()
			synctest.Wait()
		}
		for want := range 5 {
			if got := <-order; got != want {
				t.Errorf("%d came before %d", got, want)
			}
		}
	})
}

func TestWhoStopsWaitingTakesNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		if err := turns.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() { left <- turns.enter(ctx) }()
		synctest.Wait()
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		turns.leave()
		if !turns.isIdle() {
			t.Error("a turn is still taken")
		}
	})
}

// Whether a turn comes before or after its caller leaves, none is lost.
func TestATurnThatComesTooLateIsPassedOn(t *testing.T) {
	for range 1000 {
		turns := newTurns(1)
		if err := turns.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() { left <- turns.enter(ctx) }()
		go cancel()
		turns.leave()
		if <-left == nil {
			turns.leave()
		}
		if !turns.isIdle() {
			t.Fatal("a turn is lost")
		}
	}
}
