package main

import (
	"syscall"
	"time"
)

// timerDelay is how late a timer of Go may be on Linux.
const timerDelay = time.Millisecond

// sleepUntil returns at a time. The kernel measures the last part: timers would make each way longer, by up to a
// twentieth of a round trip of 20 ms. Signals of Go's scheduler interrupt it.
func sleepUntil(at time.Time) {
	time.Sleep(time.Until(at) - timerDelay)
	for left := time.Until(at); left > 0; left = time.Until(at) {
		rest := syscall.NsecToTimespec(int64(left))
		_ = syscall.Nanosleep(&rest, nil)
	}
}
