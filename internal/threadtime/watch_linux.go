package threadtime

import (
	"time"

	"golang.org/x/sys/unix"
)

// ofThread returns the time that the calling thread has computed so far.
func ofThread() (used time.Duration, ok bool) {
	var t unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano()), err == nil
}
