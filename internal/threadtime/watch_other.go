//go:build !linux

package threadtime

import "time"

// ofThread says that the time of threads is not known here.
func ofThread() (used time.Duration, ok bool) { return 0, false }
