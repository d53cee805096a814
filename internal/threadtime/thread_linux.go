package threadtime

import (
	"time"

	"golang.org/x/sys/unix"
)

// ofThread returns the number of the calling thread, and how long it has computed so far. It asks for
// the time between two looks at the number, since the goroutine may be moved at any time.
func ofThread() (thread int, used time.Duration) {
	var t unix.Timespec
	thread = unix.Gettid()
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil || unix.Gettid() != thread {
		return 0, 0
	}
	return thread, time.Duration(t.Nano())
}
