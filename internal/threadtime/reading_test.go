package threadtime

import (
	"runtime"
	"testing"
	"time"
)

func TestOnlyComputingCounts(t *testing.T) {
	if thread, _ := ofThread(); thread == 0 && runtime.GOOS == "linux" {
		t.Fatal("the time of the thread is unknown")
	} else if thread == 0 {
		t.Skip("this system does not tell what a thread used")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began, resume := Now(), make(chan struct{})
	time.AfterFunc(50*time.Millisecond, func() { close(resume) })
	<-resume
	if used := began.Until(Now()); used > 25*time.Millisecond {
		t.Errorf("waiting used %v", used)
	}
	began = Now()
	for sum, i := 0, 0; i < 20_000_000; i++ {
		sum += i * sum
	}
	if used, passed := began.Until(Now()), time.Since(began.wall); used <= 0 || used > passed {
		t.Errorf("computing used %v of %v", used, passed)
	}
}

func TestReadingsOfTwoThreads(t *testing.T) {
	start := time.Now()
	at := func(passed time.Duration, thread int, used time.Duration) Reading {
		return Reading{start.Add(passed), thread, used}
	}
	for _, test := range []struct {
		from, to Reading
		want     time.Duration
	}{
		{at(0, 7, 100), at(50, 7, 130), 30},
		{at(0, 7, 100), at(50, 8, 900), 50},
		{at(0, 7, 100), at(50, 0, 0), 50},
		{at(0, 0, 0), at(50, 0, 0), 50},
		{at(0, 7, 100), at(50, 7, 160), 50}, // the clocks differ a little
	} {
		if got := test.from.Until(test.to); got != test.want {
			t.Errorf("from %+v to %+v: %v, want %v", test.from, test.to, got, test.want)
		}
	}
}
