package transport

import (
	"testing"
	"time"
)

func TestTheGapIsWhatARequestCosts(t *testing.T) {
	for _, test := range []struct {
		delay time.Duration
		rate  int64
		turns int
		want  int64
	}{
		{20 * time.Millisecond, 100 << 20, 32, 64 << 10},
		{20 * time.Millisecond, 100 << 20, 4, 512 << 10},
		{200 * time.Millisecond, 1 << 20, 1, 200 << 10},
		{100 * time.Microsecond, 1 << 30, 32, minGap},
		{time.Second, 1 << 30, 1, maxGap},
	} {
		var p pace
		for range 9 {
			p.noteDelay(test.delay)
			p.noteBody(test.rate, time.Second)
		}
		if got := p.gap(test.turns); got < test.want*9/10 || got > test.want*11/10 {
			t.Errorf("%+v: %d", test, got)
		}
	}
	if got := new(pace).gap(32); got != unknownGap {
		t.Errorf("an unknown server: %d", got)
	}
}

func TestLateIsLaterThanMostAnswers(t *testing.T) {
	var p pace
	for i := range 200 {
		if _, isKnown := p.hedgeAfter(); isKnown != (i >= enoughSamples) {
			t.Errorf("known %t after %d answers", isKnown, i)
		}
		p.noteDelay(time.Duration(i%100) * time.Millisecond)
	}
	if wait, _ := p.hedgeAfter(); wait < 90*time.Millisecond || wait > 110*time.Millisecond {
		t.Errorf("late after %v", wait)
	}
}
