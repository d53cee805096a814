package child

import (
	"errors"
	"testing"
	"time"
)

func TestDelayOfTheBreakerIsBounded(t *testing.T) {
	failure, now := errors.New("lost"), time.Unix(0, 0)
	var b breaker
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
		b.open(failure, now)
		want *= time.Second
		if b.refuses(now.Add(want-1)) != failure || b.refuses(now.Add(want)) != nil {
			t.Errorf("delay %d is %v, want %v", i, b.delay, want)
		}
		now = now.Add(want)
	}
	b.reset()
	if b.refuses(now) != nil {
		t.Error("it refuses work after a success")
	}
	if b.open(failure, now); b.delay != time.Second {
		t.Errorf("the delay after a success is %v", b.delay)
	}
}
