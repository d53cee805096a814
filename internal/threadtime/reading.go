// Package threadtime measures how long a goroutine computes, without the time in which it waits for a
// core. Package decode/pool measures its tasks with it, pyramid its samples, and layer colors and
// encoders. It owns nothing, and knows nothing of what is computed.
package threadtime

import "time"

// A Reading is a time, and how long a thread had computed then.
type Reading struct {
	wall   time.Time
	thread int // 0 is unknown
	used   time.Duration
}

// Now returns the present time, with that of the calling thread where the system tells it.
func Now() Reading {
	r := Wall()
	r.thread, r.used = ofThread()
	return r
}

// Wall returns the present time alone.
func Wall() Reading { return Reading{wall: time.Now()} }

// Until returns how long a goroutine computed between two readings. If another thread continued it,
// that is the time that passed: to keep a goroutine on its thread would cost more than this is worth. What
// it computed on other threads before it came back is missing, so a long computation is locked to its thread.
func (r Reading) Until(end Reading) time.Duration {
	passed := end.wall.Sub(r.wall)
	if r.thread == 0 || r.thread != end.thread {
		return passed
	}
	return min(end.used-r.used, passed)
}
