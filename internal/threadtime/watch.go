// Package threadtime measures how long a goroutine computes, without the time in which it waits for a
// core. Package decode/pool measures its workers with it. It owns nothing, and knows nothing of what is
// computed.
package threadtime

import (
	"runtime"
	"time"
)

// Start begins to measure the calling goroutine, which stays on its thread until it calls stop. Where
// the system does not tell what a thread used, the result is the time that passed.
func Start() (stop func() time.Duration) {
	runtime.LockOSThread()
	wall := time.Now()
	used, ok := ofThread()
	return func() time.Duration {
		defer runtime.UnlockOSThread()
		if now, stillOK := ofThread(); ok && stillOK {
			return now - used
		}
		return time.Since(wall)
	}
}
